// @module-tag no-database-is-lost
// @module-tag previews-are-true

import { describe, expect, test } from "vitest";
import {
  configurationOfRetained,
  copyKeepsEncryption,
  KEPT_DATA_DELETED_FIRST,
  keptDataKeepsEngine,
  writesAllowedAgain,
  writesBlockedAlready,
} from "../../provider/resources/database/messages";
import { interruptCopy } from "../lifecycle/kept-data-fixture";
import { aConfiguration, aDatabase, aDatabaseToken, aGroup, dbIdOf, idOf, TENANTS } from "./declarations";
import { configurationOf, configure, organizationSlug, use, withOrganizationId } from "./outside";
import { type StoryScene, story } from "./story";

const orders = (args: Parameters<typeof aDatabase>[0] = {}) => ({
  orders: aDatabase({ name: "orders", group: "default", ...args }),
});
const sales = (args: Parameters<typeof aDatabase>[0] = {}) => orders({ name: "sales", keepData: true, ...args });

const IS_COPIED = /by a copy with its data and settings/;
const COPYING = [
  "createDatabase",
  "updateDatabaseConfiguration",
  "createDatabase",
  "deleteDatabaseById",
  "deleteDatabaseById",
] as const;

const interrupt = ({ here, firstId: id }: StoryScene) => interruptCopy(here, { id: id("orders"), name: "orders" });

test(
  "replaces a database by a copy with its data and its settings",
  story({
    before: orders(),
    outside: (scene) => configure(scene, "orders", { allowed_ips: ["10.0.0.0/8"] }),
    wished: sales(),
    expected: { changes: { orders: "replace keepData name" }, says: [IS_COPIED] },
    up: {
      writes: [
        "createDatabase",
        "updateDatabaseConfiguration",
        "updateDatabaseConfiguration",
        "createDatabase",
        "updateDatabaseConfiguration",
        "deleteDatabaseById",
        "deleteDatabaseById",
      ],
    },
    async afterwards(scene) {
      const { id, outputs } = scene.managed("orders");
      expect(outputs).toMatchObject({ name: "sales", parent: { dbId: scene.firstId("orders"), name: "orders" } });
      expect(await configurationOf(scene, "sales")).toMatchObject({ allowed_ips: ["10.0.0.0/8"], block_writes: false });
      expect(await scene.here.databases()).toEqual({ sales: id });
    },
  }),
);

test(
  "brings the data along to a group that the same update creates, with what refers to the database",
  story({
    before: {
      ...orders(),
      limits: aConfiguration({ database: dbIdOf("orders"), sizeLimit: "2gb" }),
      token: aDatabaseToken({ database: dbIdOf("orders") }),
    },
    wished: {
      tenants: aGroup({ name: "tenants", location: "aws-eu-west-1" }),
      ...sales({ group: idOf("tenants") }),
      limits: aConfiguration({ database: dbIdOf("orders"), sizeLimit: "2gb" }),
      token: aDatabaseToken({ database: dbIdOf("orders") }),
    },
    preview: false,
    up: {
      changes: {
        tenants: "create",
        orders: "replace group keepData name",
        limits: "replace database",
        token: "replace database",
      },
      says: [
        IS_COPIED,
        configurationOfRetained({ assignments: ['sizeLimit: "2gb"'] }),
        /^A SQL-engine token cannot be revoked individually/,
      ],
    },
    async afterwards(scene) {
      const { id, outputs } = scene.managed("orders");
      expect(outputs).toMatchObject({ groupName: "tenants", parent: { dbId: scene.firstId("orders") } });
      expect(await scene.here.databases()).toEqual({ sales: id });
      expect(await configurationOf(scene, "sales")).toMatchObject({ size_limit: "2gb", block_writes: false });
    },
  }),
);

test(
  "needs no more than before to set `keepData`, and uses the seed only for a database that replaces none",
  story({
    wished: orders({ keepData: true, seed: { dumpUrl: "https://example.com/dump.sql" } }),
    preview: false,
    up: { changes: { orders: "create" }, writes: ["createDatabase"] },
    next: [
      {
        wished: sales({ seed: { dumpUrl: "https://example.com/dump.sql" } }),
        expected: { changes: { orders: "replace name" }, says: [IS_COPIED] },
        up: { writes: COPYING },
      },
    ],
  }),
);

const ENCRYPTION = { cipher: "aes256gcm", key: Buffer.alloc(32, 7).toString("base64") };

