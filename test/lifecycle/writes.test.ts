import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import type { AnyResource } from "../../kit/definition";
import type { Properties } from "../../kit/lifecycle/properties";
import type { Step } from "../../kit/preflight";
import { api, type Operation } from "../../platform/contract/api";
import type { OpenReferenceApi } from "../../platform/reference/server";
import { functions } from "../../provider/functions/list";
import { purposeOfLookUp } from "../../provider/lookups";
import { ORGANIZATION_LEVEL } from "../../provider/permissions/messages";
import {
  declaredOperationsOf,
  isImpossibleForGroupToken,
  operationsOf,
  STEPS,
  writesOf,
} from "../../provider/permissions/permissions";
import { resources } from "../../provider/resources/list";
import { engineFixture } from "../engine/engine-fixture";
import { operationsOf as journalOf } from "../engine/journal";
import type { Declared } from "../fake-engine/declared-program";
import { fakeStack } from "../fake-engine/fake-engine";
import { archive } from "./archive";
import { interruptCopy } from "./kept-data-fixture";

const location = "aws-us-east-1";
const other = "aws-eu-west-1";

const ONE = "test/laws/migrations/one";
const TWO = "test/laws/migrations/two";

/**
 * Arguments that create each resource, and arguments that update the resource in place, if its type supports updates.
 */
const CASES: readonly [type: string, created: Properties, updated?: Properties][] = [
  [
    "Group",
    { name: "one", location, locations: [location, other], deleteProtection: true },
    { name: "two", location, locations: [location], deleteProtection: false },
  ],
  ["Group", { name: "three", location }, { name: "three", location, locations: [location, other] }],
  ["Database", { name: "orders", group: "default" }],
  ["Database", { name: "filled", group: "default", seed: { dumpFile: "DUMP" } }],
  ["DatabaseMigrations", { database: "DATABASE", folder: ONE }, { database: "DATABASE", folder: TWO }],
  [
    "DatabaseMigrations",
    { group: "other", folder: ONE, rehearse: true },
    { group: "other", folder: TWO, rehearse: true },
  ],
  ["DatabaseConfiguration", { database: "DATABASE", sizeLimit: "1gb" }, { database: "DATABASE", sizeLimit: "2gb" }],
  ["DatabaseConfiguration", { database: "DATABASE", allowedIps: ["10.0.0.0/8"] }],
  ["ApiToken", { name: "pipeline" }],
  ["DatabaseToken", { database: "DATABASE" }],
  ["GroupToken", { group: "default" }],
  [
    "SigningKeyRotation",
    { database: "DATABASE", triggers: { quarter: "3" } },
    { database: "DATABASE", triggers: { quarter: "4" } },
  ],
  [
    "SigningKeyRotation",
    { group: "default", triggers: { quarter: "3" } },
    { group: "default", triggers: { quarter: "4" } },
  ],
  ["Member", { username: "zoe", role: "viewer" }, { username: "zoe", role: "admin" }],
  ["Invite", { email: "lea@acme.example", role: "viewer" }, { email: "lea@acme.example", role: "admin" }],
  ["OrganizationSettings", { overages: true, restoreEnabled: true }, { overages: false, restoreEnabled: true }],
];

const resourceOf = (type: string) => resources.find((each) => each.type === type) as AnyResource;
const isWrite = (operation: string): boolean => api[operation as Operation]?.method !== "GET";

/**
 * Returns the distinct operations in alphabetical order. Adding and removing a location count as the same operation,
 * because an update may send either one.
 */
const alike = (operations: readonly string[]) =>
  [...new Set(operations.map((operation) => operation.replace(/^(add|remove)(?=GroupLocation)/, "change")))].sort();

