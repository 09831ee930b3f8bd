import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import type { AnyResource } from "../../kit/definition";
import type { Properties, State } from "../../kit/lifecycle/properties";
import type { Step } from "../../kit/preflight";
import { create } from "../../kit/steps/create";
import { remove } from "../../kit/steps/delete";
import { readManaged } from "../../kit/steps/read";
import { update } from "../../kit/steps/update";
import { api, type Operation } from "../../platform/contract/api";
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
import { archive } from "./archive";
import { lifecycleFixture } from "./lifecycle-fixture";

const location = "aws-us-east-1";
const other = "aws-eu-west-1";

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
const writesIn = (operations: readonly string[]) =>
  operations.filter((operation) => api[operation as Operation]?.method !== "GET") as Operation[];

/**
 * Returns the distinct operations in alphabetical order. Adding and removing a location count as the same operation,
 * because an update may send either one.
 */
const alike = (operations: readonly string[]) =>
  [...new Set(operations.map((operation) => operation.replace(/^(add|remove)(?=GroupLocation)/, "change")))].sort();

test("each resource calls exactly the API operations that it declares for each lifecycle step", async () => {
  const here = await lifecycleFixture();
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-writes-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const dump = join(folder, "dump.sql");
  writeFileSync(dump, "CREATE TABLE a (b);\n");
  const { id: database } = await create(resourceOf("Database"), { name: "owner", group: "default" }, here.context);
  const given = (args: Properties): Properties =>
    JSON.parse(JSON.stringify(args).replaceAll("DATABASE", database).replaceAll("DUMP", dump));

  const seen = new Set<string>();
  const read = new Set<string>();
  for (const [type, created, updated] of CASES) {
    const resource = resourceOf(type);
    const step = async <Result>(
      name: Step,
      { inputs, before = {} }: { inputs: Properties; before?: Properties },
      work: () => Promise<Result>,
    ): Promise<Result> => {
      here.asked();
      const result = await work();
      const asked = here.asked();
      const sent = writesIn(asked);
      const sets = Object.keys({ ...before, ...inputs }).filter((key) => !isDeepStrictEqual(before[key], inputs[key]));
      const known = { inputs, sets };
      expect(alike(sent), `${type} ${name}`).toEqual(alike(writesOf(resource, name, known)));
      for (const operation of sent) seen.add(`${type} ${name} ${operation}`);
      for (const operation of asked) read.add(`${type} ${operation}`);
      return result;
    };
    const args = given(created);
    const { id, state: first } = await step("create", { inputs: args }, () => create(resource, args, here.again()));
    let state: State = first;
    const news = given(updated ?? created);
    const archived = async (): Promise<void> => {
      if (type !== "Group") return;
      await archive(here.api, id);
      state = { ...state, archived: true };
    };
    await archived();
    const before = { ...args, ...(type === "Group" && { archived: true }) };
    if (updated)
      state = await step("update", { inputs: { ...news, ...(type === "Group" && { archived: false }) }, before }, () =>
        update(resource, { id, oldInputs: args, state, news, ignored: new Set() }, here.again()),
      );
    await readManaged(resource, { id, inputs: news, state }, here.again());
    for (const operation of here.asked()) read.add(`${type} ${operation}`);
    await step("delete", { inputs: {} }, () => remove(resource, { id, state }, here.again()));
    if (!resource.softDeleted) continue;
    await archived();
    const deleted = await readManaged(resource, { id, inputs: news, state }, here.again());
    expect(deleted?.state).toHaveProperty("deletedAt");
    // Passes changed arguments (`args`), because an update that restores a resource also applies the program's changes.
    const compared = { id, oldInputs: news, state: deleted?.state ?? {}, news: args, ignored: new Set<string>() };
    await step("restore", { inputs: { ...args, archived: false }, before: { ...news, archived: true } }, () =>
      update(resource, compared, here.again()),
    );
  }
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
