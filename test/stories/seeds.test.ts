// @module-tag no-database-is-lost
// @module-tag nothing-is-created-twice-or-adopted
// @module-tag secrets-stay-secret
// @module-tag previews-are-true

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Value } from "../fake-engine/declared-program";
import {
  aConfiguration,
  aDatabase,
  aDatabaseNamed,
  aGroup,
  type Declarations,
  dbIdOf,
  idOf,
  TENANTS,
  tenants,
} from "./declarations";
import { databaseDeleted, databaseRestored, databaseRestorePlanned } from "./messages";
import { configurationOf, organizationSlug, withOrganizationId } from "./outside";
import { NOON, type StoryScene, story } from "./story";

const DUMP = "create table t (x); -- as long as it is";
const SIGNATURE = "signature=s3cret";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "dbplatform-dumps-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

function dump(text = DUMP): string {
  const path = join(folder(), "orders.sql");
  writeFileSync(path, text);
  return path;
}

const copyOf = (seed?: Value, more: Readonly<Record<string, Value>> = {}): Declarations => ({
  copy: aDatabase({ name: "copy", group: "default", ...(seed === undefined ? {} : { seed }), ...more }),
});

const copyOfOrders = copyOf({ database: "orders" });

async function createOrders({ here, facts }: StoryScene): Promise<void> {
  facts.orders = await here.createDatabase("orders");
}

const writeDump = ({ facts }: StoryScene): void => {
  facts.dump = dump();
};

const fromDump = ({ fact }: StoryScene): Declarations => copyOf({ dumpFile: fact("dump") });

const sizeOf = async ({ here }: StoryScene, databaseName: string) =>
  (await here.outside.retrieveDatabaseUsage({ organizationSlug, databaseName })).database.usage?.storage_bytes;

test(
  "copies a database by its name or DbId, as of now or an earlier time, and records the parent",
  story({
    past: createOrders,
    wished: ({ fact }) => ({
      byName: aDatabase({ name: "by-name", group: "default", seed: { database: "orders" } }),
      byId: aDatabase({ name: "by-id", group: "default", seed: { database: fact("orders").toUpperCase() } }),
      earlier: aDatabase({ name: "earlier", group: "default", seed: { database: fact("orders"), timestamp: NOON } }),
    }),
    expected: { changes: { byName: "create", byId: "create", earlier: "create" } },
    async afterwards({ here, managed, fact }) {
      for (const slot of ["byName", "byId", "earlier"]) {
        const { name, parent } = managed(slot).outputs;
        const at = { organizationSlug, databaseName: String(name) };
        expect((await here.outside.retrieveDatabase(at)).database.parent).toMatchObject({ id: fact("orders") });
        expect(parent).toMatchObject({ dbId: fact("orders"), name: "orders" });
      }
    },
    next: [
      {
        outside: ({ here, firstId }) => here.deleteDatabase(firstId("byName")),
        expected: { changes: { byName: "update deletedAt" }, says: [databaseDeleted("by-name")] },
        preview: ({ firstId }) => ({ says: [databaseRestorePlanned("by-name", firstId("byName"))] }),
        up: { says: [databaseRestored("by-name")] },
        afterwards: ({ managed, fact }) =>
          expect(managed("byName").outputs).toMatchObject({
            ...{ parent: { dbId: fact("orders") }, seed: { database: "orders" } },
          }),
      },
    ],
  }),
);

test(
  "uploads a whole dump once, and records only its path",
  story({
    past: writeDump,
    wished: ({ fact }) => copyOf({ dumpFile: fact("dump") }, { sizeLimit: "1gb" }),
    expected: { changes: { copy: "create" }, writes: ["uploadDump", "createDatabase"] },
    async afterwards(scene) {
      const { outputs } = scene.managed("copy");
      expect(outputs).toMatchObject({ seed: { dumpFile: scene.fact("dump") }, sizeLimit: "1gb" });
      expect(outputs).not.toHaveProperty("parent");
      expect(JSON.stringify(outputs)).not.toContain("create table");
      expect(await sizeOf(scene, "copy")).toBe(DUMP.length);
      expect(await configurationOf(scene, "copy")).toMatchObject({ size_limit: "1gb" });
      // Somebody may create databases during the upload, so the provider lists them only after it.
      const asked = scene.here.api.journal().map(({ operation }) => operation);
      const uploaded = asked.indexOf("uploadDump");
      expect(asked.slice(uploaded, asked.indexOf("createDatabase"))).toContain("listDatabases");
    },
  }),
);

