// @module-tag no-false-differences

import { expect, test } from "vitest";
import { ignoredInRequest, keepIgnoredParts } from "../../kit/plugin/ignored";
import { databaseConfiguration } from "../../provider/resources/database/database-configuration";

test("tells whole properties in `ignoreChanges` from parts of properties", () => {
  expect(ignoredInRequest(["name", '["size limit"]', "*", "allowedIps[0]", 'keepers["a.b"].c', "keepers[*]"])).toEqual({
    properties: new Set(["name", "size limit", "*"]),
    parts: [
      ["allowedIps", "0"],
      ["keepers", "a.b", "c"],
      ["keepers", "*"],
    ],
  });
});

const BEFORE = ["10.0.0.0/8", "192.0.2.1"];
const OUTSIDE = ["10.0.0.0/8", "203.0.113.7"];

const allowed = (before: unknown, observed: unknown, news: unknown, path: string): unknown =>
  keepIgnoredParts(
    databaseConfiguration,
    {
      oldInputs: { database: "orders", allowedIps: before },
      state: { database: "orders", allowedIps: observed },
      news: { database: "orders", allowedIps: news, blockReads: true },
    },
    ignoredInRequest([path]).parts,
  );

const CASES: readonly [string, unknown, unknown, unknown, string, unknown][] = [
  ["a list that nobody changed", BEFORE, BEFORE, BEFORE, "allowedIps[0]", BEFORE],
  ["a list changed outside", BEFORE, OUTSIDE, BEFORE, "allowedIps[1]", OUTSIDE],
  ["a list changed outside", BEFORE, OUTSIDE, BEFORE, "allowedIps[*]", OUTSIDE],
  ["a list changed outside", BEFORE, OUTSIDE, BEFORE, "*[0]", OUTSIDE],
  ["a list emptied outside", BEFORE, [], BEFORE, "allowedIps[0]", []],
  ["an element added outside", BEFORE, [...BEFORE, "::1"], BEFORE, "allowedIps[0]", [...BEFORE, "::1"]],
  ["another path", BEFORE, OUTSIDE, BEFORE, "allowedAwsVpcIds[0]", BEFORE],
  ["an addition in the program", BEFORE, OUTSIDE, [...BEFORE, "::1"], "allowedIps[1]", [...OUTSIDE, "::1"]],
  ["a removal in the program", BEFORE, OUTSIDE, ["192.0.2.1"], "allowedIps[1]", ["203.0.113.7"]],
  ["another spelling of what is removed", ["10.0.0.0/8"], ["10.1.2.3/8", "::1"], [], "allowedIps[0]", ["::1"]],
  ["a list that is new in the program", undefined, OUTSIDE, BEFORE, "allowedIps[0]", BEFORE],
];

test.each(CASES)("with a path into a list, knows what to write for %s", (_, before, observed, news, path, expected) => {
  expect(allowed(before, observed, news, path)).toEqual({
    database: "orders",
    allowedIps: expected,
    blockReads: true,
  });
});
