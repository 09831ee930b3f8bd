// @module-tag more
// @module-tag no-database-is-lost
// @module-tag nothing-is-created-twice-or-adopted
// @module-tag tokens

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseConfigurationArgs } from "pulumi-dbplatform";
import * as dynamic from "pulumi-dbplatform/dynamic";
import { expect, test } from "vitest";
import { settingsTakenOver } from "../../kit/lifecycle/messages";
import { planHidesDeleted } from "../../provider/resources/messages";
import { full } from "../full";
import { type EngineFixture, engineFixture } from "./engine-fixture";
import { connect, fill, namesIn } from "./rows";

const organizationSlug = "acme";

test("with dynamic providers, stays in the state, and is restored after a plan upgrade", async () => {
  const here = await engineFixture();
  const stack = await here.stack(async () => {
    const group = new dynamic.Group("tenants", { name: "tenants", location: "aws-us-east-1" });
    const { dbId } = new dynamic.Database("inside", { name: "inside", group: group.id });
    return { group: group.id, dbId };
  });
  await stack.deploy();
  const first = await stack.outputs();
  await here.outside.deleteGroup({ organizationSlug, groupName: "tenants" });
  await here.api.plan("starter");
  expect(await stack.refresh()).toMatchObject({ code: 0 });
  const refused = await stack.up();
  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain(planHidesDeleted({ organization: "acme" }));
  await here.api.plan("scaler");
  expect(await stack.up({ refresh: true })).toMatchObject({ code: 0 });
  expect(await stack.outputs()).toEqual(first);
  expect(await here.databases()).toEqual({ inside: first.dbId });

  await here.outside.deleteGroup({ organizationSlug, groupName: "tenants" });
  await here.api.plan("starter");
  here.takeWrites();
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(here.takeWrites()).toEqual([]);
});

test("with dynamic providers, brings the data of a database along to another name", async () => {
  const here = await engineFixture({ sql: true });
  const { jwt } = await here.outside.createGroupToken({ organizationSlug, groupName: "default" });
  const given = { name: "orders" };
  const stack = await here.stack(async () => {
    const { dbId, parent } = new dynamic.Database("orders", { ...given, group: "default", keepData: true });
    return { dbId, parent };
  });
  await stack.deploy();
  const { dbId } = await stack.outputs();
  await fill(connect(here.api, dbId, jwt), "tea");
  given.name = "sales";
  expect(await stack.up()).toMatchObject({ code: 0 });
  const now = await stack.outputs();
  expect(now).toMatchObject({ parent: { dbId } });
  expect(await namesIn(connect(here.api, now.dbId, jwt))).toEqual(["tea"]);
  expect(await here.databases()).toEqual({ sales: now.dbId });
});

type Declared = Readonly<
  Record<string, readonly [database: string, wanted: Omit<DatabaseConfigurationArgs, "database">]>
>;

const BLOCKED = { property: "blockWrites", is: true, byDefault: false };
const UNREADABLE = { property: "blockReads", is: true, byDefault: false };

const configurationOf = ({ outside }: EngineFixture, databaseName: string) =>
  outside.retrieveDatabaseConfiguration({ organizationSlug, databaseName });

