import { describe, expect, test } from "vitest";
import { Run } from "../../kit/run";
import { database } from "../../provider/resources/database/database";

test("finds an object by the name that it has now, not by an earlier one", () => {
  const run = new Run();
  const object = run.object("Note", "1");
  object.name = "first";
  object.name = "second";
  expect(run.names.idsOf("Note", "first")).toEqual([]);
  expect(run.names.idsOf("Note", "second")).toEqual(["1"]);
  object.name = undefined;
  expect(run.names.idsOf("Note", "second")).toEqual([]);
});

test("a resource that claims another value leaves its earlier value to others", () => {
  const run = new Run();
  expect(run.claim("a", "name", "Note name one")).toBeUndefined();
  expect(run.claim("b", "name", "Note name one")).toBe("a");
  expect(run.claim("a", "name", "Note name two")).toBeUndefined();
  expect(run.claim("b", "name", "Note name one")).toBeUndefined();
});

test("both URNs of a resource share what is known under either of them", () => {
  const run = new Run();
  run.resource("Note 1").created = true;
  run.resource('Note "orders"').inputs = {};
  run.claim('Note "orders"', "name", "Note name orders");
  run.alias("Note 1", 'Note "orders"');
  expect(run.resource("Note 1")).toBe(run.resource('Note "orders"'));
  expect(run.resource("Note 1")).toMatchObject({ inputs: {}, created: true });
  expect(run.claim("another", "name", "Note name orders")).toBe('Note "orders"');
});

describe("a resource that the program declares with an alias", () => {
  const olds = { name: "orders", seed: { database: "template", timestamp: "now" } };

  function readBefore(...urns: string[]): Run {
    const run = new Run();
    run.readsFirst = true;
    for (const urn of urns) run.recordRead(database, urn, { id: urn, inputs: olds, state: {} });
    return run;
  }

  const isRecognized = (run: Run, inputs: object): boolean => {
    run.recognize(database, "now", { ...inputs });
    return run.resource("now") === run.resource("former");
  };

  test("is recognized by the recorded inputs, in any order", () => {
    const { name, seed } = olds;
    const reordered = { seed: { timestamp: seed.timestamp, database: seed.database }, name };
    expect(isRecognized(readBefore("former"), reordered)).toBe(true);
    expect(isRecognized(readBefore("former"), { ...olds, name: "another" })).toBe(false);
    expect(isRecognized(readBefore("former"), { ...olds, seed: { ...seed, timestamp: undefined } })).toBe(false);
  });

  test("is not recognized if two resources have its recorded inputs, unless the program declares one of them", () => {
    expect(isRecognized(readBefore("former", "another"), olds)).toBe(false);
    const run = readBefore("former", "another");
    run.resource("another").inputs = olds;
    expect(isRecognized(run, olds)).toBe(true);
  });

  test("is recognized by the inputs that were read last under its former URN", () => {
    const run = readBefore("former");
    run.recordRead(database, "former", { id: "new", inputs: { name: "new" }, state: {} });
    expect(isRecognized(run, olds)).toBe(false);
    expect(isRecognized(run, { name: "new" })).toBe(true);
  });
});
