import { GOALS, type Goal, type MeasurementName } from "./goals";

/** One row of the results table. It has one figure for each round, in the unit given in `GOALS`. */
export interface Measurement {
  readonly name: MeasurementName;
  readonly ours: readonly number[];
  /**
   * The baseline's figures, measured in the same rounds as ours. Absent if our figures are compared directly with the
   * goal.
   */
  readonly floor?: readonly number[];
}

/** Whether a measurement meets its goal, and the figures that decide this. */
export interface Verdict {
  /** Our best figure, or our worst figure if the measurement has no baseline. */
  readonly ours: number;
  readonly floor?: number;
  /**
   * `ours` minus the goal's `plus`, divided by the baseline's best figure. Equals `ours` if the measurement has no
   * baseline. The goal applies to this value.
   */
  readonly ratio: number;
  readonly medianRatio: number;
  /** Whether the baseline varied so much between rounds that other processes probably disturbed the measurement. */
  readonly disturbed: boolean;
  /** Whether the goal is met. Absent if there is no goal or the measurement was disturbed. */
  readonly met?: boolean;
}

const STEADY = 1.15;

/**
 * Judges a measurement by its best figures, because other processes can only make a round slower. Counts of requests
 * or bytes have no baseline and must meet their goal in every round.
 */
export function verdictOf({ name, ours, floor }: Measurement): Verdict {
  const goal: Goal = GOALS[name];
  const allowed = goal.plus ?? 0;
  const shown = floor ? Math.min(...ours) : Math.max(...ours);
  const ratio = floor ? (shown - allowed) / Math.min(...floor) : shown;
  const disturbed = floor !== undefined && Math.max(...floor) > STEADY * Math.min(...floor);
  const ratios = ours.map((figure, round) => (floor ? (figure - allowed) / (floor[round] ?? Number.NaN) : figure));
  return {
    ours: shown,
    ...(floor && { floor: Math.min(...floor) }),
    ratio,
    medianRatio: median(ratios),
    disturbed,
    ...(!disturbed && goal.atMost !== undefined && { met: ratio <= goal.atMost }),
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

/** How many times an area is measured again because other processes disturbed it. */
const MOST_REPEATS = 3;

/** Measures an area, and measures it again for its disturbed measurements. The other measurements are kept. */
export async function measuredUndisturbed<Needs extends Effort>(
  area: Area<Needs>,
  needs: Needs,
): Promise<readonly Measurement[]> {
  let measurements = await area(needs);
  for (let repeat = 1; repeat <= MOST_REPEATS && measurements.some(isDisturbed); repeat++) {
    const disturbed = measurements.filter(isDisturbed).map(({ name }) => name);
    console.error(`measured again, because other processes disturbed them:\n  ${disturbed.join("\n  ")}`);
    const again = new Map((await area(needs)).map((each) => [each.name, each]));
    measurements = measurements.map((each) => (isDisturbed(each) ? (again.get(each.name) ?? each) : each));
  }
  return measurements;
}

/** Returns whether a measurement that has a goal cannot be judged, because other processes disturbed it. */
function isDisturbed(measurement: Measurement): boolean {
  const goal: Goal = GOALS[measurement.name];
  return goal.atMost !== undefined && verdictOf(measurement).disturbed;
}