const NOBODYS_DUMP = "/v1/organizations/acme/databases/dumps/00000000-0000-4000-8000-000000000000";

test(
  "passes on the URL of a remote dump, and shows its signature in no error",
  story({
    wished: ({ here }) => copyOf({ dumpUrl: `${here.api.url}${NOBODYS_DUMP}?${SIGNATURE}` }),
    preview: { changes: { copy: "create" } },
    up: ({ here }) => ({ fails: `no dump was uploaded to ${here.api.url}${NOBODYS_DUMP}[hidden]` }),
    next: [
      {
        wished: copyOf({ dumpUrl: `https://dumps.example.com/orders.sql?${SIGNATURE}` }),
        preview: false,
        up: { changes: { copy: "create" } },
      },
    ],
  }),
);

const LATER = "2026-03-01T13:00:00Z";
const ABSENT = "00000000-0000-4000-8000-000000000000";

test.each<[string, () => Value, string | RegExp]>([
  ["an unknown name", () => ({ database: "sales" }), 'seed.database: organization "acme" has no database "sales"'],
  ["an unknown DbId", () => ({ database: ABSENT }), `seed.database: organization "acme" has no database ${ABSENT}`],
  ["its own name", () => ({ database: "copy" }), 'has no database "copy"'],
  ["a time after that of the platform", () => ({ database: "orders", timestamp: LATER }), "seed.timestamp: "],
  ["a missing file", () => ({ dumpFile: "no/such.sql" }), /the file \/\S+\/no\/such\.sql does not exist/],
  ["a folder", () => ({ dumpFile: folder() }), "is not a file"],
  ["an empty file", () => ({ dumpFile: dump("") }), "is empty"],
])("refuses a seed with %s in the preview and in the update, before any upload", (_, seed, fails) =>
  story({ past: createOrders, wished: () => copyOf(seed()), expected: { fails } })(),
);

test(
  "copies a deleted database only if the update restores or creates it",
  story({
    async past(scene) {
      await createOrders(scene);
      await scene.here.deleteDatabase(scene.fact("orders"));
    },
    wished: copyOfOrders,
    preview: ({ fact }) => ({ fails: `\`import: "${fact("orders")}"\`` }),
    up: false,
    next: [
      {
        wished: ({ fact }) => copyOf({ database: fact("orders") }),
        preview: ({ fact }) => ({ fails: `\`import: "${fact("orders")}"\`` }),
        up: false,
      },
      { wished: { shop: aDatabaseNamed("shop") }, preview: false, up: { changes: { shop: "create" } } },
      {
        outside: ({ here, firstId }) => here.deleteDatabase(firstId("shop")),
        wished: copyOf({ database: "shop" }),
        preview: { fails: "after `pulumi up` has restored it" },
        up: false,
      },
      {
        wished: { shop: aDatabaseNamed("shop"), ...copyOf({ database: dbIdOf("shop") }) },
        expected: { changes: { shop: "update deletedAt", copy: "create" }, says: [databaseDeleted("shop")] },
        preview: ({ firstId }) => ({ says: [databaseRestorePlanned("shop", firstId("shop"))] }),
        up: { says: [databaseRestored("shop")] },
      },
      {
        wished: {
          ...{
            shop: aDatabaseNamed("shop"),
            ...copyOf({ database: dbIdOf("shop") }),
            orders: aDatabaseNamed("orders"),
          },
          another: aDatabase(
            { name: "another", group: "default", seed: { database: "orders" } },
            { dependsOn: "orders" },
          ),
        },
        expected: {
          changes: { orders: "create", another: "create" },
          says: ['A new, empty database "orders" is created'],
        },
      },
    ],
  }),
);

