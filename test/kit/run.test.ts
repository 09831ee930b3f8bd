import { describe, expect, test } from "vitest";
import { settingsLeft } from "../../kit/lifecycle/lasting-settings";
import { retainedUnderName } from "../../kit/lifecycle/messages";
import { FILLED_IN, IMPORTED, UNKNOWN } from "../../kit/lifecycle/properties";
import { inUseInsideReplaced, Run } from "../../kit/run";
import { seen } from "../../kit/run-events";
import { database } from "../../provider/resources/database/database";
import { databaseConfiguration } from "../../provider/resources/database/database-configuration";
import { type Entry, ORDERS, openStack, organizationSlug, type Stack, TENANTS } from "./stack";

test("finds an object by the name that it has now, not by an earlier one", () => {
  const run = new Run();
  const named = (name: string) => run.note({ step: "plan return", urn: "a", type: "Database", id: "1", name });
  named("first");
  named("second");
  expect(run.names.idsOf("Database", "first")).toEqual([]);
  expect(run.names.idsOf("Database", "second")).toEqual(["1"]);
  run.note({ step: "restore refused", resource: database, urn: "a", id: "1" });
  expect(run.names.idsOf("Database", "second")).toEqual([]);
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
  run.note({ step: "taken over", resource: database, urn: "Note 1", id: "1", isTakenBack: false });
  run.note({ step: "check", urn: 'Note "orders"', inputs: {}, isNameProposed: true, isNameOmitted: true });
  run.claim('Note "orders"', "name", "Note name orders");
  run.alias("Note 1", 'Note "orders"');
  expect(run.resource("Note 1")).toBe(run.resource('Note "orders"'));
  expect(run.resource("Note 1")).toMatchObject({
    inputs: {},
    isNameProposed: true,
    isNameOmitted: true,
    hasOtherObject: true,
  });
  expect(run.claim("another", "name", "Note name orders")).toBe('Note "orders"');
  expect(run.claim("Note 1", "name", "Note name orders")).toBeUndefined();
});

test("an object belongs to the URN in the program, and to none until it is read", () => {
  const run = new Run();
  const object = run.object("Database", "1");
  run.alias("former", "now");
  expect(object.readUnder).toBeUndefined();
  expect(run.leavesStack("Database", "1")).toBe(false);
  run.note({ step: "read", resource: database, urn: "former", id: "1", inputs: {}, state: {} });
  expect(object.readUnder).toBe("now");
  expect(run.leavesStack("Database", "1")).toBe(true);
  run.note({ step: "check", urn: "now", inputs: {} });
  expect(run.leavesStack("Database", "1")).toBe(false);
});

test("holds the state and the inputs that the engine sends back only once, unless they differ", () => {
  const run = new Run();
  const read = { id: "1", inputs: { name: "orders" }, state: { name: "orders", regions: ["a"] } };
  run.note({ step: "read", resource: database, urn: "orders", ...read });
  const sides = { id: "1", oldInputs: { name: "orders" }, state: { regions: ["a"], name: "orders" }, news: {} };
  const shared = run.sharing(database, sides);
  expect(shared).toEqual(sides);
  expect(shared.state).toBe(read.state);
  expect(shared.oldInputs).toBe(read.inputs);
  const drifted = { ...sides, state: { name: "orders", regions: ["b"] } };
  expect(run.sharing(database, drifted)).toEqual(drifted);
});

const MOVED = { ...ORDERS, group: "other" };
const RENAMED = { ...ORDERS, name: "sales" };

const NOWHERE = "00000000-0000-4000-8000-000000000000";

const imported = (entry: Entry): Entry => ({ ...entry, state: { ...entry.state, [IMPORTED]: true } });

/** Deletes the database, as an interrupted replacement does: the engine then reads every object but this one. */
async function interrupted(stack: Stack): Promise<void> {
  await stack.deleteOutside(stack.orders);
  stack.run.readsFirst = true;
}

/** Creates the new database of a replacement that could not delete the old one. */
const replacement = (stack: Stack, urn = "orders") => stack.earlier(urn, database, { ...MOVED, name: "sales" });

/** Compares the new database of a replacement with a program that takes the replacement back. */
async function takeReplacementBack(stack: Stack): Promise<void> {
  const sales = await replacement(stack);
  await stack.read(stack.orders);
  await stack.readAndRegister(sales, ORDERS);
}

/** The inputs of a copy of the database. */
const copyOf = ({ orders }: Stack) => ({ name: "copy", group: "default", seed: { database: orders.id } });

