import type { Bench } from "../bench";
import { MeasuredPlatform } from "../engine/measured-platform";
import type { Run } from "../engine/measured-stack";
import type { Command } from "../engine/program-process";
import { StackProcess } from "../engine/stack-process";
import { Figures } from "../figures";
import type { Area } from "../measurement";
import { OUTPUTS } from "../plugin/outputs";

interface Lifecycle {
  readonly count: number;
  readonly configured?: boolean;
  readonly commands: readonly Command[];
  /**
   * Whether the engine writes a checkpoint after each change, as it does by default. Otherwise, the engine writes the
   * state once at the end, so that checkpoints do not hide the cost of the plugin.
   */
  readonly checkpoints?: boolean;
  readonly rounds?: number;
  readonly quick?: boolean;
}

const MAIN: Lifecycle = {
  count: 500,
  configured: true,
  commands: ["up", "preview", "refresh", "destroy"],
  quick: true,
};

const LIFECYCLES: readonly Lifecycle[] = [
  MAIN,
  { count: 1000, commands: ["up", "destroy"], checkpoints: true, rounds: 2 },
];

const LATENCY_MS = 50;

/** Measure how long stack lifecycles take with our plugin, compared with the plugin over grpc-js. */
export const lifecycles: readonly Area<Bench>[] = LIFECYCLES.map((lifecycle) => async (bench) => {
  const figures = new Figures();
  if (bench.quick && !lifecycle.quick) return [];
  const platform = await MeasuredPlatform.start();
  const outputs = await bench.outputs();
  const rounds = lifecycle.rounds ?? bench.rounds;
  for (let round = 1; round <= rounds; round++) {
    console.error(`round ${round} of ${rounds}: ${lifecycle.count} databases`);
    await compare({ bench, platform, outputs }, lifecycle, round, figures);
  }
  await platform.end();
  return figures.measurements();
});

interface Surroundings {
  readonly bench: Bench;
  readonly platform: MeasuredPlatform;
  /** The outputs that the plugin over grpc-js returns: a JSON object with the resource types as keys. */
  readonly outputs: string;
}

type Measured = Partial<Record<Command, Run & { readonly requests: number }>>;

/**
 * Measures one lifecycle with both plugins. The order alternates between rounds, so that neither benefits if the machine
 * slows down.
 */
async function compare(
  surroundings: Surroundings,
  lifecycle: Lifecycle,
  round: number,
  figures: Figures,
): Promise<void> {
  const { plugins } = surroundings.bench;
  const measured: Record<"ours" | "floor", Measured> = { ours: {}, floor: {} };
  for (const name of round % 2 === 1 ? (["ours", "floor"] as const) : (["floor", "ours"] as const))
    measured[name] = await runOnce(surroundings, lifecycle, { plugin: plugins[name] });
  addComparison(lifecycle, measured, figures);
  if (lifecycle !== MAIN) return;

  for (const command of ["preview", "refresh"] as const)
    figures.addIfJudged(`requests: ${nameOf(lifecycle, command)}`, {
      ours: measured.ours[command]?.requests ?? Number.NaN,
    });
  const late = await runOnce(surroundings, lifecycle, { plugin: plugins.ours, latency: LATENCY_MS });
  for (const command of lifecycle.commands)
    figures.addIfJudged(`${nameOf(lifecycle, command)}, ${LATENCY_MS} ms an answer, against ours without`, {
      ours: late[command]?.seconds ?? Number.NaN,
      floor: measured.ours[command]?.seconds ?? Number.NaN,
    });
}

function addComparison(
  lifecycle: Lifecycle,
  { ours, floor }: Readonly<Record<"ours" | "floor", Measured>>,
  figures: Figures,
): void {
  const against = ", against grpc-js";
  for (const command of lifecycle.commands) {
    const [mine, theirs] = [ours[command], floor[command]];
    if (!mine || !theirs) continue;
    figures.addIfJudged(nameOf(lifecycle, command) + against, { ours: mine.seconds, floor: theirs.seconds });
    if (lifecycle === MAIN)
      figures.addIfJudged(`processor time of ${command}${against}`, {
        ours: mine.plugin.seconds,
        floor: theirs.plugin.seconds,
      });
  }
  if (lifecycle === MAIN)
    figures.add("peak memory in any of them, against grpc-js", { ours: peakOf(ours), floor: peakOf(floor) });
}

const peakOf = (measured: Measured): number =>
  Math.max(...Object.values(measured).map(({ plugin }) => plugin.peakMegabytes));

const nameOf = ({ count, configured, checkpoints }: Lifecycle, command: Command): string =>
  [
    command,
    `${count.toLocaleString("en")} ${configured ? "with configurations" : "databases"}`,
    ...(checkpoints ? ["as users run it"] : []),
  ].join(", ");

async function runOnce(
  { bench, platform, outputs }: Surroundings,
  { count, configured = false, commands, checkpoints = false }: Lifecycle,
  { plugin, latency = 0 }: { readonly plugin: string; readonly latency?: number },
): Promise<Measured> {
  await platform.reset();
  const stack = await StackProcess.create({
    folder: bench.folder,
    bin: bench.bin,
    count,
    configured,
    plugin,
    checkpoints,
    environment: { ...platform.environment, [OUTPUTS]: outputs },
  });
  try {
    await platform.delay(latency);
    const measured: Measured = {};
    for (const command of commands) {
      const run = await stack.run(command);
      measured[command] = { ...run, requests: (await platform.requests()).length };
    }
    return measured;
  } finally {
    await stack.remove();
  }
}