const withScopes =
  (...scopes: string[]) =>
  async ({ stack, here: { api } }: StoryScene) =>
    stack.useToken(await api.token({ group: "default", scopes }));

test(
  "copies with a group-scoped token what is in its group, and warns of the scope that it lacks",
  story({
    settings: withOrganizationId,
    async past(scene) {
      await createOrders(scene);
      writeDump(scene);
      scene.facts.far = await scene.here.createDatabase("far", "other");
      await withScopes("read")(scene);
    },
    wished: fromDump,
    preview: { changes: { copy: "create" }, says: [/cannot create database "copy".*seed: .*`db:create`/] },
    up: { fails: /seed: .*`db:create`/ },
    next: [
      {
        wished: copyOfOrders,
        preview: { changes: { copy: "create" }, says: [/cannot create database "copy".*seed: .*`db:create`/] },
        up: { fails: /seed: .*`db:create`/ },
      },
      {
        outside: withScopes("read", "db:create"),
        wished: ({ fact }) => copyOf({ database: fact("far") }),
        preview: { fails: "is pinned to group" },
        up: false,
      },
      { wished: copyOfOrders, preview: false, up: { changes: { copy: "create" } } },
    ],
  }),
);

const ignored = (property: string) => ({ says: [`\`${property}\` has no effect on database "copy"`], writes: [] });

test(
  "warns once that another seed or size limit has no effect, but not of another spelling",
  story({
    past: createOrders,
    before: copyOf(),
    wished: copyOfOrders,
    expected: ignored("seed"),
    next: [
      { wished: copyOf(), expected: {} },
      { wished: copyOf({ dumpUrl: `https://x/y.sql?${SIGNATURE}` }), expected: ignored("seed") },
      { wished: copyOf(undefined, { sizeLimit: "1gb" }), expected: ignored("sizeLimit") },
    ],
  }),
);

const isKept = { changes: {}, writes: [] };

test(
  "keeps a database whose seed is written in another way, or no longer written",
  story({
    past(scene) {
      writeDump(scene);
      return createOrders(scene);
    },
    before: ({ fact }) => ({
      ...copyOfOrders,
      dumped: aDatabase({ name: "dumped", group: "default", seed: { dumpFile: fact("dump") } }),
      fetched: aDatabase({ name: "fetched", group: "default", seed: { dumpUrl: `https://x/y.sql?${SIGNATURE}` } }),
      limited: aDatabase({ name: "limited", group: "default", sizeLimit: "1gib" }),
    }),
    wished: ({ fact }) => ({
      ...copyOf({ database: fact("orders") }),
      dumped: aDatabase({ name: "dumped", group: "default", seed: { dumpFile: "./orders.sql" } }),
      fetched: aDatabase({ name: "fetched", group: "default", seed: { dumpUrl: "https://x/y.sql?signature=2" } }),
      limited: aDatabase({ name: "limited", group: "default", sizeLimit: "1024 mib" }),
    }),
    expected: isKept,
    next: [
      {
        wished: ({ fact }) => ({ ...copyOf({ database: fact("orders"), timestamp: NOON }) }),
        preview: {
          changes: { dumped: "delete", fetched: "delete", limited: "delete" },
          says: ['`seed` has no effect on database "copy"'],
        },
        up: false,
      },
      { wished: copyOf(), preview: { changes: { dumped: "delete", fetched: "delete", limited: "delete" } }, up: false },
    ],
  }),
);

const withSource = (name: string) => ({
  source: aDatabaseNamed(name),
  ...copyOf({ database: dbIdOf("source") }),
  another: aDatabase({ name: "another", group: "default", seed: { database: { of: "source", output: "name" } } }),
});

test(
  "does not warn of a seed whose source the update replaces",
  story({
    before: withSource("orders"),
    wished: withSource("orders-2"),
    expected: { changes: { source: "replace name" }, says: [/replaces database "orders" without its data/] },
  }),
);

