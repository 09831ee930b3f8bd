import fc from "fast-check";
import { expect, test } from "vitest";
import {
  failedPreview,
  groupUnseen,
  impossibleForGroupToken,
  invalidPreview,
  NO_OBJECTS,
  onlyOwnTokens,
  organizationIdNeeded,
  seedInGroup,
  severalGroups,
  someGroupsAlike,
} from "../../provider/scopes/messages";
import { neededCredentialsAsJson, neededCredentialsAsText } from "../../provider/scopes/output";
import {
  creation,
  credentials,
  DB,
  deleted,
  GROUP,
  inDefault,
  live,
  OTHER,
  provider,
  report,
  rotated,
  step,
  UNKNOWN,
  urnOf,
} from "./previews";

const resultOf = async (preview: object) => JSON.parse(neededCredentialsAsJson(await credentials(preview))).credentials;

test.each<[string, object[], string[]]>([
  ["an unchanged database", [step("same", "Database", "orders", { oldState: live, newState: live })], ["read"]],
  ["a refreshed database", [step("refresh", "Database", "orders", { oldState: live, newState: live })], ["read"]],
  ["a database that is only read", [step("read", "Database", "orders", { newState: live })], ["read"]],
  ["a new database", [creation("Database", "orders", inDefault)], ["read", "db:create"]],
  [
    "an import that restores",
    [
      step("import", "Database", "orders", { newState: { inputs: inDefault } }),
      step("update", "Database", "orders", {
        diffReasons: ["deletedAt"],
        oldState: deleted,
        newState: { inputs: inDefault },
      }),
    ],
    ["read", "db:create"],
  ],
  [
    "drift that a refresh found",
    [
      step("update", "Group", "default", {
        diffReasons: ["deleteProtection"],
        oldState: { id: GROUP, inputs: {}, outputs: { name: "default", deleteProtection: true } },
        newState: { id: GROUP, inputs: {}, outputs: { name: "default", deleteProtection: false } },
      }),
    ],
    ["read"],
  ],
  [
    "a deleted object that a dynamic provider restores",
    [
      {
        op: "update",
        urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/dbplatform:Database::orders",
        provider: `urn:pulumi:dev::shop::pulumi:providers:pulumi-nodejs::default::${DB}`,
        oldState: deleted,
        newState: { inputs: inDefault },
      },
    ],
    ["read", "db:create"],
  ],
  ["a deletion", [step("delete", "Database", "orders", { oldState: live })], ["read", "db:delete"]],
  [
    "a deletion that keeps the object",
    [step("delete", "Database", "orders", { oldState: { ...live, retainOnDelete: true } })],
    ["read"],
  ],
  [
    "a replacement",
    [step("replace", "Database", "orders", { oldState: live, newState: { inputs: inDefault, outputs: {} } })],
    ["read", "db:create", "db:delete"],
  ],
  [
    "a change that only the state records",
    [
      step("update", "Group", "default", {
        diffReasons: ["forceDestroy"],
        oldState: { id: GROUP, inputs: {}, outputs: { name: "default" } },
        newState: { inputs: { name: "default", forceDestroy: true } },
      }),
    ],
    ["read"],
  ],
  [
    "a change of a group",
    [
      step("update", "Group", "default", {
        diffReasons: ["deleteProtection"],
        oldState: { id: GROUP, inputs: {}, outputs: { name: "default" } },
        newState: { inputs: { name: "default", deleteProtection: true } },
      }),
    ],
    ["read", "group:configure"],
  ],
  [
    "a rotation for a database",
    [
      step("same", "Database", "orders", { oldState: live, newState: live }),
      step("update", "SigningKeyRotation", "key", rotated({ quarter: "3" }, { database: DB })),
    ],
    ["read", "db:rotate-creds"],
  ],
  [
    "a rotation for a group",
    [step("update", "SigningKeyRotation", "key", rotated({ quarter: "3" }, inDefault))],
    ["read", "group:rotate-creds"],
  ],
  ["a first trigger", [step("update", "SigningKeyRotation", "key", rotated(undefined, inDefault))], ["read"]],
  [
    "new migrations without a rehearsal",
    [creation("DatabaseMigrations", "schema", { ...inDefault, folder: "drizzle", rehearse: false })],
    ["read", "group:mint-token"],
  ],
  [
    "pending migrations of a database with a rehearsal",
    [
      step("same", "Database", "orders", { oldState: live, newState: live }),
      step("update", "DatabaseMigrations", "schema", {
        diffReasons: ["migrations"],
        oldState: { inputs: {}, outputs: { database: DB } },
        newState: { inputs: { database: DB, folder: "drizzle", rehearse: true } },
      }),
    ],
    ["read", "db:create", "db:delete", "db:configure", "db:mint-token"],
  ],
  [
    "a configuration of a new database",
    [
      creation("Database", "orders", inDefault),
      creation(
        "DatabaseConfiguration",
        "orders",
        { database: UNKNOWN, blockReads: true },
        { propertyDependencies: { database: [urnOf("Database", "orders")] } },
      ),
    ],
    ["read", "db:create", "db:configure"],
  ],
])("derives the scopes of a group-scoped credential for %s", async (_, steps, scopes) => {
  const [credential, ...others] = await resultOf({ steps });
  expect(others).toEqual([]);
  expect(credential).toMatchObject({ level: "group", group: { name: "default" }, scopes, provider: "default" });
});

