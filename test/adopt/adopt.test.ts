import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { operationImpossible, tokenLacksAccess } from "../../kit/lifecycle/messages";
import { importedWithoutSecret } from "../../kit/lifecycle/restore/messages";
import { type ReferenceApi, startReferenceApi } from "../../platform/reference/server";
import {
  existingFile,
  FAIL_WITHOUT_LIST,
  forbiddenList,
  JSON_OF_IMPORT_FILE,
  missingArguments,
  missingStates,
  NOTHING_UNMANAGED,
  nameOfLaterDeletion,
  pendingRestorations,
  sharedName,
  skippedObject,
  unknownGroup,
  unlistedTypes,
  unsupportedType,
  unwritableFile,
  writtenImportFile,
} from "../../provider/adopt/messages";
import { failedResponse } from "../../provider/client/messages";
import { invalidState, missingFromEnvironment, unreadableFile } from "../../provider/command/messages";
import { scopesMissing } from "../../provider/permissions/messages";
import { clientOf, environmentOf } from "../engine/engine-fixture";
import { adopt, ORGANIZATION, SIZE } from "./organization";

interface Entry {
  readonly type: string;
  readonly name: string;
  readonly logicalName: string;
  readonly id: string;
  readonly parent?: string;
}

async function organization(): Promise<ReferenceApi> {
  const api = await startReferenceApi({ seed: ORGANIZATION });
  onTestFinished(() => api.close());
  return api;
}

/** Returns the resources in the import file that the command prints. */
async function entriesOf(api: ReferenceApi, ...args: string[]): Promise<Entry[]> {
  const { stdout, stderr, code } = await adopt(environmentOf(api), args);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout).resources;
}

const URN = "urn:pulumi:dev::shop::dbplatform:index:Database::orders";

const namesOf = (entries: readonly Entry[]) => entries.map(({ logicalName }) => logicalName);

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "dbplatform-adopt-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test("lists each object once, after its parent, under a unique name that stays the same between runs", async () => {
  const api = await organization();
  const entries = await entriesOf(api);
  expect(entries).toHaveLength(SIZE);
  const place = new Map(entries.map(({ name }, index) => [name, index]));
  expect(place.size).toBe(SIZE);
  expect(new Set(entries.map(({ type, logicalName }) => `${type} ${logicalName}`)).size).toBe(SIZE);
  for (const [index, { name, parent, type }] of entries.entries()) {
    expect(name).toMatch(/^[a-z][A-Za-z0-9]*$/);
    if (parent !== undefined) expect(place.get(parent)).toBeLessThan(index);
    if (/Database/.test(type)) expect(parent).toBeDefined();
  }
  expect(entries).toContainEqual(expect.objectContaining({ name: "classDatabase", parent: "defaultGroup" }));
  expect(entries).toContainEqual(expect.objectContaining({ name: "group2nd", logicalName: "2nd" }));
  expect(entries).toContainEqual(
    expect.objectContaining({ name: "classDatabaseConfiguration", parent: "classDatabase" }),
  );
  expect(await entriesOf(api)).toEqual(entries);
  expect(api.journal().filter(({ method }) => method !== "GET")).toEqual([]);
});

test("gives unique names to two tokens that share a name but have different owners", async () => {
  const api = await organization();
  const max = clientOf(api, await api.token({ user: "max" }));
  await max.createApiToken({ tokenName: "token-0", body: { organization: "acme" } });
  const entries = await entriesOf(api, "--type", "ApiToken", "--name", "token-0");
  expect(entries.map(({ name, logicalName }) => [name, logicalName])).toEqual([
    ["token0ApiToken", "token-0"],
    ["token0ApiToken2", "token-0-2"],
  ]);
});

test("lists members and invites only if `--type` names these types", async () => {
  const api = await organization();
  const outside = clientOf(api, api.apiToken);
  await outside.createInvite({ organizationSlug: "acme", body: { email: "lea@acme.example" } });
  const types = new Set((await entriesOf(api)).map(({ type }) => type));
  expect([...types].filter((type) => /Member|Invite/.test(type))).toEqual([]);
  const people = await entriesOf(api, "--type", "Member", "--type", "Invite");
  expect(people.map(({ type, id }) => [type, id])).toEqual([
    ["dbplatform:index:Member", "ada"],
    ["dbplatform:index:Member", "max"],
    ["dbplatform:index:Invite", "lea@acme.example"],
  ]);
});

test("combines filters for type, group and name, and omits parents that are filtered out", async () => {
  const api = await organization();
  const ofGroup = await entriesOf(api, "--group", "shop");
  expect(ofGroup.filter(({ parent }) => parent === undefined).map(({ name }) => name)).toEqual(["shopGroup"]);
  expect(new Set(ofGroup.map(({ type }) => type)).size).toBe(4);

  const [{ id } = { id: "" }] = ofGroup;
  const chosen = await entriesOf(api, "--group", id, "--type", "Database", "--name", "db-1*");
  expect(chosen.length).toBeGreaterThan(2);
  for (const { type, logicalName, parent } of chosen) {
    expect(type).toBe("dbplatform:index:Database");
    expect(logicalName).toMatch(/^db-1/);
    expect(parent).toBeUndefined();
  }
  expect(await entriesOf(api, "--name", "db.1")).toEqual([]);
});