/** The inputs of another configuration of the database. */
const others = ({ orders }: Stack) => ({ database: orders.id, blockReads: true });

/**
 * What a run can be asked about the database "orders", its resource, its group and its configuration. Only the questions
 * know how a run remembers, so the table holds whatever it remembers them by.
 */
const QUESTIONS = {
  "is kept": ({ run, orders: { id } }: Stack) => run.object("Database", id).isInUse,
  "is created": ({ run, orders: { urn } }: Stack) => run.resource(urn).hasOtherObject,
  "is deleted": ({ run, orders: { id } }: Stack) => run.object("Database", id).deleted,
  "holds its group": ({ run, tenants: { id } }: Stack) => run.object("Group", id).inUseInside !== undefined,
  "holds its group, which is replaced": ({ run, tenants: { id } }: Stack) =>
    inUseInsideReplaced(run.object("Group", id), run) !== undefined,
  "is replaced": ({ run, orders: { id } }: Stack) => run.replaces("Database", id),
  "is deleted first": ({ run, orders: { id } }: Stack) => run.object("Database", id).isDeletedFirst,
  "is replaced with its configuration": ({ run, orders: { id } }: Stack) => run.replaces("DatabaseConfiguration", id),
  "is restored": ({ run, orders: { id } }: Stack) => run.restores("Database", id),
  "next name": ({ run, orders: { id } }: Stack) => run.names.of("Database", id),
  "next name of its group": ({ run, tenants: { id } }: Stack) => run.names.of("Group", id),
  "planned under its name": ({ run }: Stack) => run.plannedBy("Database", "orders"),
  manager: ({ run, orders: { id } }: Stack) => run.urnOf("Database", id),
  "URN in the program": ({ run, orders: { id } }: Stack) => run.object("Database", id).readUnder,
  "leaves the stack": ({ run, orders: { id } }: Stack) => run.leavesStack("Database", id),
  "is imported as": ({ run, orders: { id } }: Stack) => run.object("Database", id).importedAs?.name,
  "is what Delete must find": ({ run, orders: { id, urn } }: Stack) =>
    run.resource(run.object("Database", id).readUnder ?? urn).importedId === id,
  "is not read": ({ run, orders: { id } }: Stack) => run.mayBeDeletedAlready(database, id),
  "is to be deleted by the engine": ({ run, orders: { id, urn } }: Stack) => {
    const { inputs, objects, compared } = run.resource(urn);
    return inputs !== undefined && (compared?.id ?? id) !== id && objects.get(id) !== undefined;
  },
  "is retained": ({ refused }: Stack) =>
    refused?.includes(String(retainedUnderName({ kind: "database", name: "orders" }).answer)) === true,
  "lacks a permission": ({ run, orders: { urn } }: Stack) => run.resource(urn).lackOfCredential !== undefined,
  "claimed by": ({ run }: Stack) => run.claim("another", "name", "Database name orders"),
  "settings left": ({ orders: { id }, at }: Stack) =>
    // Asked as a resource that has set nothing.
    settingsLeft(databaseConfiguration, { id, inputs: {}, state: {} }, at("another"))?.map(
      ({ from, to, settings }) => `${Object.keys(settings)} from ${from.urn} to ${to.urn}`,
    ),
  "is refused": ({ refused }: Stack) => refused !== undefined,
} as const;

type Answers = { readonly [question in keyof typeof QUESTIONS]?: unknown };
type Row = readonly [happened: string, happen: (stack: Stack) => Promise<unknown>, answers: Answers];

