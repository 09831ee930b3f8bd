import { GOALS, type Goal, type MeasurementName } from "./goals";

/** One row of the table: a figure for each round, in the unit of its goal. */
export interface Measurement {
  readonly name: MeasurementName;
  readonly ours: readonly number[];
  /** Measured in turn with ours, in the same rounds. Left out: the goal is for our figure itself. */
  readonly floor?: readonly number[];
}

/** The judgement of one measurement. */
export interface Verdict {
  /** The best of the rounds; where there is no floor, the worst. */
  readonly ours: number;
  readonly floor?: number;
  /** Best to best; where there is no floor, our figure itself. This one is judged. */
  readonly ratio: number;
  /** Of the ratios of the rounds. */
  readonly medianRatio: number;
  /** The floor varied so much between rounds that the machine was doing something else. */
  readonly disturbed: boolean;
  /** Absent where there is no goal, or where the measurement was disturbed. */
  readonly met?: boolean;
}

const STEADY = 1.15;

/**
 * Judges by the best figure of each side: what else happens on a machine makes a run slower and never faster, so the
 * best is the least disturbed one. What is held against no floor is a count, of which every round has to be right.
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

/** What a run of the benchmark may take. */
export interface Effort {
  readonly rounds: number;
  /** Takes only the most telling measurements. */
  readonly quick: boolean;
}

/** Measures one area of the table. */
export type Area<Needs extends Effort = Effort> = (needs: Needs) => Promise<readonly Measurement[]>;
