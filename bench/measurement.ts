import { GOALS, type Goal, type MeasurementName } from "./goals";

/** One row of the results table, with one figure for each round, in the unit of the measurement's goal. */
export interface Measurement {
  readonly name: MeasurementName;
  readonly ours: readonly number[];
  /**
   * Figures of the floor (the baseline), measured in the same rounds as our figures. Without a floor, the goal limits
   * our figures directly.
   */
  readonly floor?: readonly number[];
}

/** Whether a measurement meets its goal, and the figures that decide this. */
export interface Verdict {
  /**
   * The best result of our provider in all rounds. If there is no floor to compare with, the worst result, because every
   * round must meet the goal.
   */
  readonly ours: number;
  readonly floor?: number;
  /**
   * Our best figure divided by the floor's best figure. The goal applies to this ratio. Without a floor, the ratio is
   * our figure itself.
   */
  readonly ratio: number;
  readonly medianRatio: number;
  /** Whether the floor varied so much between rounds that other processes must have disturbed the measurement. */
  readonly disturbed: boolean;
  /** Whether the goal is met. Absent if there is no goal or the measurement was disturbed. */
  readonly met?: boolean;
}

const STEADY = 1.15;

/**
 * Judges a measurement by its best figures, because other processes can only make a round slower. A measurement without
 * a floor is a count, which must meet its goal in each round.
 */
export function verdictOf({ name, ours, floor }: Measurement): Verdict {
  const goal: Goal = GOALS[name];
  const allowed = goal.plus ?? 0;
  const more = goal.unit === "requests/s";
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

export interface Effort {
  readonly rounds: number;
  /** Whether to run only the most important measurements. */
  readonly quick: boolean;
}

export type Area<Needs extends Effort = Effort> = (needs: Needs) => Promise<readonly Measurement[]>;
