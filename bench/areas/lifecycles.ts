import type { Bench } from "../bench";
import { MeasuredPlatform } from "../engine/measured-platform";
import { MeasuredStack, type Run } from "../engine/measured-stack";
import { configuredDatabases, databases } from "../engine/programs";
import { Figures } from "../figures";
import type { Measurement } from "../measurement";
import { startPlugin } from "../plugin/start";

/** Commands of the engine, in the order in which one stack sees them. */
const COMMANDS = {
  up: "up",
  preview: "preview",
  previewRefresh: "preview --refresh",
  refresh: "refresh",
  destroy: "destroy",
} as const;

type Command = keyof typeof COMMANDS;

/** The lifecycle of one stack, and the commands that are measured in it. */
interface Lifecycle {
  readonly count: number;
  /** A configuration for each database. */
  readonly configured: boolean;
  readonly commands: readonly Command[];
  /** The commands of a quick run; left out: the lifecycle is not part of it. */
  readonly quick?: readonly Command[];
  /** As users run it; else the engine writes the state once at the end, and what it writes hides nothing. */
  readonly checkpoints?: boolean;
  readonly onRefresh?: boolean;
  /** Measured once, since it takes long; reported and not judged. */
  readonly once?: boolean;
}

const LIFECYCLES: readonly Lifecycle[] = [
  { count: 100, configured: true, commands: ["up"] },
  { count: 500, configured: true, commands: ["up", "previewRefresh", "refresh"], quick: ["up"] },
  {
    count: 500,
    configured: false,
    commands: ["up", "preview", "previewRefresh", "refresh", "destroy"],
    quick: ["up", "preview", "refresh", "destroy"],
  },
  { count: 500, configured: false, commands: ["up", "preview"], quick: ["up", "preview"], onRefresh: true },
  { count: 100, configured: true, commands: ["up"], checkpoints: true, once: true },
  { count: 500, configured: true, commands: ["up"], checkpoints: true, once: true },
  { count: 500, configured: false, commands: ["up", "destroy"], checkpoints: true, once: true },
  { count: 10, configured: false, commands: ["up", "preview", "destroy"], checkpoints: true, once: true },
  { count: 100, configured: false, commands: ["up", "preview", "destroy"], checkpoints: true, once: true },
  { count: 1000, configured: false, commands: ["up", "preview", "destroy"], checkpoints: true, once: true },
  { count: 1000, configured: false, commands: ["up", "destroy"], once: true },
];

const LATENCY_MS = 50;

/** The lifecycle of stacks, with our plugin and with a plugin that does nothing. */
export async function lifecycles(bench: Bench): Promise<readonly Measurement[]> {
  const figures = new Figures();
  const platform = await MeasuredPlatform.start();
  for (let round = 1; round <= bench.rounds; round++)
    for (const lifecycle of LIFECYCLES) {
      const commands = bench.quick ? lifecycle.quick : lifecycle.commands;
      if (!commands || (lifecycle.once && round > 1)) continue;
      console.error(
        `round ${round} of ${bench.rounds}: ${commands.map((command) => nameOf(lifecycle, command)).join("; ")}`,
      );
      await compare(bench, platform, { ...lifecycle, commands }, figures);
    }
  await platform.end();
  return figures.measurements();
}

async function compare(
  bench: Bench,
  platform: MeasuredPlatform,
  lifecycle: Lifecycle,
  figures: Figures,
): Promise<void> {
  const { plugins } = bench;
  const ours = await runOnce(bench, platform, lifecycle, { plugin: plugins.ours, latency: 0 });
  const floor = await runOnce(bench, platform, lifecycle, { plugin: plugins.floor, latency: 0 });
  const late =
    lifecycle.once || lifecycle.onRefresh
      ? {}
      : await runOnce(bench, platform, lifecycle, { plugin: plugins.ours, latency: LATENCY_MS });
  const { megabytes } = await startPlugin(plugins.bare);
  for (const command of lifecycle.commands) {
    const name = nameOf(lifecycle, command);
    const [our, its, delayed] = [ours[command], floor[command], late[command]];
    if (!our || !its) continue;
    figures.addIfJudged(name, { ours: our.seconds, floor: its.seconds });
    figures.addIfJudged(`${name}: requests`, { ours: our.requests });
    figures.addIfJudged(`${name}: processor time`, { ours: our.plugin.seconds, floor: its.plugin.seconds });
    figures.addIfJudged(`${name}: peak memory`, { ours: our.plugin.peakMegabytes, floor: megabytes });
    if (delayed) figures.addIfJudged(`${name}, ${LATENCY_MS} ms`, { ours: delayed.seconds, floor: its.seconds });
  }
}

const nameOf = ({ count, configured, checkpoints, onRefresh }: Lifecycle, command: Command): string =>
  [
    COMMANDS[command],
    `${count.toLocaleString("en")} ${configured ? "with configurations" : "databases"}`,
    ...(checkpoints ? ["as users run it"] : []),
    ...(onRefresh ? ["on-refresh"] : []),
  ].join(", ");

type Measured = Partial<Record<Command, Run & { readonly requests: number }>>;

async function runOnce(
  { bin, folder }: Bench,
  platform: MeasuredPlatform,
  { count, configured, commands, checkpoints = false, onRefresh }: Lifecycle,
  { plugin, latency }: { readonly plugin: string; readonly latency: number },
): Promise<Measured> {
  await platform.reset();
  const program = configured ? configuredDatabases(count) : databases(count);
  const config: Record<string, string> = onRefresh ? { "dbplatform:driftDetection": "on-refresh" } : {};
  const stack = await MeasuredStack.create({
    folder,
    bin,
    program,
    plugin,
    checkpoints,
    config,
    environment: platform.environment,
  });
  try {
    await platform.delay(latency);
    const measured: Measured = {};
    for (const command of commands) {
      const run = await stack[command]();
      measured[command] = { ...run, requests: (await platform.requests()).length };
    }
    return measured;
  } finally {
    stack.remove();
  }
}
