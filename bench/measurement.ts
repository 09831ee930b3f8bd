import { GOALS, type Goal, type MeasurementName } from "./goals";

/** One row of the table: a figure for each round, in the unit of its goal. */
export interface Measurement {
  readonly name: MeasurementName;
  readonly ours: readonly number[];
  /** Figures of the floor, measured in the same rounds. Without them, the goal applies to our figure itself. */
  readonly floor?: readonly number[];
}

/** The judgement of one measurement. */
export interface Verdict {
  /** The best figure of all rounds; without a floor, the worst. */
  readonly ours: number;
  readonly floor?: number;
  /** Our best figure divided by the best of the floor; without a floor, our figure. The goal applies to this ratio. */
  readonly ratio: number;
  /** Median of the ratios of the rounds. */
  readonly medianRatio: number;
  /** Whether the floor varied so much between rounds that other work must have disturbed the machine. */
  readonly disturbed: boolean;
  /** Whether the goal is met. Absent without a goal, or when the measurement was disturbed. */
  readonly met?: boolean;
}

const STEADY = 1.15;

/**
 * Compares the best figures, because other work on the machine only ever makes a round slower: the best round was
 * disturbed least. A measurement without a floor is a count, which has to be right in every round.
 */
export function verdictOf({ name, ours, floor }: Measurement): Verdict {
  const goal: Goal = GOALS[name];
  const allowed = goal.plus ?? 0;
  const more = goal.atLeast !== undefined;
  const best = (figures: readonly number[]) => (more ? Math.max(...figures) : Math.min(...figures));
  const worst = (figures: readonly number[]) => (more ? Math.min(...figures) : Math.max(...figures));
  const shown = floor ? best(ours) : worst(ours);
  const ratio = floor ? (shown - allowed) / best(floor) : shown;
  const disturbed = floor !== undefined && Math.max(...floor) > STEADY * Math.min(...floor);
  const ratios = ours.map((figure, round) => (floor ? (figure - allowed) / (floor[round] ?? Number.NaN) : figure));
  return {
    ours: shown,
    ...(floor && { floor: best(floor) }),
    ratio,
    medianRatio: median(ratios),
    disturbed,
    ...(!disturbed && goal.atMost !== undefined && { met: ratio <= goal.atMost }),
    ...(!disturbed && goal.atLeast !== undefined && { met: ratio >= goal.atLeast }),
  };
}

function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const [low = Number.NaN, high = low] = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1);
  return (low + high) / 2;
}

/** Options of a benchmark run. */
export interface Effort {
  readonly rounds: number;
  /** Runs only the most important measurements. */
  readonly quick: boolean;
}

/** Runs the measurements of one area. */
export type Area<Needs extends Effort = Effort> = (needs: Needs) => Promise<readonly Measurement[]>;
