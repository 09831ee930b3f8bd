import { GOALS, type Goal } from "./goals";
import { type Line, verdictOf } from "./line";

const HEAD = ["measured", "ours", "floor", "ratio", "median", "goal", "met"];

/** The table for people; the last line says how many goals are met. */
export function table(lines: readonly Line[]): string {
  const rows = [HEAD, ...lines.map(rowOf)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const judged = lines.map((line) => verdictOf(line).met).filter((met) => met !== undefined);
  return [
    ...rows.map((row) => row.map((cell, column) => aligned(cell, widths[column] ?? 0, column)).join("  ")),
    "",
    `${judged.filter(Boolean).length} of ${judged.length} goals met`,
  ].join("\n");
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