test.each([
  ["another engine", {}, { engine: "tursodb" }, keptDataKeepsEngine({ name: "orders", engine: "libsql" })],
  ["an encryption", {}, { encryption: ENCRYPTION }, copyKeepsEncryption({ name: "orders" })],
  [
    "another key",
    { encryption: ENCRYPTION },
    { encryption: { ...ENCRYPTION, key: Buffer.alloc(32, 8).toString("base64") } },
    copyKeepsEncryption({ name: "orders" }),
  ],
  ["the same name in another group", {}, { name: "orders", group: "other" }, KEPT_DATA_DELETED_FIRST],
])("refuses in the preview to bring the data along to a database with %s", (_what, before, wished, refused) =>
  story({ before: orders(before), wished: sales(wished), expected: { fails: refused } })(),
);

test(
  "copies an encrypted database with its key",
  story({
    before: orders({ encryption: ENCRYPTION }),
    wished: sales({ encryption: ENCRYPTION }),
    expected: { changes: { orders: "replace keepData name" }, says: [IS_COPIED] },
    up: { writes: COPYING },
  }),
);

test(
  "does not copy a database to which somebody has blocked writes, and leaves it as it is",
  story({
    before: orders(),
    outside: (scene) => configure(scene, "orders", { block_writes: true }),
    wished: sales(),
    expected: ({ firstId: id }) => ({ fails: writesBlockedAlready({ name: "orders", id: id("orders") }) }),
    next: [{ wished: orders(), expected: { changes: {} }, up: { writes: [] } }],
    afterwards: async (scene) => expect(await configurationOf(scene, "orders")).toMatchObject({ block_writes: true }),
  }),
);

test(
  "lets the old database accept writes again if the platform refuses the copy, and copies it in the next update",
  story({
    before: orders(),
    async outside(scene) {
      await interrupt(scene);
      await scene.here.api.fault({ operation: "createDatabase", status: 400, body: { error: "no copy" } });
    },
    wished: sales(),
    preview: false,
    up: {
      fails: /no copy.*database "orders" accepts writes as before/,
      writes: ["updateDatabaseConfiguration", "updateDatabaseConfiguration", "deleteDatabaseById"],
    },
    async afterwards(scene) {
      expect(await scene.here.databases()).toEqual({ orders: scene.firstId("orders") });
      expect(await configurationOf(scene, "orders")).toMatchObject({ block_writes: false });
    },
    next: [{ expected: { changes: { orders: "replace keepData name" }, says: [IS_COPIED] }, up: { writes: COPYING } }],
  }),
);

test(
  "blocks nothing if the platform refuses the rehearsal",
  story({
    before: orders(),
    outside: ({ here }) => here.api.fault({ operation: "createDatabase", status: 402, body: { error: "too many" } }),
    wished: sales(),
    preview: false,
    up: { fails: /too many.*database "orders" accepts writes as before/, writes: [] },
  }),
);

test(
  "goes on with a copy that was interrupted",
  story({
    before: orders(),
    outside: interrupt,
    wished: sales(),
    expected: { changes: { orders: "replace beingCopied keepData name" }, says: [IS_COPIED] },
    up: { writes: COPYING.slice(1) },
    afterwards: async (scene) => expect(Object.keys(await scene.here.databases())).toEqual(["sales"]),
  }),
);

test(
  "shows a copy that was interrupted, and lets the database accept writes again if it is no longer replaced",
  story({
    before: orders(),
    outside: interrupt,
    expected: ({ firstId: id }) => ({
      changes: { orders: "update beingCopied" },
      says: [writesAllowedAgain({ name: "orders", id: id("orders") })],
    }),
    up: { writes: ["updateDatabaseConfiguration", "deleteDatabaseById"] },
    async afterwards(scene) {
      expect(await configurationOf(scene, "orders")).toMatchObject({ block_writes: false });
      expect(scene.managed("orders").outputs.beingCopied).not.toBe(true);
    },
  }),
);

test(
  "adopts no copy that somebody else has made under the wanted name",
  story({
    before: orders(),
    outside: ({ here }) =>
      here.outside.createDatabase({
        organizationSlug,
        body: { name: "sales", group: "default", seed: { type: "database", name: "orders" } },
      }),
    wished: sales(),
    expected: { fails: /"sales" is already in use/ },
  }),
);

test(
  "says in the preview which scopes a copy needs besides",
  story({
    settings: withOrganizationId,
    before: orders(),
    outside: use({ group: "default", scopes: ["read", "db:create", "db:delete"] }),
    wished: sales(),
    preview: { changes: { orders: "replace keepData name" }, says: [IS_COPIED, /db:configure/] },
    up: false,
  }),
);

const inTenants = (location: string) => ({
  tenants: aGroup({ ...TENANTS, location }),
  orders: aDatabase({ group: idOf("tenants"), keepData: true }),
});

