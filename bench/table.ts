import { GOALS, type Goal } from "./goals";
import { type Line, verdictOf } from "./line";

const HEAD = ["measured", "ours", "floor", "ratio", "median", "goal", "met"];

/** The table for people. Its last lines name the goals that are missed, and count those that are met. */
export function table(lines: readonly Line[]): { readonly text: string; readonly missed: boolean } {
  const order = Object.keys(GOALS);
  const sorted = lines.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  const rows = [HEAD, ...sorted.map(rowOf)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const judged = sorted.filter((line) => verdictOf(line).met !== undefined);
  const missed = judged.filter((line) => !verdictOf(line).met);
  const text = [
    ...rows.map((row) => row.map((cell, column) => aligned(cell, widths[column] ?? 0, column)).join("  ")),
    "",
    ...missed.map(({ name }) => `missed: ${name}`),
    `${judged.length - missed.length} of ${judged.length} goals met`,
  ].join("\n");
  return { text, missed: missed.length > 0 };
}

function rowOf(line: Line): string[] {
  const goal: Goal = GOALS[line.name];
  const { ours, floor, ratio, medianRatio, met } = verdictOf(line);
  return [
    line.name,
    `${figure(ours)} ${goal.unit}`,
    floor === undefined ? "" : `${figure(floor)} ${goal.unit}`,
    floor === undefined ? "" : ratio.toFixed(2),
    floor === undefined ? "" : medianRatio.toFixed(2),
    goalText(goal, line),
    met === undefined ? "" : met ? "yes" : "NO",
  ];
}

const aligned = (cell: string, width: number, column: number): string =>
  column === 0 ? cell.padEnd(width) : cell.padStart(width);

const figure = (value: number): string =>
  value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 });

function goalText({ unit, atMost, atLeast, plus }: Goal, { floor }: Line): string {
  const bound = atMost ?? atLeast;
  if (bound === undefined) return "";
  const sign = atMost === undefined ? "≥" : "≤";
  if (!floor) return `${sign} ${figure(bound)} ${unit}`;
  return `${sign} ${figure(bound)} ×${plus === undefined ? "" : ` + ${figure(plus)} ${unit}`}`;
}
