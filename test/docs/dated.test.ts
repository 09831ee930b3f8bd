import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../tools/run";
import { TOOLS } from "../clients/tools";

const PAGE = "docs/comparison.md";
const MONTHS = 6;

/**
 * Returns what is wrong with the date of a statement about others, or undefined.
 *
 * @param now The current time.
 * @param renew What to do when the statement is old.
 */
function problemWithDate(date: string | undefined, now: Date, renew: string): string | undefined {
  if (date === undefined) return "states no date (As of <year>-<month>-<day>)";
  const end = new Date(date);
  end.setUTCMonth(end.getUTCMonth() + MONTHS);
  if (now >= end) return `is more than ${MONTHS} months old (${date}): ${renew}`;
  return new Date(date) > now ? `states a date in the future (${date})` : undefined;
}

const dateOf = (text: string): string | undefined => /\bAs of (\d{4}-\d\d-\d\d)\b/.exec(text)?.[1];

test(`${PAGE} was checked in the last ${MONTHS} months`, () => {
  const date = dateOf(readFileSync(join(root, PAGE), "utf8"));
  expect(problemWithDate(date, new Date(), "check the claims of the page, then change the date")).toBeUndefined();
});

test.each(TOOLS)(`the recorded run of $name is at most ${MONTHS} months old`, ({ name, date }) => {
  const command = "npm run test:more -- test/clients/tools.test.ts";
  const renew = `set the newest versions of ${name} in test/clients/tools.ts, run \`${command}\`, correct the result and the date there, and copy the row to docs/reference-api-sql.md`;
  expect(problemWithDate(date, new Date(), renew)).toBeUndefined();
});

test.each([
  ["the day itself", "2026-11-27", undefined],
  ["the last day of six months", "2027-05-26", undefined],
  ["six months later", "2027-05-27", "more than 6 months old (2026-11-27): check it"],
  ["years later", "2029-01-01", "more than 6 months old (2026-11-27): check it"],
  ["the day before", "2026-11-26", "in the future"],
])("judges a date on %s", (_, now, problem) => {
  const found = problemWithDate(dateOf("A page. As of 2026-11-27, from sources."), new Date(now), "check it");
  if (problem === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(problem);
});

test("refuses a page without a date", () => {
  const date = dateOf("A page, compiled some day.");
  expect(problemWithDate(date, new Date("2026-11-27"), "check it")).toContain("states no date");
});