test("each resource calls exactly the API operations that it declares for each lifecycle step", async () => {
  const here = await engineFixture({ sql: true });
  const asked = journalOf(here.api, ({ operation }) => operation !== "sql");
  const stack = fakeStack({ api: here.api });
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-writes-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const dump = join(folder, "dump.sql");
  writeFileSync(dump, "CREATE TABLE a (b);\n");
  const database = await here.createDatabase("owner");
  await here.createDatabase("elsewhere", "other");
  // A copy for a rehearsal gets the configuration of its source.
  const databaseName = "elsewhere";
  await here.outside.updateDatabaseConfiguration({
    organizationSlug: "acme",
    databaseName,
    body: { size_limit: "1gb" },
  });
  const given = (args: Properties): Declared["args"] =>
    JSON.parse(JSON.stringify(args).replaceAll("DATABASE", database).replaceAll("DUMP", dump));
  const run = async (declared?: Declared, readsFirst = true): Promise<string> => {
    const program = new Map(declared ? [["one", declared]] : []);
    expect((await stack.run(program, { preview: false, readsFirst })).failure).toBeUndefined();
    return (await stack.managed()).get("one")?.id ?? "";
  };

  const seen = new Set<string>();
  const read = new Set<string>();
  for (const [type, created, updated = created] of CASES) {
    const resource = resourceOf(type);
    const isGroup = type === "Group";
    const step = async (name: Step, wished: Properties | undefined, before: Properties = {}): Promise<string> => {
      asked();
      // The read before a deletion of migrations issues a token, which the deletion does not need.
      const id = await run(wished && { type, args: given(wished) }, name !== "delete" || type !== "DatabaseMigrations");
      const operations = asked();
      const inputs = wished && isGroup && name !== "create" ? { ...wished, archived: false } : (wished ?? {});
      const sets = Object.keys({ ...before, ...inputs }).filter((key) => !isDeepStrictEqual(before[key], inputs[key]));
      const sent = operations.filter(isWrite);
      expect(alike(sent), `${type} ${name}`).toEqual(alike(writesOf(resource, name, { inputs, sets })));
      for (const operation of sent) seen.add(`${type} ${name} ${operation}`);
      for (const operation of operations) read.add(`${type} ${operation}`);
      return id;
    };
    const id = await step("create", created);
    const archived = isGroup ? { archived: true } : {};
    const archiveGroup = async () => isGroup && archive(here.api as OpenReferenceApi, id);
    await archiveGroup();
    if (updated !== created) await step("update", updated, { ...created, ...archived });
    if (resource.softDeleted) {
      await archiveGroup();
      if (isGroup) await here.outside.deleteGroup({ organizationSlug: "acme", groupName: String(updated.name) });
      else await here.deleteDatabase(id);
      // An update that restores a resource also applies the program's changes.
      await step("restore", created, { ...updated, ...archived });
      // Removes the protection of the group again.
      await run({ type, args: given(updated) });
    }
    await step("delete", undefined);
  }
  const renamed = (args: Properties = {}): Declared => ({
    type: "Database",
    args: { name: "sales", group: "default", ...args } as Declared["args"],
  });
  await run(renamed({ name: "orders" }));
  asked();
  await run(renamed({ keepData: true }));
  // The rows of the copy are only counted if the credential may issue tokens.
  expect(alike(asked().filter((each) => isWrite(each) && each !== "createDatabaseTokenById"))).toEqual(
    alike(
      operationsOf(resourceOf("Database"), ["create", "delete"], { inputs: { keepData: true }, sets: [] }).filter(
        isWrite,
      ),
    ),
  );
  seen.add("Database create updateDatabaseConfiguration");
  const id = (await stack.managed()).get("one")?.id ?? "";
  await interruptCopy(here, { id, name: "sales" });
  asked();
  await run(renamed({ keepData: true }));
  for (const operation of asked().filter(isWrite)) seen.add(`Database update ${operation}`);
  const named = resources.flatMap((resource) =>
    STEPS.flatMap((step) => writesOf(resource, step).map((each) => `${resource.type} ${step} ${each}`)),
  );
  expect(named.filter((each) => !seen.has(each))).toEqual([]);
  const shown = resources.flatMap((resource) =>
    declaredOperationsOf(resource).read.map((each) => `${resource.type} ${each}`),
  );
  expect(shown.filter((each) => !read.has(each))).toEqual([]);
  const declared = resources.flatMap((each) =>
    operationsOf(each, STEPS).map((operation) => `${each.type} ${operation}`),
  );
  const others = [...read].filter((each) => !declared.includes(each));
  expect(others.filter((each) => purposeOfLookUp(each.split(" ")[1] as Operation) === undefined)).toEqual([]);
});

test("every operation that needs an organization-level token has a description for error messages", () => {
  const operations = [
    ...functions.flatMap(({ reads }) => reads),
    ...resources.flatMap((resource) => operationsOf(resource, STEPS)),
  ];
  const impossible = operations.filter(isImpossibleForGroupToken);
  expect(impossible.filter((operation) => ORGANIZATION_LEVEL[operation] === undefined)).toEqual([]);
});