test(
  "a database that is replaced with its group, which is deleted first, is refused in the preview and not deleted",
  story({
    before: inTenants("aws-us-east-1"),
    wished: inTenants("aws-eu-west-1"),
    expected: { fails: /keepData/ },
    async afterwards(scene) {
      expect(Object.values(await scene.here.databases())).toEqual([scene.firstId("orders")]);
    },
  }),
);

const namedAfterGroup = (location: string) => ({
  tenants: aGroup({ ...TENANTS, location }),
  orders: aDatabase({ name: { of: "tenants", output: "name" }, group: "default", keepData: true }),
});

test(
  "a database that has its name from what is deleted first is not replaced by an empty one",
  story({
    before: namedAfterGroup("aws-us-east-1"),
    wished: namedAfterGroup("aws-eu-west-1"),
    expected: { fails: /keepData/ },
    async afterwards(scene) {
      expect(Object.values(await scene.here.databases())).toEqual([scene.firstId("orders")]);
    },
  }),
);

test(
  "a copy is not called empty because a deleted database has had its name",
  story({
    before: orders(),
    wished: sales(),
    expected: { changes: { orders: "replace keepData name" }, says: [/by a copy with its data/] },
    next: [
      {
        wished: orders({ keepData: true }),
        preview: {
          changes: { orders: "replace name" },
          says: [/by a copy with its data/, /^(?!A new, empty).*can be restored until.*import/],
        },
        up: false,
      },
    ],
  }),
);

test(
  "the refusal of a protected database does not speak of an empty one",
  story({
    before: { ...orders(), settings: aConfiguration({ database: dbIdOf("orders"), deleteProtection: true }) },
    wished: { ...sales(), settings: aConfiguration({ database: dbIdOf("orders"), deleteProtection: true }) },
    preview: { fails: /^((?!new, empty).)*delete-protected/ },
    up: false,
  }),
);

describe("what holds:", () => {
  test.each(["read", "db:create", "db:configure", "db:delete"])("a token that lacks %s blocks no writes", (lacking) =>
    story({
      settings: withOrganizationId,
      before: orders(),
      outside: use({
        group: "default",
        scopes: ["read", "db:create", "db:configure", "db:delete"].filter((scope) => scope !== lacking),
      }),
      wished: sales(),
      preview: false,
      up: { fails: lacking, writes: [] },
      async afterwards(scene) {
        expect(await scene.here.databases()).toEqual({ orders: scene.firstId("orders") });
      },
    })(),
  );

  test(
    "a token of the group with these four scopes suffices",
    story({
      settings: withOrganizationId,
      before: orders(),
      outside: use({ group: "default", scopes: ["read", "db:create", "db:configure", "db:delete"] }),
      wished: sales(),
      expected: { changes: { orders: "replace keepData name" }, says: [/by a copy with its data/] },
    }),
  );

  test(
    "a database whose program blocks writes is refused in the preview",
    story({
      before: { ...orders(), settings: aConfiguration({ database: dbIdOf("orders"), blockWrites: true }) },
      wished: { ...sales(), settings: aConfiguration({ database: dbIdOf("orders"), blockWrites: true }) },
      expected: { fails: /already blocked/ },
      async afterwards(scene) {
        expect(await configurationOf(scene, "orders")).toMatchObject({ block_writes: true });
      },
    }),
  );

  test(
    "an old group that leaves the program is deleted after the copy",
    story({
      before: { tenants: aGroup(TENANTS), orders: aDatabase({ name: "orders", group: idOf("tenants") }) },
      wished: sales(),
      expected: {
        changes: { orders: "replace group keepData name", tenants: "delete" },
        says: [/by a copy with its data/],
      },
      async afterwards(scene) {
        expect(await scene.here.databases()).toEqual({ sales: scene.managed("orders").id });
      },
    }),
  );

  test(
    "the option alone sends nothing, when it is added and when it is removed",
    story({
      before: orders(),
      wished: orders({ keepData: true }),
      expected: { changes: { orders: "update keepData" } },
      up: { writes: [] },
      next: [{ wished: orders(), expected: { changes: { orders: "update keepData" } }, up: { writes: [] } }],
    }),
  );

  test(
    "an imported database is copied",
    story({
      past: async (scene) => {
        scene.facts.db = await scene.here.createDatabase("orders");
      },
      before: (scene) => ({ orders: aDatabase({ name: "orders", group: "default" }, { import: scene.fact("db") }) }),
      wished: sales(),
      expected: { changes: { orders: "replace keepData name" }, says: [/by a copy with its data/] },
    }),
  );
});