test("with dynamic providers, refuses to leave settings in force that no resource names", async () => {
  const here = await engineFixture();
  let declared: Declared = { a: ["x", { blockWrites: true }], b: ["y", { blockReads: true }] };
  const stack = await here.stack(async () => {
    const databases = ["x", "y"].map((name) => [name, new dynamic.Database(name, { name, group: "default" }).dbId]);
    const byName = Object.fromEntries(databases);
    for (const [name, [database, wanted]] of Object.entries(declared))
      new dynamic.DatabaseConfiguration(name, { database: byName[database], ...wanted });
  });
  await stack.deploy();
  const ids = await here.databases();
  const logicalName = (name: string) => `DatabaseConfiguration "${name}"`;
  const left = [
    settingsTakenOver({
      subject: `database ${ids.x}`,
      from: logicalName("a"),
      to: logicalName("b"),
      remaining: [BLOCKED],
    }),
    settingsTakenOver({
      subject: `database ${ids.y}`,
      from: logicalName("b"),
      to: logicalName("a"),
      remaining: [UNREADABLE],
    }),
  ];
  here.takeWrites();
  declared = { a: ["y", { blockWrites: true }], b: ["x", { blockReads: true }] };
  const refused = await stack.preview();
  expect(refused.code).not.toBe(0);
  for (const text of left) expect(refused.output).toContain(text);
  expect(here.takeWrites()).toEqual([]);
  declared = { a: ["y", { blockWrites: true, blockReads: false }], b: ["x", { blockReads: true, blockWrites: true }] };
  expect(await stack.preview()).toMatchObject({ code: 0 });
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await configurationOf(here, "x")).toMatchObject({ block_reads: true, block_writes: true });
  expect(await configurationOf(here, "y")).toMatchObject({ block_reads: false, block_writes: true });

  // A preview calls no dynamic provider about a resource that is no longer declared.
  declared = { a: declared.a ?? ["y", {}], c: ["x", { blockReads: true }] };
  expect(await stack.preview()).toMatchObject({ code: 0 });
  const renamed = await stack.up();
  expect(renamed.code).not.toBe(0);
  const from = `DatabaseConfiguration ${ids.x}`;
  const text = settingsTakenOver({ subject: `database ${ids.x}`, from, to: logicalName("c"), remaining: [BLOCKED] });
  expect(renamed.output).toContain(text);
  declared = { ...declared, c: ["x", { blockReads: true, blockWrites: false }] };
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await configurationOf(here, "x")).toMatchObject({ block_reads: true, block_writes: false });
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
});

test("manages members and invites with the dynamic providers", async () => {
  const here = await engineFixture();
  const { outside, takeWrites } = here;
  const stack = await here.stack(async () => {
    new dynamic.Member("zoe", { username: "zoe", role: "viewer" });
    new dynamic.Invite("lea", { email: "lea@acme.example", role: "viewer" });
  });
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(takeWrites().sort()).toEqual(["addMember", "createInvite"]);
  await outside.updateMember({ organizationSlug, username: "zoe", body: { role: "admin" } });
  takeWrites();
  expect(await stack.up({ refresh: true })).toMatchObject({ code: 0 });
  expect(takeWrites()).toEqual(["updateMember"]);
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  const { members } = await outside.listMembers({ organizationSlug });
  expect(members.map(({ username }) => username)).not.toContain("zoe");
});

test("manages the settings of an organization with the dynamic provider", async () => {
  const here = await engineFixture();
  const { api, outside, takeWrites } = here;
  const stack = await here.stack(async () => {
    const { id } = new dynamic.OrganizationSettings("acme", { restoreEnabled: true });
    return { id };
  });
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await stack.outputs()).toEqual({ id: api.organizationId });
  await outside.updateOrganization({ organizationSlug, body: { restore_enabled: false } });
  takeWrites();
  expect(await stack.up({ refresh: true })).toMatchObject({ code: 0 });
  expect(takeWrites()).toEqual(["updateOrganization"]);
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  const { organization } = await outside.retrieveOrganization({ organizationSlug });
  expect(organization.restore_enabled).toBe(true);
});

test("creates an encrypted copy with the dynamic provider, and refuses a copy without the key", async () => {
  const here = await engineFixture();
  const encryption = { cipher: "aes128gcm", key: Buffer.alloc(16, 7).toString("base64") } as const;
  let copied = {};
  const stack = await here.stack(async () => {
    const { dbId } = new dynamic.Database("orders", { name: "orders", group: "default", encryption });
    const seed = { database: dbId };
    const copy = new dynamic.Database("copy", { name: "copy", group: "default", seed, ...copied });
    return { cipher: copy.encryptionCipher };
  });
  const refused = await stack.up();
  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain('database "orders" is encrypted');
  copied = { encryption };
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await stack.outputs()).toEqual({ cipher: "aes128gcm" });
  expect(stack.filesWith(encryption.key)).toEqual([]);
});

const DUMP = "create table t (x);";

test.runIf(full)("with the dynamic provider, seeds each database once, from another database or a dump", async () => {
  const here = await engineFixture();
  const orders = await here.createDatabase("orders");
  here.takeWrites();
  const stack = await here.stack(async () => {
    const { parent } = new dynamic.Database("copy", { name: "copy", group: "default", seed: { database: orders } });
    new dynamic.Database("dumped", { name: "dumped", group: "default", seed: { dumpFile: "orders.sql" } });
    return { parent: parent.apply((parent) => parent?.dbId) };
  });
  const dump = join(stack.folder, "project/orders.sql");
  writeFileSync(dump, DUMP);
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await stack.outputs()).toEqual({ parent: orders });
  const { database } = await here.outside.retrieveDatabaseUsage({ organizationSlug, databaseName: "dumped" });
  expect(database.usage?.storage_bytes).toBe(DUMP.length);
  here.takeWrites();
  rmSync(dump);
  expect(await stack.up({ refresh: true, expectNoChanges: true })).toMatchObject({ code: 0 });
  expect(here.takeWrites()).toEqual([]);
});