const AS_OF = "2026-02-20T08:00:00Z";
const fresh = aGroup({ name: "fresh", location: "aws-us-east-1" });
const inOther = { group: "other" };
const inFresh = { group: idOf("fresh") };

const CONTENTS: readonly [Declarations, Readonly<Record<string, string>>, RegExp][] = [
  [
    copyOf({ database: "orders" }, inOther),
    { copy: "replace group" },
    /by a copy of database "orders" \(`seed`\), as it is at the time of the update\. Its own data is not copied\. .*restored until 2026-03-06/,
  ],
  [
    copyOf({ database: "orders", timestamp: AS_OF }, inOther),
    { copy: "replace group" },
    /by a copy of database "orders" \(`seed`\), as it was on 2026-02-20 08:00 UTC/,
  ],
  [
    copyOf({ dumpUrl: "https://x/y" }, inOther),
    { copy: "replace group" },
    /by one with the content of `seed`\. Its own data is not copied/,
  ],
  [
    { shop: aDatabaseNamed("shop"), ...copyOf({ database: dbIdOf("shop") }, inOther) },
    { shop: "create", copy: "replace group" },
    /by one with the content of `seed`\. Its own data is not copied/,
  ],
  [
    copyOf(undefined, inOther),
    { copy: "replace group" },
    /without its data\. .*restored until 2026-03-06.* also set another `name` and `seed: \{ database: /,
  ],
  [
    copyOf({ database: "copy" }, { name: "moved", ...inOther }),
    { copy: "replace group name" },
    /begins as a copy of it, as it is at .* What is written later is not copied\. .*restored until 2026-03-06/,
  ],
  [
    { fresh, ...copyOf({ database: "copy" }, inFresh) },
    { fresh: "create", copy: "replace group" },
    /`group` of database "copy" is not known yet.* by a copy of it \(`seed`\)/,
  ],
  [
    { fresh, ...copyOf({ database: "orders" }, inFresh) },
    { fresh: "create", copy: "replace group" },
    /`group` of database "copy" is not known yet.* without its data, by one with the content of `seed`/,
  ],
];

test(
  "a preview says in one warning what a new database contains",
  story({
    past: createOrders,
    before: copyOfOrders,
    next: CONTENTS.map(([wished, changes, warning]) => ({
      wished,
      preview: { changes, says: [warning] },
      up: false,
    })),
  }),
);

const inTenants = (group: Readonly<Record<string, string>>, seed?: Value, name = "copy") => ({
  tenants: aGroup({ ...TENANTS, ...group }),
  ...copyOf(seed, { name, group: idOf("tenants") }),
});

const moved = { name: "tenants-west", location: "aws-us-west-2" };

test(
  "says what a database contains that is replaced with its group, and which size limit it has",
  story({
    past: createOrders,
    before: inTenants({}, { database: "orders" }),
    wished: inTenants(moved),
    preview: {
      changes: { tenants: "replace location name", copy: "replace group" },
      says: [/replaces the group of database "copy" \(.*without its data.*restored until/],
    },
    up: false,
    next: [
      {
        wished: inTenants(moved, { database: "copy" }, "moved"),
        preview: {
          changes: { tenants: "replace location name", copy: "replace group name" },
          says: [/"copy" begins as a copy of it/],
        },
        up: false,
      },
      {
        wished: { tenants, ...copyOf({ database: "orders" }, { group: "other", sizeLimit: "1gb" }) },
        preview: {
          changes: { copy: "replace group" },
          says: [/by a copy of database "orders"/, "created with the current value of `sizeLimit`"],
        },
        up: false,
      },
    ],
  }),
);

test(
  "replaces a database by a copy of itself only under another name, and only if its seed exists",
  story({
    past: createOrders,
    before: copyOfOrders,
    wished: copyOf({ database: "sales" }, { group: "other" }),
    expected: ({ firstId, fact }) => ({
      fails: new RegExp(
        `\`group\`.*${firstId("copy")}.*seed\\.database: organization "acme" has no database "sales"`,
        "s",
      ),
      databases: { orders: fact("orders"), copy: firstId("copy") },
    }),
    next: [
      {
        wished: copyOf({ database: "copy" }, { group: "other" }),
        expected: { fails: "would delete this database before copying it" },
      },
      {
        wished: {
          copy: { ...copyOf({ database: "copy" }, { name: "moved", group: "other" }).copy, deleteBeforeReplace: true },
        } as Declarations,
        preview: false,
        up: { fails: "would delete this database before copying it" },
      },
      {
        wished: copyOf({ database: "copy" }, { name: "moved", group: "other" }),
        preview: false,
        up: {
          changes: { copy: "replace group name" },
          says: [/begins as a copy of it/],
          writes: ["createDatabase", "deleteDatabaseById"],
        },
        afterwards: ({ firstId, managed }) =>
          expect(managed("copy").outputs.parent).toMatchObject({ dbId: firstId("copy") }),
      },
    ],
  }),
);