const TABLE: Readonly<Record<string, readonly Row[]>> = {
  keeping: [
    [
      "nothing",
      async () => {},
      {
        ...{ "is kept": false, "is replaced": false, "is deleted first": false, "is restored": false },
        ...{ "is deleted": false, "is created": false, "holds its group": false },
        ...{ manager: undefined, "next name": undefined, "claimed by": undefined, "settings left": undefined },
        ...{ "is not read": false, "is to be deleted by the engine": false, "URN in the program": undefined },
      },
    ],
    [
      "Read",
      (stack) => stack.read(stack.orders),
      {
        ...{ "is kept": false, "holds its group": false, "holds its group, which is replaced": true },
        ...{ manager: "orders", "URN in the program": "orders", "leaves the stack": true },
      },
    ],
    [
      "Read, and Diff before the program runs",
      async (stack) => stack.diff(await stack.read(stack.orders)),
      { "is kept": false, "holds its group": false, manager: "orders", "leaves the stack": true },
    ],
    [
      "Read fails",
      async (stack) => {
        stack.here.api.fault({ operation: "listDatabases", status: 403, times: 9 });
        stack.here.api.fault({ operation: "retrieveDatabase", status: 403, times: 9 });
        await stack.read(stack.orders);
      },
      { "is refused": true, "URN in the program": "orders", "is not read": false, manager: undefined },
    ],
    [
      "Diff finds no difference from the program",
      (stack) => stack.readAndRegister(stack.orders),
      { "is kept": true, "holds its group": true, "leaves the stack": false, "next name": undefined },
    ],
    [
      "Update",
      async (stack) => stack.update(stack.orders),
      { "is kept": true, "holds its group": true, "next name": undefined },
    ],
    [
      "Update of a database of another organization",
      async (stack) => {
        const { orders } = stack;
        await stack.update({ ...orders, state: { ...orders.state, organizationId: NOWHERE } });
      },
      { "is refused": true, "is kept": false, "holds its group": false },
    ],
    [
      "the preview of an update",
      (stack) => stack.planUpdate(stack.orders),
      { "is kept": false, "holds its group": false, "next name": undefined },
    ],
    [
      "an update that leaves the database deleted, because of `ignoreChanges`",
      async (stack) => {
        await stack.deleteOutside(stack.orders);
        const found = await stack.read(stack.orders);
        await stack.update(found, ORDERS, new Set(["deletedAt"]));
      },
      { "is kept": true, "is restored": false, manager: undefined, "is what Delete must find": false },
    ],
    [
      "Create",
      async (stack) => {
        await stack.deleteOutside(stack.orders);
        const created = await stack.create("orders", database, ORDERS);
        stack.orders = { ...stack.orders, ...created };
      },
      {
        ...{ "is kept": true, "is created": true, "holds its group": true, "next name": "orders" },
        ...{ manager: undefined, "planned under its name": undefined },
      },
    ],
    [
      "the preview of a creation",
      async (stack) => {
        await stack.deleteOutside(stack.orders);
        await stack.planCreate("orders", database, ORDERS);
      },
      { "is kept": false, "is created": false, "holds its group": false, "planned under its name": "orders" },
    ],
    [
      "Delete",
      async (stack) => {
        await stack.read(stack.orders);
        await stack.delete(stack.orders);
      },
      { "is deleted": true, "holds its group": false, "holds its group, which is replaced": false },
    ],
    [
      "Delete of a database that is kept",
      async (stack) => stack.delete(await stack.readAndRegister(stack.orders)),
      { "is deleted": false, "is kept": true, "is refused": false },
    ],
    [
      "Delete of a database that another resource imports in the meantime",
      async (stack) => {
        const found = await stack.read(stack.orders);
        const deletion = stack.delete(found);
        stack.run.note({ step: "kept", ...seen(found, "another") });
        await deletion;
      },
      { "is deleted": false, "is kept": true, "is refused": false },
    ],
  ],
  replacements: [
    [
      "Diff plans a replacement under another name",
      (stack) => stack.readAndRegister(stack.orders, RENAMED),
      { "is replaced": true, "is deleted first": false, "is kept": false, "next name": undefined, manager: "orders" },
    ],
    [
      "Diff plans a replacement under the same name",
      (stack) => stack.readAndRegister(stack.orders, MOVED),
      { "is replaced": true, "is deleted first": true, "is kept": false, "next name": undefined },
    ],
    [
      "Diff plans a replacement before the program declares the database",
      // The engine asks so when the program replaces the group, to whose outputs the database refers.
      async (stack) => stack.diff(await stack.read(stack.orders), { ...ORDERS, group: UNKNOWN }),
      { "is replaced": false, "is deleted first": false, "is refused": false },
    ],
    [
      "Diff plans a replacement before the program declares the database, and after",
      async (stack) => {
        const found = await stack.read(stack.orders);
        await stack.diff(found, { ...ORDERS, group: UNKNOWN });
        await stack.register(found, MOVED);
      },
      { "is replaced": true, "is deleted first": true },
    ],
    [
      "Diff refuses a replacement under another name",
      async (stack) => {
        await stack.protect(stack.orders);
        await stack.readAndRegister(stack.orders, RENAMED);
      },
      { "is refused": true, "is replaced": false, "is deleted first": false, "is kept": false },
    ],
    [
      "Diff refuses a replacement under the same name",
      async (stack) => {
        await stack.protect(stack.orders);
        await stack.readAndRegister(stack.orders, MOVED);
      },
      { "is refused": true, "is replaced": false, "is deleted first": false, "is kept": false },
    ],
    [
      "Diff plans a replacement under the same name, and Diff of the configuration",
      async (stack) => {
        await stack.readAndRegister(stack.orders, MOVED);
        await stack.readAndRegister(stack.limits);
      },
      { "is deleted first": true, "is replaced with its configuration": true },
    ],
    [
      "Diff refuses a replacement under the same name, and Diff of the configuration",
      async (stack) => {
        await stack.protect(stack.orders);
        await stack.readAndRegister(stack.orders, MOVED);
        await stack.readAndRegister(stack.limits);
      },
      { "is deleted first": false, "is replaced with its configuration": false },
    ],
    [
      "Create of the new database elsewhere",
      async (stack) => {
        await stack.readAndRegister(stack.orders, { ...MOVED, name: "sales" });
        await stack.create("orders", database, { ...MOVED, name: "sales" });
      },
      { "is created": true, "is kept": false, "holds its group": false, "holds its group, which is replaced": false },
    ],
    [
      "Create of the new database elsewhere, and Delete of the group that is replaced",
      async (stack) => {
        const elsewhere = { ...TENANTS, location: "aws-eu-west-1" };
        const tenants = await stack.read(stack.tenants);
        const orders = await stack.read(stack.orders);
        await stack.register(orders, { ...MOVED, name: "sales" });
        await stack.create("orders", database, { ...MOVED, name: "sales" });
        await stack.register(tenants, elsewhere);
        await stack.delete(tenants);
      },
      { "is refused": false },
    ],
    [
      "Delete of a group that is replaced, and still has the database",
      async (stack) => {
        const tenants = await stack.read(stack.tenants);
        await stack.read(stack.orders);
        await stack.register(tenants, { ...TENANTS, location: "aws-eu-west-1" });
        await stack.delete(tenants);
      },
      { "is refused": true, "holds its group": false, "holds its group, which is replaced": true },
    ],
  ],
  restorations: [
    [
      "Update restores the database",
      async (stack) => {
        await stack.deleteOutside(stack.orders);
        await stack.update(await stack.readAndRegister(stack.orders));
      },
      {
        ...{ "is restored": true, "is kept": true, "holds its group": true, "next name": "orders" },
        ...{ "is what Delete must find": false, "is imported as": undefined, manager: undefined },
      },
    ],
    [
      "Diff finds the database deleted",
      async (stack) => {
        await stack.deleteOutside(stack.orders);
        await stack.readAndRegister(stack.orders);
      },
      { "is restored": false, "is kept": false, manager: undefined, "URN in the program": "orders" },
    ],
    [
      "the preview of a restoration",
      async (stack) => {
        await stack.deleteOutside(stack.orders);
        await stack.planUpdate(await stack.readAndRegister(stack.orders));
      },
      { "is restored": true, "is kept": false, "next name": "orders", "is what Delete must find": false },
    ],
    [
      "the preview of a restoration together with the group",
      async (stack) => {
        await stack.outside.deleteGroup({ organizationSlug, groupName: "tenants" });
        await stack.planUpdate(await stack.readAndRegister(stack.orders));
      },
      { "is restored": true, "next name": "orders", "next name of its group": "tenants", "is refused": false },
    ],
    [
      "the preview of a copy of the database, whose restoration is previewed at the same time",
      async (stack) => {
        await stack.deleteOutside(stack.orders);
        const found = await stack.read(stack.orders);
        await Promise.all([stack.planCreate("copy", database, copyOf(stack)), stack.planUpdate(found)]);
      },
      { "is refused": false },
    ],
    [
      "Create of a copy of the database, whose group is restored at the same time",
      async (stack) => {
        await stack.outside.deleteGroup({ organizationSlug, groupName: "tenants" });
        const found = await stack.read(stack.tenants);
        stack.here.api.fault({ operation: "restoreGroup", status: 429, retryAfter: 0, times: 3 });
        await Promise.all([stack.create("copy", database, copyOf(stack)), stack.update(found)]);
      },
      { "is refused": false },
    ],
    [
      "the platform refuses to restore the database",
      async (stack) => {
        await stack.deleteOutside(stack.orders);
        await stack.earlier("another", database, ORDERS);
        await stack.update(await stack.readAndRegister(stack.orders));
      },
      { "is refused": true, "is restored": false, "next name": undefined, "is kept": true },
    ],
    [
      "the program contradicts the deleted database",
      async (stack) => {
        await stack.deleteOutside(stack.orders);
        await stack.update(await stack.read(stack.orders), MOVED);
      },
      { "is refused": true, "is restored": false, "next name": undefined, "is what Delete must find": false },
    ],
    [
      "the response of the restoration is lost",
      async (stack) => {
        await stack.deleteOutside(stack.orders);
        stack.here.api.fault({ operation: "restoreDatabase", reset: "before", times: 9 });
        await stack.update(await stack.readAndRegister(stack.orders));
      },
      { "is refused": true, "is restored": true, "next name": "orders", "is what Delete must find": false },
    ],
  ],
  imports: [
    [
      "the import of a live database",
      (stack) => stack.import(stack.orders),
      {
        ...{ "is kept": true, "holds its group": true, "is imported as": "orders", "is what Delete must find": true },
        ...{ manager: undefined, "URN in the program": "orders" },
      },
    ],
    [
      "the import of a live database, which the program then declares",
      async (stack) => stack.register(await stack.import(stack.orders)),
      { "is kept": true, "is imported as": "orders", "is what Delete must find": true, manager: "orders" },
    ],
    [
      "the import of a deleted database",
      async (stack) => {
        await stack.deleteOutside(stack.orders);
        await stack.import(stack.orders);
      },
      { "is kept": false, "is restored": false, "is imported as": "orders", "is what Delete must find": true },
    ],
    [
      "the import of a database over another one that is live",
      async (stack) => {
        await stack.read(await stack.earlier("orders", database, RENAMED));
        await stack.import(stack.orders);
      },
      { "is refused": true, "is kept": false, "is imported as": undefined, "URN in the program": undefined },
    ],
    [
      "the import of a database that another resource has imported",
      async (stack) => {
        await stack.import({ ...stack.orders, urn: "another" });
        await stack.import(stack.orders);
      },
      { "is refused": true, "URN in the program": "another", "is imported as": "orders" },
    ],
    [
      "Read of a database that an earlier update has imported",
      (stack) => stack.read(imported(stack.orders)),
      { "is what Delete must find": true, "is imported as": undefined, manager: "orders" },
    ],
    [
      "Diff of a database that an earlier update has imported",
      (stack) => stack.diff(imported(stack.orders)),
      { "is what Delete must find": true, "is imported as": "orders", "is kept": false },
    ],
    [
      "Delete of a database that an earlier update has imported",
      (stack) => stack.delete(imported(stack.orders)),
      { "is what Delete must find": true, "is deleted": true },
    ],
    [
      "Delete of a database in whose place another one was imported",
      async (stack) => {
        const sales = await stack.earlier("another", database, RENAMED);
        await stack.register(await stack.import({ ...sales, urn: "orders" }));
        await stack.delete(stack.orders);
      },
      { "is what Delete must find": false, "is deleted": false, "is refused": false },
    ],
    [
      "Delete of a database in whose place another one was restored, without a comparison",
      async (stack) => {
        const sales = await stack.earlier("another", database, RENAMED);
        await stack.deleteOutside(sales);
        stack.declare(stack.orders, RENAMED);
        // The dynamic providers import while they create. With `--target-replace`, the engine calls no Diff.
        await stack.createByImport("orders", sales);
        await stack.delete(stack.orders);
      },
      { "is what Delete must find": false, "is deleted": false, "is refused": false },
    ],
    [
      "an import of a dynamic provider that fails, and Delete of the database under another resource",
      async (stack) => {
        await stack.deleteOutside(stack.orders);
        stack.here.api.fault({ operation: "restoreDatabase", status: 409, times: 9 });
        await stack.createByImport("another", stack.orders);
        await stack.delete(stack.orders);
      },
      { "is refused": true, "is deleted": false },
    ],
    [
      "Diff of the database that replaced an imported one, and Delete of the imported one",
      async (stack) => {
        const sales = await stack.earlier("orders", database, { ...MOVED, name: "sales" });
        await stack.read(imported(stack.orders));
        await stack.readAndRegister(sales);
        await stack.delete(imported(stack.orders));
      },
      { "is what Delete must find": false, "is deleted": true },
    ],
  ],
  "objects that replacements left": [
    [
      "Diff of a database that the engine has not read, although it reads every object first",
      async (stack) => {
        stack.run.readsFirst = true;
        await stack.diff(stack.orders);
      },
      { "is not read": true, manager: "orders", "URN in the program": undefined, "is kept": false },
    ],
    [
      "Diff of a database that the engine has not read, because it reads nothing first",
      (stack) => stack.register(stack.orders),
      { "is not read": false, "is kept": true, "URN in the program": undefined },
    ],
    [
      "Read of a database, where the engine reads every object first",
      async (stack) => {
        stack.run.readsFirst = true;
        await stack.readAndRegister(stack.orders);
      },
      { "is not read": false, "is kept": true },
    ],
    [
      "Diff continues a replacement that has deleted the database",
      async (stack) => {
        await interrupted(stack);
        await stack.register(stack.orders, MOVED);
      },
      {
        "is not read": true,
        "is replaced": true,
        "is deleted first": false,
        "is retained": false,
        "is refused": false,
      },
    ],
    [
      "Diff finds that the program no longer requires a replacement that has deleted the database",
      async (stack) => {
        await interrupted(stack);
        await stack.register(stack.orders);
      },
      { "is not read": true, "is replaced": false, "is kept": false, "is refused": false },
    ],
    [
      "Create restores the database of a replacement that the program no longer requires",
      async (stack) => {
        await interrupted(stack);
        await stack.register(stack.orders);
        await stack.create("orders", database, ORDERS);
        await stack.delete(stack.orders);
      },
      {
        ...{ "is not read": true, "is created": true, "is kept": true, "is restored": true, "next name": "orders" },
        ...{ "is deleted": false, "is what Delete must find": false },
      },
    ],
    [
      "Diff replaces a database that `retainOnDelete` has kept, under its name",
      async (stack) => {
        stack.run.readsFirst = true;
        await stack.register(stack.orders, MOVED);
      },
      { "is retained": true, "is not read": true, "is replaced": false, "is deleted first": false },
    ],
    [
      "Diff replaces a database that `retainOnDelete` has kept, under another name",
      async (stack) => {
        stack.run.readsFirst = true;
        await stack.register(stack.orders, RENAMED);
      },
      { "is retained": false, "is not read": true, "is replaced": true, "is refused": false },
    ],
    [
      "Read of a database and of the one that replaced it",
      async (stack) => {
        await stack.read(stack.orders);
        await stack.read(await replacement(stack));
      },
      { "is to be deleted by the engine": false, "is not read": false, "leaves the stack": true },
    ],
    [
      "Diff of the database that replaced another one",
      async (stack) => {
        await stack.read(stack.orders);
        await stack.readAndRegister(await replacement(stack));
      },
      { "is to be deleted by the engine": true, "is kept": false, "leaves the stack": false, manager: undefined },
    ],
    [
      "Read of a database that no longer exists, and Diff of the one that replaced it",
      async (stack) => {
        stack.orders = { ...stack.orders, id: NOWHERE };
        await stack.read(stack.orders);
        await stack.readAndRegister(await replacement(stack));
      },
      { "is to be deleted by the engine": false, "is deleted": false },
    ],
    [
      "Delete of a database that an earlier replacement could not delete",
      async (stack) => {
        await stack.read(stack.orders);
        await stack.readAndRegister(await replacement(stack));
        await stack.delete(stack.orders);
      },
      { "is to be deleted by the engine": true, "is deleted": true, "is refused": false },
    ],
    [
      "Delete of the newer of two databases, which is replaced without a comparison",
      async (stack) => {
        await stack.read(await replacement(stack));
        stack.orders = { ...stack.orders, inputs: { ...ORDERS, [FILLED_IN]: ["name"] } };
        stack.declare(stack.orders, { group: ORDERS.group });
        // With `--target-replace`, the engine calls no Diff.
        await stack.create("orders", database, { ...stack.orders.inputs, name: "orders-2" });
        await stack.delete(stack.orders);
      },
      { "is deleted": true, "is refused": false },
    ],
    [
      "Update restores the database that replaced another one, and Delete of the other one",
      async (stack) => {
        const sales = await replacement(stack);
        await stack.deleteOutside(sales);
        await stack.read(stack.orders);
        await stack.update(await stack.readAndRegister(sales));
        await stack.delete(stack.orders);
      },
      { "is deleted": true, "is refused": false },
    ],
    [
      "Update cannot restore the database that replaced another one, and Delete of the other one",
      async (stack) => {
        const sales = await replacement(stack);
        await stack.deleteOutside(sales);
        await stack.read(stack.orders);
        stack.here.api.fault({ operation: "restoreDatabase", status: 500, times: 9 });
        await stack.update(await stack.readAndRegister(sales));
        await stack.delete(stack.orders);
      },
      { "is deleted": false, "is refused": true },
    ],
    [
      "Diff under an alias, where a replacement could not delete another database",
      async (stack) => {
        const other = await stack.earlier("orders", database, RENAMED);
        const found = await stack.read({ ...stack.orders, urn: "former" });
        await stack.read(other);
        await stack.register({ ...found, urn: "orders" });
      },
      { "URN in the program": "orders", "leaves the stack": false, "is kept": true },
    ],
    [
      "Create manages again a database that an earlier replacement could not delete",
      async (stack) => {
        await takeReplacementBack(stack);
        await stack.create("orders", database, ORDERS);
        await stack.delete(stack.orders);
      },
      {
        ...{ "is to be deleted by the engine": true, "is kept": true, "is created": true, "is deleted": false },
        ...{ "is what Delete must find": false, "next name": undefined },
      },
    ],
    [
      "Create cannot restore a database that an earlier replacement could not delete, and Delete",
      async (stack) => {
        await stack.deleteOutside(stack.orders);
        await takeReplacementBack(stack);
        stack.here.api.fault({ operation: "restoreDatabase", status: 409, times: 9 });
        await stack.create("orders", database, ORDERS);
        await stack.delete(stack.orders);
      },
      { "is refused": true, "is created": false, "is deleted": false },
    ],
    [
      "Delete of a database that Create should manage again, but has not",
      async (stack) => {
        await takeReplacementBack(stack);
        await stack.delete(stack.orders);
      },
      { "is refused": true, "is created": false, "is deleted": false },
    ],
    [
      "Create fails for a replacement, and Delete of a database that an earlier replacement could not delete",
      async (stack) => {
        const sales = await replacement(stack);
        await stack.read(stack.orders);
        const third = { ...MOVED, name: "third" };
        await stack.readAndRegister(sales, third);
        stack.here.api.fault({ operation: "createDatabase", status: 409, times: 9 });
        await stack.create("orders", database, third);
        await stack.delete(stack.orders);
      },
      { "is refused": true, "is created": false, "is deleted": false },
    ],
    [
      "Create restores a database that an earlier replacement could not delete",
      async (stack) => {
        await stack.deleteOutside(stack.orders);
        await takeReplacementBack(stack);
        await stack.create("orders", database, ORDERS);
      },
      { "is restored": true, "is kept": true, "next name": "orders", "is what Delete must find": false },
    ],
  ],
  "names, aliases and permissions": [
    [
      "Update of the name of the group",
      (stack) => stack.update(stack.tenants, { ...TENANTS, name: "renamed" }),
      { "next name of its group": "renamed" },
    ],
    [
      "the preview of another name of the group",
      (stack) => stack.planUpdate(stack.tenants, { ...TENANTS, name: "renamed" }),
      { "next name of its group": "renamed" },
    ],
    [
      "Update of the group, whose name `ignoreChanges` covers",
      (stack) => stack.update(stack.tenants, { ...TENANTS, name: "renamed" }, new Set(["name"])),
      { "next name of its group": undefined },
    ],
    ["Check", async (stack) => stack.declare(stack.orders), { "claimed by": "orders", "is kept": false }],
    ["Check with another name", async (stack) => stack.declare(stack.orders, RENAMED), { "claimed by": undefined }],
    [
      "Check, and again with another name",
      async (stack) => {
        stack.declare(stack.orders);
        stack.declare(stack.orders, RENAMED);
      },
      { "claimed by": undefined },
    ],
    [
      "Diff under an alias",
      async (stack) => {
        const found = await stack.read({ ...stack.orders, urn: "former" });
        await stack.register({ ...found, urn: "orders" });
      },
      { "URN in the program": "orders", "leaves the stack": false, "is kept": true, "claimed by": "orders" },
    ],
    [
      "Diff under an alias, and Delete under the former URN of a database that the program replaces",
      async (stack) => {
        const found = await stack.read({ ...stack.orders, urn: "former" });
        await stack.register({ ...found, urn: "orders" }, { ...MOVED, name: "sales" });
        await stack.create("orders", database, { ...MOVED, name: "sales" });
        await stack.delete(found);
      },
      { "URN in the program": "orders", "is replaced": true, "is deleted": true, "is kept": false },
    ],
    [
      "Read under an alias of a database and of the one that replaced it, and Diff of that one",
      async (stack) => {
        const found = await stack.read(await replacement(stack, "former"));
        await stack.read({ ...stack.orders, urn: "former" });
        await stack.register({ ...found, urn: "orders" });
      },
      { "URN in the program": "orders", "is to be deleted by the engine": true, "is kept": false },
    ],
    [
      "Check under an alias, without Diff",
      async (stack) => {
        stack.run.readsFirst = true;
        const found = await stack.read({ ...stack.orders, urn: "former" });
        stack.declare({ ...found, urn: "orders" });
      },
      { "URN in the program": "orders", "leaves the stack": false, "is kept": false, "claimed by": "orders" },
    ],
    [
      "Diff with a token that cannot replace the database",
      async (stack) => {
        await stack.permit("read", "db:delete");
        await stack.readAndRegister(stack.orders, RENAMED);
      },
      { "lacks a permission": true, "is replaced": true, "is refused": false },
    ],
    [
      "Diff with a token that cannot replace the database, and Delete",
      async (stack) => {
        await stack.permit("read", "db:delete");
        await stack.delete(await stack.readAndRegister(stack.orders, RENAMED));
      },
      { "lacks a permission": true, "is refused": true, "is deleted": false },
    ],
  ],
  "settings that stay": [
    ["Read of the configuration", (stack) => stack.read(stack.limits), { "settings left": undefined }],
    [
      "Diff finds the configuration as the program wants it",
      (stack) => stack.readAndRegister(stack.limits),
      { "settings left": [] },
    ],
    [
      "Create of another configuration that does not name the setting",
      async (stack) => {
        await stack.read(stack.limits);
        await stack.create("others", databaseConfiguration, others(stack));
      },
      { "settings left": ["blockWrites from limits to others"] },
    ],
    [
      "Create of the same configuration again, which drops the setting",
      async (stack) => {
        await stack.read(stack.limits);
        await stack.create("limits", databaseConfiguration, others(stack));
        await stack.delete(stack.limits);
      },
      { "settings left": ["blockWrites from limits to limits"] },
    ],
    [
      "the preview of another configuration that does not name the setting",
      async (stack) => {
        await stack.read(stack.limits);
        await stack.planCreate("others", databaseConfiguration, others(stack));
      },
      { "settings left": ["blockWrites from limits to others"] },
    ],
    [
      "Create of another configuration that names the setting",
      async (stack) => {
        await stack.read(stack.limits);
        await stack.create("others", databaseConfiguration, { database: stack.orders.id, blockWrites: true });
      },
      { "settings left": [] },
    ],
    [
      "Create of another configuration beside the one that still names the setting",
      async (stack) => {
        await stack.readAndRegister(stack.limits);
        await stack.create("others", databaseConfiguration, others(stack));
      },
      { "settings left": [] },
    ],
    [
      "Create of another configuration, while the program moves the one that named the setting",
      async (stack) => {
        const { id } = await stack.earlier("another", database, RENAMED);
        await stack.readAndRegister(stack.limits, { ...stack.limits.inputs, database: id });
        await stack.create("others", databaseConfiguration, others(stack));
      },
      { "settings left": ["blockWrites from limits to others"] },
    ],
    [
      "Diff of a configuration that was not read, before the program runs",
      async (stack) => {
        await stack.diff(stack.limits);
        await stack.create("others", databaseConfiguration, others(stack));
      },
      { "settings left": ["blockWrites from limits to others"] },
    ],
    [
      "Diff refuses to move a configuration that was not read",
      async (stack) => {
        await stack.register(stack.limits, { ...stack.limits.inputs, database: NOWHERE });
        await stack.planCreate("others", databaseConfiguration, others(stack));
      },
      { "settings left": [] },
    ],
    [
      "Diff refuses to move a configuration that was read",
      async (stack) => {
        await stack.readAndRegister(stack.limits, { ...stack.limits.inputs, database: NOWHERE });
        await stack.planCreate("others", databaseConfiguration, others(stack));
      },
      { "settings left": ["blockWrites from limits to others"] },
    ],
    [
      "Delete of a configuration whose database another one manages",
      async (stack) => {
        await stack.create("others", databaseConfiguration, others(stack));
        await stack.delete(stack.limits);
      },
      { "settings left": ["blockWrites from limits to others"] },
    ],
  ],
};

describe.each(Object.entries(TABLE))("knows about %s", (_, rows) => {
  test.for(rows)("after: %s", async ([, happen, answers]) => {
    const stack = await openStack();
    await happen(stack);
    const questions = Object.keys(answers) as (keyof typeof QUESTIONS)[];
    expect(Object.fromEntries(questions.map((question) => [question, QUESTIONS[question](stack)]))).toEqual(answers);
  });
});

test("knows whether a group is restored, with its databases, once the platform has answered", async () => {
  const stack = await openStack();
  await stack.outside.deleteGroup({ organizationSlug, groupName: "tenants" });
  const [tenants, orders] = [await stack.read(stack.tenants), await stack.read(stack.orders)];
  const inputs = stack.declare(orders);
  stack.here.api.fault({ operation: "restoreGroup", status: 422 });
  await Promise.all([stack.update(tenants), stack.diff(orders, inputs, new Set(["deletedAt"]))]);
  expect(stack.here.said.at(-1)).toMatch(/^Database "orders" .* stays deleted/);
});