test.each<[string, object[], string, string[]]>([
  ["a new group", [creation("Group", "shop", { name: "shop", locations: ["a"] })], "member", ["create groups"]],
  ["an API token", [creation("ApiToken", "ci", { name: "ci" })], "viewer", ["create API tokens", "list API tokens"]],
  [
    "an API token of a group",
    [creation("ApiToken", "ci", { name: "ci", group: "default", scopes: ["read"] })],
    "admin",
    ["create API tokens", "list API tokens"],
  ],
  [
    "settings of the organization",
    [creation("OrganizationSettings", "settings", { overages: false })],
    "admin",
    ["change the organization's settings", "read the organization's record"],
  ],
])("shows the role needed for %s, and why a group-scoped token is not enough", async (_, steps, role, impossible) => {
  const [{ level, role: found, reasons }] = await resultOf({ steps });
  expect({ level, found, reasons: reasons.length }).toEqual({ level: "organization", found: role, reasons: 1 });
  for (const words of impossible) expect(reasons[0]).toContain(words);
  expect(reasons[0]).toContain(impossibleForGroupToken({ operations: [] }).trim());
});

test("lists each operation with its scope, its role and the resources that need it", async () => {
  const steps = [creation("Database", "a", inDefault), creation("Database", "b", inDefault)];
  expect(neededCredentialsAsText(await credentials({ steps })).split("\n")).toEqual(
    expect.arrayContaining([
      "OPERATION       SCOPE      ROLE    FOR",
      "listDatabases   read       viewer  read Database a, Database b",
      "createDatabase  db:create  member  create Database a, Database b",
    ]),
  );
  const many = Array.from({ length: 500 }, (_, index) => creation("Database", `db-${index}`, inDefault));
  expect(neededCredentialsAsText(await credentials({ steps: many }))).toContain("Database db-2, and 497 more\n");
});

test("prints the same text in whatever order the engine ran the steps", async () => {
  const steps = [
    creation("Group", "shop", { name: "shop", locations: ["a"] }),
    step("replace", "Database", "a", { oldState: live, newState: { inputs: inDefault } }),
    ...["b", "db-10", "db-9"].map((name) => creation("Database", name, { group: "shared" })),
    { ...creation("Database", "c", { group: "eu" }), provider: provider("eu") },
    creation("ApiToken", "ci", { name: "ci" }),
  ];
  const text = neededCredentialsAsText(await credentials({ steps }));
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(steps, { minLength: steps.length }), async (shuffled) => {
      expect(neededCredentialsAsText(await credentials({ steps: shuffled }))).toBe(text);
    }),
  );
});

test("requires an organization-level token for two groups, and adds a note if they may be the same group", async () => {
  const two = [creation("Database", "a", inDefault), creation("Database", "b", { group: "shared" })];
  expect(await resultOf({ steps: two })).toMatchObject([
    { level: "organization", role: "member", reasons: [severalGroups({ groups: ["default", "shared"] })], notes: [] },
  ]);
  const moved = [step("replace", "Database", "a", { oldState: live, newState: { inputs: { group: "shared" } } })];
  expect(await resultOf({ steps: moved })).toMatchObject([{ level: "organization" }]);
  const unclear = [creation("Database", "a", inDefault), creation("Database", "b", { group: GROUP })];
  expect(await resultOf({ steps: unclear })).toMatchObject([
    { notes: [someGroupsAlike({ name: "default", id: GROUP })] },
  ]);
  const clear = [...unclear, step("same", "Database", "c", { oldState: live, newState: live })];
  expect(await resultOf({ steps: clear })).toMatchObject([
    { level: "group", group: { name: "default", id: GROUP }, scopes: ["read", "db:create"] },
  ]);
});

test("adds notes about unknown groups, copied databases and a missing organization UUID", async () => {
  const steps = [creation("Database", "a", { group: UNKNOWN, seed: { database: "staging" } })];
  const [{ group, scopes, notes }] = await resultOf({ steps });
  expect({ group, scopes }).toEqual({ group: undefined, scopes: ["read", "db:create"] });
  expect(notes).toEqual(
    expect.arrayContaining([
      groupUnseen({ objects: "Database a" }),
      seedInGroup({ databases: ["staging"] }),
      organizationIdNeeded({ providerName: "default" }),
    ]),
  );
  expect(notes.at(-1)).toMatch(
    /getOrganization, getDeletedGroups, .*getAuditLogs, getOrganizationUsage.* need an organization-level token/,
  );
  const copy = creation("Database", "b", { ...inDefault, seed: { database: UNKNOWN } });
  expect(neededCredentialsAsText(await credentials({ steps: [copy] }))).not.toContain(UNKNOWN);
  const [configured] = await resultOf({ steps, config: { "dbplatform:organizationId": OTHER } });
  expect(configured.notes.join()).not.toContain("organizationId");
});

