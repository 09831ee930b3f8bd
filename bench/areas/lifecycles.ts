import type { Bench } from "../bench";
import { MeasuredPlatform } from "../engine/measured-platform";
import type { Run } from "../engine/measured-stack";
import type { Command } from "../engine/program-process";
import { StackProcess } from "../engine/stack-process";
import { Figures } from "../figures";
import type { Area } from "../measurement";
import { OUTPUTS } from "../plugin/outputs";
import type { Floor } from "../plugin/plugins";

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
  { count: 100, commands: ["up", "preview", "destroy"], checkpoints: true },
  { count: 1000, commands: ["up", "preview", "destroy"], checkpoints: true, rounds: 2 },
];

const LATENCY_MS = 50;

/** Measure how long stack lifecycles take with our plugin, compared with the baseline plugins. */
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
  /** The outputs that the do-nothing plugins return: a JSON object with the resource types as keys. */
  readonly outputs: string;
}

type Measured = Partial<Record<Command, Run & { readonly requests: number }>>;

/**
 * Measures one lifecycle with each plugin. The order alternates between rounds, so that no plugin benefits if the
 * machine slows down.
 */
async function compare(
  surroundings: Surroundings,
  lifecycle: Lifecycle,
  round: number,
  figures: Figures,
): Promise<void> {
  const { ours, floors } = surroundings.bench.plugins;
  const measured: Partial<Record<Floor | "ours", Measured>> = {};
  const all = Object.entries({ ours, ...floors }) as [Floor | "ours", string][];
  for (const [name, plugin] of round % 2 === 1 ? all : all.toReversed())
    measured[name] = await runOnce(surroundings, lifecycle, { plugin });
  const { ours: our = {}, ...others } = measured;
  for (const [floor, its] of Object.entries(others) as [Floor, Measured][])
    addComparison(lifecycle, our, floor, its, figures);
  if (lifecycle !== MAIN) return;

  const { "grpc-js": { preview } = {}, Go: { preview: inGo } = {} } = others;
  if (preview && inGo)
    figures.addIfJudged(`${nameOf(lifecycle, "preview")}, grpc-js against Go`, {
      ours: preview.seconds,
      floor: inGo.seconds,
    });

  for (const command of ["preview", "refresh"] as const)
    figures.addIfJudged(`requests: ${nameOf(lifecycle, command)}`, { ours: our[command]?.requests ?? Number.NaN });
  const late = await runOnce(surroundings, lifecycle, { plugin: ours, latency: LATENCY_MS });
  for (const command of lifecycle.commands)
    figures.addIfJudged(`${nameOf(lifecycle, command)}, ${LATENCY_MS} ms an answer, against ours without`, {
      ours: late[command]?.seconds ?? Number.NaN,
      floor: our[command]?.seconds ?? Number.NaN,
    });
}

function addComparison(lifecycle: Lifecycle, our: Measured, floor: Floor, its: Measured, figures: Figures): void {
  const against = `, against ${floor}`;
  for (const command of lifecycle.commands) {
    const [mine, theirs] = [our[command], its[command]];
    if (!mine || !theirs) continue;
    figures.addIfJudged(nameOf(lifecycle, command) + against, { ours: mine.seconds, floor: theirs.seconds });
    if (lifecycle === MAIN)
      figures.addIfJudged(`processor time of ${command}${against}`, {
        ours: mine.plugin.seconds,
        floor: theirs.plugin.seconds,
      });
  }
  if (lifecycle === MAIN)
    figures.addIfJudged(`peak memory in any of them${against}`, { ours: peakOf(our), floor: peakOf(its) });
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
