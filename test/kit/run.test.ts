import { expect, test } from "vitest";
import { Run } from "../../kit/run";

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
  Object.assign(run.resource('Note "orders"'), { inputs: {}, isNameProposed: true, isNameOmitted: true });
  run.claim('Note "orders"', "name", "Note name orders");
  run.alias("Note 1", 'Note "orders"');
  expect(run.resource("Note 1")).toBe(run.resource('Note "orders"'));
  expect(run.resource("Note 1")).toMatchObject({
    inputs: {},
    isNameProposed: true,
    isNameOmitted: true,
    created: true,
  });
  expect(run.claim("another", "name", "Note name orders")).toBe('Note "orders"');
  expect(run.claim("Note 1", "name", "Note name orders")).toBeUndefined();
});

test("an object belongs to the URN in the program, and to none until it is read", () => {
  const run = new Run();
  const note = run.object("Note", "1");
  run.alias("former", "now");
  expect(note.urn).toBeUndefined();
  expect(run.leavesStack("Note", "1")).toBe(false);
  note.urn = "former";
  expect(note.urn).toBe("now");
  expect(run.leavesStack("Note", "1")).toBe(true);
  run.resource("now").inputs = {};
  expect(run.leavesStack("Note", "1")).toBe(false);
});