test("requires permission to upload a dump only for seeds that may be dumps", async () => {
  const seeds: Record<string, [seed: unknown, from: string]> = {
    copy: [{ database: "staging" }, "Database"],
    copyOfNew: [UNKNOWN, "Database"],
    dump: [{ dumpFile: "a.sql" }, "Database"],
    unknown: [UNKNOWN, "ApiToken"],
  };
  const steps = Object.entries(seeds).map(([name, [seed, from]]) =>
    creation("Database", name, { ...inDefault, seed }, { propertyDependencies: { seed: [urnOf(from, "orders")] } }),
  );
  const text = neededCredentialsAsText(await credentials({ steps }));
  expect(text.split("\n").find((line) => line.startsWith("uploadDump"))).toMatch(
    /create Database dump, Database unknown$/,
  );
});

test("notes that users with lower roles see only their own API tokens", async () => {
  const steps = [
    step("refresh", "ApiToken", "ci", { oldState: { inputs: {} }, newState: { inputs: {}, outputs: {} } }),
  ];
  expect(await resultOf({ steps })).toMatchObject([{ role: "viewer", notes: [onlyOwnTokens({ role: "admin" })] }]);
});

test("requires no permission to delete a database that is deleted together with its group", async () => {
  const contained = { ...live, deletedWith: urnOf("Group", "default") };
  const steps = [
    step("delete", "Database", "orders", { oldState: contained }),
    step("delete", "Group", "default", { oldState: { id: GROUP, inputs: {}, outputs: { name: "default" } } }),
  ];
  const [{ operations }] = await resultOf({ steps });
  expect(operations.map(({ operation }: { operation: string }) => operation)).toEqual([
    "deleteGroup",
    "listDatabases",
    "listGroups",
  ]);
});

test("derives separate credentials for the resources of different providers", async () => {
  const steps = [
    creation("Database", "a", inDefault),
    { ...creation("Database", "b", { group: "eu" }), provider: provider("eu") },
    { ...step("delete", "Database", "c", { oldState: live }), provider: provider("default_0_0_9") },
  ];
  expect(await resultOf({ steps })).toMatchObject([
    { provider: "default", group: { name: "default" }, scopes: ["read", "db:create", "db:delete"] },
    { provider: "eu", group: { name: "eu" }, scopes: ["read", "db:create"] },
  ]);
  const text = neededCredentialsAsText(await credentials({ steps, config: { "dbplatform:organizationId": OTHER } }));
  expect(text).toContain('Provider "eu":\n');
  expect(text).toContain(organizationIdNeeded({ providerName: "eu" }));
  expect(text).not.toContain("pulumi config set");
});

test.each<[string, BufferEncoding]>([
  ["UTF-8", "utf8"],
  ["UTF-16", "utf16le"],
])("reads a preview that PowerShell wrote in %s with a byte order mark", async (_, encoding) => {
  const content = Buffer.from(`\uFEFF${JSON.stringify({ steps: [creation("Database", "é", inDefault)] })}`, encoding);
  expect(await credentials(content)).toMatchObject([{ objects: [{ urn: urnOf("Database", "é") }] }]);
});

test("rejects a YAML program with a type error, but accepts a program that writes to standard error", async () => {
  const diagnostics = [{ severity: "info#err" }];
  const steps = [step("refresh", "Database", "a", { oldState: live }), step("same", "Stack", "shop-dev")];
  const failed = { steps, diagnostics, changeSummary: { same: 1 } };
  const [, reason = ""] = failedPreview({ file: "|" }).split("|");
  await expect(credentials(failed)).rejects.toThrow(reason);
  await expect(credentials({ ...failed, steps: [], changeSummary: { create: 1 } })).rejects.toThrow(reason);
  expect(await credentials({ ...failed, changeSummary: { same: 2 } })).toHaveLength(1);
});

test.each<[string, object | string, string]>([
  ["text that is not JSON", "Previewing update (dev):", invalidPreview({ file: "preview.json" })],
  ["the state of a stack", { version: 3, deployment: { resources: [] } }, invalidPreview({ file: "preview.json" })],
  [
    "a preview that failed",
    { steps: [], diagnostics: [{ severity: "error" }] },
    failedPreview({ file: "preview.json" }),
  ],
  ["a preview without objects of the platform", { steps: [step("create", "Bucket", "b")] }, NO_OBJECTS],
])("rejects %s, and explains why", async (_, content, message) => {
  await expect(report(content)).rejects.toThrow(message.replace(/^.*preview\.json/, ""));
});
