// @module-tag no-database-is-lost

import { describe, expect, test } from "vitest";
import { Run } from "../../kit/run";
import { database } from "../../provider/resources/database/database";

const [FORMER, NOW] = ["urn:former", "urn:now"];

describe("a forced replacement of a resource with an alias", () => {
  const olds = { name: "orders", seed: { database: "template", timestamp: "now" } };

  function readBefore(...urns: string[]): Run {
    const run = new Run();
    run.readsFirst = true;
    for (const urn of urns) run.note({ step: "read", resource: database, urn, id: urn, inputs: olds, state: {} });
    return run;
  }

  const isRecognized = (run: Run, inputs: object): boolean => {
    run.recognize(database, NOW, { ...inputs });
    return run.resource(NOW) === run.resource(FORMER);
  };

  test("is recognized by the recorded inputs, in any order", () => {
    const { name, seed } = olds;
    const reordered = { seed: { timestamp: seed.timestamp, database: seed.database }, name };
    expect(isRecognized(readBefore(FORMER), reordered)).toBe(true);
    expect(isRecognized(readBefore(FORMER), { ...olds, name: "another" })).toBe(false);
    expect(isRecognized(readBefore(FORMER), { ...olds, seed: { ...seed, timestamp: undefined } })).toBe(false);
  });

  test("is not recognized if two resources have its recorded inputs, unless the program declares one of them", () => {
    expect(isRecognized(readBefore(FORMER, "another"), olds)).toBe(false);
    const run = readBefore(FORMER, "another");
    run.note({ step: "check", urn: "another", inputs: olds });
    expect(isRecognized(run, olds)).toBe(true);
  });

  test("is recognized by the inputs that were read last under its former URN", () => {
    const run = readBefore(FORMER);
    run.note({ step: "read", resource: database, urn: FORMER, id: "new", inputs: { name: "new" }, state: {} });
    expect(isRecognized(run, olds)).toBe(false);
    expect(isRecognized(run, { name: "new" })).toBe(true);
  });
});