test("includes restorable deleted objects on request, and explains why other deleted objects are omitted", async () => {
  const api = await organization();
  const { stdout, stderr, code } = await adopt(environmentOf(api), [
    "--include-deleted",
    "--type",
    "Group",
    "--type",
    "Database",
  ]);
  expect(code).toBe(0);
  const entries: Entry[] = JSON.parse(stdout).resources;
  expect(namesOf(entries)).toEqual(expect.arrayContaining(["gone", "in-gone", "lost", "twice"]));
  expect(namesOf(entries).filter((name) => name === "twice" || name === "db-1")).toHaveLength(2);
  expect(entries.find(({ logicalName }) => logicalName === "in-gone")?.parent).toBe("goneGroup");
  const idIn = (line: string) => new RegExp(`${line} \\(([0-9a-f-]{36})\\)`).exec(stderr)?.[1] ?? "";
  const empty = idIn('Group "empty"');
  const twice = idIn('Skipped Database "twice"');
  const unplaced = missingArguments({ properties: ["location"], id: empty });
  expect(stderr).toContain(skippedObject({ type: "Group", name: "empty", id: empty, reason: unplaced }));
  const earlier = nameOfLaterDeletion({ type: "Database", id: twice });
  expect(stderr).toContain(skippedObject({ type: "Database", name: "twice", id: twice, reason: earlier }));
  expect(stderr).toMatch(/Database "db-1" \([0-9a-f-]{36}\): .*"db-1"/);
  expect(stderr).toContain(pendingRestorations({ count: 4 }));
});

test("includes a deleted object that this token may not restore, and warns that `pulumi up` needs another token", async () => {
  const api = await organization();
  const apiToken = await api.token({ group: "shop", scopes: ["read"] });
  const environment = { ...environmentOf(api, "acme", apiToken), DBPLATFORM_ORGANIZATION_ID: api.organizationId };
  const { stdout, stderr } = await adopt(environment, ["--include-deleted", "--type", "Database", "--name", "lost"]);
  const [{ id }, ...others]: [Entry, ...Entry[]] = JSON.parse(stdout).resources;
  expect(others).toEqual([]);
  const attempt = operationImpossible({ operation: "restore", object: `database "lost" (${id})` });
  expect(stderr).toContain(tokenLacksAccess({ attempt, reason: scopesMissing({ scopes: ["db:create"] }) }));
  expect(stderr).not.toContain("preview");
});

test("reports that importing an API token does not recover its secret", async () => {
  const { stderr } = await adopt(environmentOf(await organization()), []);
  expect(stderr).toContain(importedWithoutSecret({ kind: "API token", property: "token" }));
});

test("with a group-scoped token, lists only the token's group, and reports what the token cannot see", async () => {
  const api = await organization();
  const apiToken = await api.token({ group: "shop", scopes: ["read"] });
  const environment = { ...environmentOf(api, "acme", apiToken), DBPLATFORM_ORGANIZATION_ID: api.organizationId };
  const { stdout, stderr, code } = await adopt(environment, ["--include-deleted"]);
  expect(code, stderr).toBe(0);
  const entries: Entry[] = JSON.parse(stdout).resources;
  expect(entries.filter(({ parent }) => parent === undefined).map(({ name }) => name)).toEqual(["shopGroup"]);
  const begins = (reason: string) => reason.replace(/\)?\.?$/, "");
  const forbidden = forbiddenList({ cause: "could not list API tokens" });
  expect(stderr).toContain(begins(unlistedTypes({ types: ["ApiToken"], reason: forbidden })));
  const forbiddenDeleted = forbiddenList({ cause: "could not list deleted groups" });
  expect(stderr).toContain(begins(unlistedTypes({ types: ["Group"], reason: forbiddenDeleted })));
});

test("treats resources in the state as managed unless they are external, and shows no secret", async () => {
  const api = await organization();
  const entries = await entriesOf(api);
  const idOf = (name: string) => entries.find((entry) => entry.name === name)?.id;
  const state = (...resources: object[]) =>
    JSON.stringify({ version: 3, deployment: { resources: resources.map((resource) => ({ urn: URN, ...resource })) } });
  const path = (name: string) => join(place, name);
  const place = folder();
  const secret = { apiToken: "do-not-show" };
  const [managed, only, dynamic] = ["classDatabase", "db1Database", "db2Database"].map(idOf);
  writeFileSync(path("one.json"), state({ type: "dbplatform:index:Database", id: managed, inputs: secret }));
  writeFileSync(path("two.json"), state({ type: "dbplatform:index:Database", id: only, external: true }));
  writeFileSync(path("empty.json"), JSON.stringify({ version: 3, deployment: {} }));
  const input = state({ type: "pulumi-nodejs:dynamic/dbplatform:Database", id: dynamic });
  const args = [
    "--unmanaged",
    "--json",
    "--type",
    "Database",
    "-",
    ...["one", "two", "empty"].map((name) => path(`${name}.json`)),
  ];
  const { stdout, stderr } = await adopt(environmentOf(api), args, { input });
  const names = JSON.parse(stdout).unmanaged.map(({ name }: { name: string }) => name);
  expect(names).not.toContain("class");
  expect(names).not.toContain("db-2");
  expect(names).toContain("db-1");
  expect(stdout + stderr).not.toContain("do-not-show");
});

