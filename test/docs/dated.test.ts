import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../tools/run";

const PAGE = "docs/comparison.md";
const MONTHS = 6;

/**
 * Returns what is wrong with the date of a page about others, or undefined.
 *
 * @param now The current time.
 */
function problemWithDate(text: string, now: Date): string | undefined {
  const [, date] = /\bAs of (\d{4}-\d\d-\d\d)\b/.exec(text) ?? [];
  if (date === undefined) return "states no date (As of <year>-<month>-<day>)";
  const end = new Date(date);
  end.setUTCMonth(end.getUTCMonth() + MONTHS);
  if (now >= end) return `was checked more than ${MONTHS} months ago (${date}): check its claims, then change the date`;
  return new Date(date) > now ? `states a date in the future (${date})` : undefined;
}

test(`${PAGE} was checked in the last ${MONTHS} months`, () => {
  expect(problemWithDate(readFileSync(join(root, PAGE), "utf8"), new Date())).toBeUndefined();
});

test.each([
  ["the day itself", "2026-11-27", undefined],
  ["the last day of six months", "2027-05-26", undefined],
  ["six months later", "2027-05-27", "more than 6 months ago (2026-11-27)"],
  ["years later", "2029-01-01", "more than 6 months ago (2026-11-27)"],
  ["the day before", "2026-11-26", "in the future"],
])("judges the date of a page on %s", (_, now, problem) => {
  const found = problemWithDate("A page. As of 2026-11-27, from sources.", new Date(now));
  if (problem === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(problem);
});

test("refuses a page without a date", () => {
  expect(problemWithDate("A page, compiled some day.", new Date("2026-11-27"))).toContain("states no date");
});