const old = aDatabase({ name: "old", group: "default" });

test(
  "deletes the old database of a replacement later, although the seed of the new one no longer exists",
  story({
    past: createOrders,
    before: { copy: old },
    outside: ({ here }) => here.api.fault({ operation: "deleteDatabaseById", status: 403, times: 9 }),
    wished: copyOf({ database: "orders" }, { group: "other" }),
    preview: false,
    up: { fails: "HTTP 403", writes: ["createDatabase"] },
    next: [
      {
        async outside({ here, fact }) {
          here.api.clearFaults();
          await here.deleteDatabase(fact("orders"));
        },
        preview: false,
        up: ({ managed }) => ({
          changes: { copy: "delete" },
          says: [/database "old"/],
          databases: { copy: managed("copy").id },
        }),
      },
    ],
  }),
);

test(
  "creates no database after a lost upload, whose whole dump the next update sends again",
  story({
    past: writeDump,
    outside: ({ here }) => here.api.fault({ operation: "uploadDump", reset: "before" }),
    wished: fromDump,
    preview: false,
    up: ({ fact }) => ({ fails: new RegExp(`could not upload ${fact("dump")}: .*No database was created$`) }),
    next: [
      {
        outside: ({ here }) => here.api.fault({ operation: "uploadDump", reset: "after" }),
        preview: false,
        up: { fails: /No database was created$/ },
        afterwards: ({ here }) =>
          expect(here.api.journal().filter(({ operation }) => operation === "uploadDump")).toHaveLength(2),
      },
      {
        outside: ({ here }) => here.api.fault({ operation: "uploadDump", status: 429, retryAfter: 0 }),
        preview: false,
        up: { changes: { copy: "create" }, writes: ["uploadDump", "createDatabase"] },
        afterwards: async (scene) => expect(await sizeOf(scene, "copy")).toBe(DUMP.length),
      },
    ],
  }),
);

test(
  "finds a seeded database whose creation got no response, without another upload",
  story({
    past(scene) {
      writeDump(scene);
      return createOrders(scene);
    },
    outside: ({ here }) => here.api.fault({ operation: "createDatabase", reset: "after" }),
    wished: fromDump,
    preview: false,
    up: {
      changes: { copy: "create" },
      says: ['The response was lost, but database "copy"'],
      writes: ["uploadDump"],
    },
    next: [
      {
        outside: ({ here }) => here.api.fault({ operation: "createDatabase", reset: "after" }),
        wished: (scene) => ({
          ...fromDump(scene),
          another: aDatabase({ name: "another", group: "default", seed: { database: scene.fact("orders") } }),
        }),
        preview: false,
        up: { changes: { another: "create" }, says: ['The response was lost, but database "another"'] },
        afterwards: ({ managed, fact }) =>
          expect(managed("another").outputs).toMatchObject({ parent: { dbId: fact("orders") } }),
      },
    ],
  }),
);

test(
  "lets a DatabaseConfiguration change the size limit with which a database was created",
  story({
    wished: {
      ...copyOf(undefined, { sizeLimit: "1gb" }),
      limits: aConfiguration({ database: dbIdOf("copy"), sizeLimit: "2gb" }),
    },
    expected: { changes: { copy: "create", limits: "create" } },
  }),
);