test("prints one line for each object, including its parent's name", async () => {
  const api = await organization();
  const place = join(folder(), "state.json");
  writeFileSync(place, JSON.stringify({ deployment: { resources: [] } }));
  const { stdout } = await adopt(environmentOf(api), ["--unmanaged", "--name", "class", place]);
  expect(stdout).toMatch(
    /^TYPE +NAME +ID +PARENT +CREATED +CREATED BY\nDatabase +class +[0-9a-f-]{36} +default\nDatabaseConfiguration +class +[0-9a-f-]{36} +class\n$/,
  );
  const nothing = await adopt(environmentOf(api), ["--unmanaged", "--name", "nothing", place]);
  expect(nothing).toMatchObject({ code: 0, stdout: `${NOTHING_UNMANAGED}\n` });
});

test("warns if two objects share a name, because Pulumi then generates ids instead of references", async () => {
  const api = await organization();
  await clientOf(api, api.apiToken).createDatabase({
    organizationSlug: "acme",
    body: { name: "default", group: "default" },
  });
  const { stderr } = await adopt(environmentOf(api), []);
  expect(stderr).toContain(sharedName({ name: "default" }));
});

test("never overwrites an existing file", async () => {
  const api = await organization();
  const path = join(folder(), "import.json");
  const args = ["--name", "class", "--out", path];
  expect(await adopt(environmentOf(api), args)).toMatchObject({ code: 0, stdout: "" });
  const before = readFileSync(path, "utf8");
  expect(JSON.parse(before).resources).toHaveLength(2);
  expect(await adopt(environmentOf(api), args)).toMatchObject({
    code: 1,
    stderr: `${existingFile({ file: path })}\n`,
  });
  expect(readFileSync(path, "utf8")).toBe(before);
});

test("does not suggest importing a file without resources", async () => {
  const path = join(folder(), "import.json");
  const { stderr } = await adopt(environmentOf(await organization()), ["--name", "nothing", "--out", path]);
  expect(stderr).toContain(writtenImportFile({ file: path, count: 0 }));
  expect(stderr).not.toContain("pulumi import");
});

const NO_STATE = join(__dirname, "../../package.json");

test.each<[what: string, args: string[], environment: Record<string, string>, told: string]>([
  [
    "missing settings",
    [],
    { DBPLATFORM_ORGANIZATION: "" },
    `${missingFromEnvironment({ missing: [{ name: "organization", isSecret: false, variable: "DBPLATFORM_ORGANIZATION" }] })}\n`,
  ],
  ["a wrong token", [], { DBPLATFORM_API_TOKEN: "wrong-token" }, failedResponse({ status: 401, error: "" })],
  ["an unknown organization", [], { DBPLATFORM_ORGANIZATION: "nowhere" }, "nowhere"],
  ["an unknown group", ["--group", "nothing"], {}, `${unknownGroup({ group: "nothing" })}\n`],
  [
    "an unknown type",
    ["--type", "Table"],
    {},
    unsupportedType({ types: ["Group", "Database", "DatabaseConfiguration", "ApiToken", "Member", "Invite"] }),
  ],
  ["`--unmanaged` without states", ["--unmanaged"], {}, missingStates({ option: "--unmanaged" })],
  ["`--older-than` without states", ["--older-than", "7d"], {}, missingStates({ option: "--older-than" })],
  ["a file that is not a state", ["--unmanaged", NO_STATE], {}, invalidState({ file: NO_STATE })],
  [
    "a missing state file",
    ["--unmanaged", "/nowhere.json"],
    {},
    unreadableFile({ content: "state", file: "/nowhere.json", reason: "" }),
  ],
  [
    "an output file in a folder that does not exist",
    ["--out", "/nowhere/import.json"],
    {},
    unwritableFile({ file: "/nowhere/import.json", reason: "" }),
  ],
  ["`--json` without `--unmanaged`", ["--json"], {}, JSON_OF_IMPORT_FILE],
  ["`--fail-within` without `--deleted`", ["--fail-within", "48h"], {}, FAIL_WITHOUT_LIST],
  ["`--deleted` with `--unmanaged`", ["--deleted", "--unmanaged"], {}, "'--deleted' cannot be used with"],
])("reports %s in one sentence, exits with code 1, and shows no credential", async (_, args, changed, told) => {
  const environment = { ...environmentOf(await organization()), ...changed };
  const { stdout, stderr, code } = await adopt(environment, args);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain(told);
  expect(stderr).not.toMatch(/\n\s+at |wrong-token|eyJ/);
});
