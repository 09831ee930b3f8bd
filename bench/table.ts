import { GOALS, type Goal } from "./goals";
import { type Measurement, verdictOf } from "./measurement";

const HEAD = ["measured", "ours", "floor", "ratio", "median", "goal", "met"];

/**
 * Formats the measurements as a table. The lines below the table list the missed goals and count the goals that were
 * met.
 */
export function table(measurements: readonly Measurement[]): { readonly text: string; readonly missed: boolean } {
  const order = Object.keys(GOALS);
  const sorted = measurements.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  const rows = [HEAD, ...sorted.map(rowOf)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const judged = sorted.filter((each) => verdictOf(each).met !== undefined);
  const missed = judged.filter((each) => !verdictOf(each).met);
  const text = [
    ...rows.map((row) => row.map((cell, column) => aligned(cell, widths[column] ?? 0, column)).join("  ")),
    "",
    ...missed.map(({ name }) => `missed: ${name}`),
    `${judged.length - missed.length} of ${judged.length} goals met`,
  ].join("\n");
  return { text, missed: missed.length > 0 };
}

function rowOf(measurement: Measurement): string[] {
  const goal: Goal = GOALS[measurement.name];
  const { ours, floor, ratio, medianRatio, disturbed, met } = verdictOf(measurement);
  return [
    measurement.name,
    `${figure(ours)} ${goal.unit}`,
    floor === undefined ? "" : `${figure(floor)} ${goal.unit}`,
    floor === undefined ? "" : ratio.toFixed(2),
    floor === undefined ? "" : medianRatio.toFixed(2),
    goalText(goal, measurement),
    disturbed ? "disturbed" : met === undefined ? "" : met ? "yes" : "NO",
  ];
}

const aligned = (cell: string, width: number, column: number): string =>
  column === 0 ? cell.padEnd(width) : cell.padStart(width);

const figure = (value: number): string =>
  value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 });

function goalText({ unit, atMost, plus }: Goal, { floor }: Measurement): string {
  if (atMost === undefined) return "";
  if (!floor) return `≤ ${figure(atMost)} ${unit}`;
  return `≤ ${figure(atMost)} ×${plus === undefined ? "" : ` + ${figure(plus)} ${unit}`}`;
}
