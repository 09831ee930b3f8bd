// @module-tag clear-messages

import { describe, expect, test } from "vitest";
import * as z from "zod";
import { argumentShapeProblems } from "../../kit/lifecycle/arguments";
import { functions } from "../../provider/functions/list";
import { resources } from "../../provider/resources/list";
import { settings } from "../../provider/settings";

const shapes: [name: string, schema: z.ZodType][] = [
  ...resources.map(({ type, args }): [string, z.ZodObject] => [type, args]),
  ...functions.map(({ name, args }): [string, z.ZodObject] => [name, args]),
  ["dbplatform", settings.schema as z.ZodObject] as [string, z.ZodObject],
].flatMap(([name, { shape }]) =>
  Object.entries<z.ZodType>(shape).map(([property, schema]): [string, z.ZodType] => [`${name}.${property}`, schema]),
);

const SECRET = "s3cret-value";
const WRONG = [
  SECRET,
  7,
  0.5,
  Number.NaN,
  true,
  null,
  [SECRET],
  [7],
  [[SECRET]],
  { key: SECRET },
  { key: 7 },
  { key: { SECRET } },
];

test.each(shapes)("rejects %s of the wrong type, shows what to write, and does not repeat the value", (_, schema) => {
  const reasons = WRONG.flatMap((value) =>
    argumentShapeProblems("property", schema, value).map(({ reason }) => reason),
  );
  expect(reasons.length).toBeGreaterThan(0);
  for (const reason of reasons) {
    expect(reason).toMatch(
      /^must be (a|an) [a-z ]+, not (a|an|null)[a-z ]*: write \S|^must be ("[a-z-]+"( or )?)+, not |^must be (a whole number|at least \d+|an RFC 3339 timestamp, such as "[^"]+")$|^has no property|^is required$|is not a UUID$/,
    );
    if (!reason.endsWith("is not a UUID")) expect(reason).not.toContain(SECRET);
  }
});

describe("a type error", () => {
  const reasonOf = (schema: z.ZodType, value: unknown) => argumentShapeProblems("x", schema, value)[0]?.reason;

  test.each([
    ["a boolean", z.boolean(), "true", "must be a boolean, not a string: write true or false"],
    ["a string", z.string(), 7, "must be a string, not a number: write it in quotation marks"],
    ["a list", z.array(z.string()), "a", 'must be a list, not a string: write it as ["…", "…"]'],
    ["a map", z.record(z.string(), z.string()), [], 'must be an object, not a list: write it as { key: "value" }'],
    [
      "an object",
      z.object({ database: z.string() }),
      "a",
      "must be an object, not a string: write it as { database: … }",
    ],
    ["one of several strings", z.enum(["a", "b"]), "c", 'must be "a" or "b", not another string'],
    ["a string instead of null", z.string(), null, "must be a string, not null: write it in quotation marks"],
    ["a missing string", z.string(), undefined, "is required"],
  ])("explains how to write %s", (_, schema, value, reason) => {
    expect(reasonOf(schema, value)).toBe(reason);
  });
});