const verified = ({ api }: EngineFixture, token: unknown, dbId: unknown): Promise<boolean> =>
  api.verifySqlToken(String(token), String(dbId)).then(
    () => true,
    () => false,
  );

/** Returns the audit-log entries for created and revoked API tokens, oldest first. */
async function changesOfApiTokens({ outside }: EngineFixture): Promise<string[]> {
  const { audit_logs } = await outside.listAuditLogs({ organizationSlug });
  return audit_logs
    .reverse()
    .filter(({ code }) => code.startsWith("user-token-"))
    .map(({ code, data }) => `${code.replace("user-token-", "")} ${data.id}`);
}

test.runIf(full)(
  "with the dynamic provider, rotates signing keys before issuing new tokens, and revokes old API tokens",
  async () => {
    const here = await engineFixture();
    let turn = "1";
    const stack = await here.stack(async () => {
      const database = new dynamic.Database("orders", { name: "orders", group: "default" }).dbId;
      const { generation } = new dynamic.SigningKeyRotation("default", { group: "default", triggers: { turn } });
      const app = new dynamic.DatabaseToken("app", { database, keepers: { generation } });
      const wide = new dynamic.GroupToken("wide", { group: "default", keepers: { generation } });
      const made = new dynamic.ApiToken("made", { keepers: { turn } });
      // Depends on the other token, so that both tokens always change in the same order.
      const fixed = new dynamic.ApiToken("fixed", { name: "fixed", keepers: { turn } }, { dependsOn: made });
      return { database, generation, app: app.token, wide: wide.token, made: made.id, fixed: fixed.id };
    });
    expect(await stack.up()).toMatchObject({ code: 0 });
    const before = await stack.outputs();
    here.takeWrites();
    turn = "2";
    expect(await stack.up()).toMatchObject({ code: 0 });
    const after = await stack.outputs();
    const writes = here.takeWrites();
    const ofSqlTokens = writes.filter((operation) => !operation.endsWith("ApiToken"));
    expect(ofSqlTokens[0]).toBe("rotateGroupTokens");
    expect(ofSqlTokens.slice(1).sort()).toEqual(["createDatabaseTokenById", "createGroupTokenById"]);
    expect([before.generation, after.generation]).toEqual(["0", "1"]);
    for (const token of [before.app, before.wide]) expect(await verified(here, token, before.database)).toBe(false);
    for (const token of [after.app, after.wide]) expect(await verified(here, token, before.database)).toBe(true);

    expect(await changesOfApiTokens(here)).toEqual([
      `create ${before.made}`,
      `create ${before.fixed}`,
      `create ${after.made}`,
      `revoke ${before.fixed}`,
      `create ${after.fixed}`,
      `revoke ${before.made}`,
    ]);
    for (const secret of [after.app, after.wide]) expect(stack.filesWith(String(secret))).toEqual([]);
  },
);

test("with dynamic providers, replaces tokens when the program adds `keepers`", async () => {
  const here = await engineFixture();
  let keepers: { month: string } | undefined;
  const stack = await here.stack(async () => {
    const ci = new dynamic.ApiToken("ci", { name: "ci", ...(keepers && { keepers }) });
    const app = new dynamic.GroupToken("app", { group: "default", ...(keepers && { keepers }) });
    return { ci: ci.id, app: app.id };
  });
  await stack.deploy();
  const before = await stack.outputs();
  keepers = { month: "12" };
  const preview = await stack.preview();
  expect(preview.output).toContain("2 to replace");
  here.takeWrites();
  await stack.deploy();
  const after = await stack.outputs();
  expect([after.ci === before.ci, after.app === before.app]).toEqual([false, false]);
  const { tokens } = await here.outside.listApiTokens({ organizationSlug });
  expect(tokens.filter(({ name }) => name === "ci").map(({ id }) => id)).toEqual([after.ci]);
});
