import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Client } from "../../provider/client/organization-client";
import type { Declared } from "../fake-engine/declared-program";
import type { FakeEngine } from "../fake-engine/fake-engine";
import {
  aConfiguration,
  aDatabase,
  aDatabaseNamed,
  aDatabaseToken,
  aGroup,
  aGroupToken,
  aMember,
  anApiToken,
  anInvite,
  aRotation,
  type Declarations,
  dbIdOf,
  idOf,
  organizationSettings,
  someMigrations,
  tenants,
} from "../stories/declarations";
import { archive } from "./archive";
import type { LifecycleFixture } from "./lifecycle-fixture";

const organizationSlug = "acme";

export interface FaultScenario {
  readonly before?: Declarations | ((world: Happening) => Promise<Declarations>);
  /** Changes made outside Pulumi before the stack is updated. */
  readonly outside?: (world: Happening) => Promise<unknown>;
  readonly wished: Declarations | ((world: Happening) => Declarations);
}

interface Happening {
  readonly stack: FakeEngine;
  readonly outside: Client;
  readonly here: LifecycleFixture;
}

const orders = aDatabaseNamed("orders");
const configured = (args: Parameters<typeof aConfiguration>[0]): Declared =>
  aConfiguration({ database: dbIdOf("orders"), ...args });

const inTenants = (name: string): Declared => aDatabaseNamed(name, idOf("tenants"));

const managedId = ({ stack }: Happening, name: string): string => String(stack.managed.get(name)?.id);

async function deleteOutside(happening: Happening, name: string): Promise<unknown> {
  const { outside, here } = happening;
  const [organizationId, databaseId] = [here.api.organizationId, managedId(happening, name)];
  return outside.deleteDatabaseById({ organizationId, databaseId });
}

const makeOutside = ({ outside }: Happening, name: string, more: object = {}) =>
  outside.createDatabase({ organizationSlug, body: { name, group: "default", ...more } });

const rotating = (quarter: string): Declarations => ({
  tenants,
  orders: inTenants("orders"),
  ofOrders: aRotation({ database: dbIdOf("orders"), triggers: { quarter } }),
  ofTenants: aRotation({ group: idOf("tenants"), triggers: { quarter } }),
  app: aDatabaseToken({
    database: dbIdOf("orders"),
    keepers: { generation: { of: "ofOrders", output: "generation" } },
  }),
  apps: aGroupToken({
    group: idOf("tenants"),
    keepers: { generation: { of: "ofTenants", output: "generation" } },
  }),
});

function aDump(): string {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-dump-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "orders.sql");
  writeFileSync(path, "create table orders (id integer);\n");
  return path;
}

let importedId = "";

export const faultScenarios: Readonly<Record<string, FaultScenario>> = {
  "creating a group": {
    wished: {
      tenants: aGroup({
        name: "tenants",
        location: "aws-us-east-1",
        locations: ["aws-eu-west-1"],
        deleteProtection: true,
      }),
    },
  },
  "changing every property of a group": {
    before: { tenants: aGroup({ name: "tenants", location: "aws-us-east-1", locations: ["aws-eu-west-1"] }) },
    wished: {
      tenants: aGroup({
        name: "customers",
        location: "aws-us-east-1",
        locations: ["aws-us-west-2"],
        deleteProtection: true,
      }),
    },
  },
  "unarchiving a group archived outside": {
    before: { tenants },
    outside: (world) => archive(world.here.api, managedId(world, "tenants")),
    wished: { tenants },
  },
  "declaring the settings of an organization": {
    wished: { acme: organizationSettings({ overages: true, requireMfa: true, restoreEnabled: false }) },
  },
  "correcting the settings of an organization changed outside": {
    before: { acme: organizationSettings({ requireMfa: true, restoreEnabled: true }) },
    outside: async ({ outside }) => {
      await outside.updateOrganization({ organizationSlug, body: { require_mfa: false, overages: true } });
      await outside.updateOrganization({ organizationSlug, body: { restore_enabled: false } });
    },
    wished: { acme: organizationSettings({ requireMfa: true, restoreEnabled: true }) },
  },
  "adding a member": { wished: { zoe: aMember({ username: "zoe", role: "viewer" }) } },
  "correcting the role of a member changed outside": {
    before: { zoe: aMember({ username: "zoe", role: "viewer" }) },
    outside: ({ outside }) => outside.updateMember({ organizationSlug, username: "zoe", body: { role: "admin" } }),
    wished: { zoe: aMember({ username: "zoe", role: "viewer" }) },
  },
  "adding a member again after the removal outside": {
    before: { zoe: aMember({ username: "zoe", role: "member" }) },
    outside: ({ outside }) => outside.removeMember({ organizationSlug, username: "zoe" }),
    wished: { zoe: aMember({ username: "zoe", role: "member" }) },
  },
  "importing a member": { wished: { max: aMember({ username: "max", role: "admin" }, { import: "max" }) } },
  "removing a member": { before: { zoe: aMember({ username: "zoe", role: "member" }) }, wished: {} },
  "inviting a person": { wished: { lea: anInvite({ email: "Lea@acme.example", role: "viewer" }) } },
  "changing the role in an invite": {
    before: { lea: anInvite({ email: "lea@acme.example", role: "viewer" }) },
    wished: { lea: anInvite({ email: "lea@acme.example", role: "admin" }) },
  },
  "inviting a person again after the invite was withdrawn": {
    before: { lea: anInvite({ email: "lea@acme.example", role: "viewer" }) },
    outside: ({ outside }) => outside.deleteInvite({ organizationSlug, email: "lea@acme.example" }),
    wished: { lea: anInvite({ email: "lea@acme.example", role: "viewer" }) },
  },
  "keeping an invite that was accepted": {
    before: { zoe: anInvite({ email: "zoe@users.example", role: "viewer" }) },
    outside: ({ outside }) => outside.addMember({ organizationSlug, body: { username: "zoe", role: "viewer" } }),
    wished: { zoe: anInvite({ email: "zoe@users.example", role: "viewer" }) },
  },
  "withdrawing an invite": { before: { lea: anInvite({ email: "lea@acme.example", role: "viewer" }) }, wished: {} },
  "deleting a group with everything in it": {
    before: { tenants, orders: inTenants("orders") },
    wished: {},
  },
  "restoring a group deleted outside with its database": {
    before: { tenants, orders: inTenants("orders") },
    outside: ({ outside }) => outside.deleteGroup({ organizationSlug, groupName: "tenants" }),
    wished: { tenants, orders: inTenants("orders") },
  },
  "importing a deleted group": {
    outside: async ({ outside }) => {
      const made = await outside.createGroup({
        organizationSlug,
        body: { name: "tenants", location: "aws-us-east-1" },
      });
      importedId = made.group.uuid;
      await outside.deleteGroup({ organizationSlug, groupName: "tenants" });
    },
    wished: () => ({ tenants: aGroup({ name: "tenants", location: "aws-us-east-1" }, { import: importedId }) }),
  },
  "creating a database with its configuration": {
    wished: { orders, limits: configured({ sizeLimit: "1gb", blockWrites: true, allowedIps: ["10.0.0.0/8"] }) },
  },
  "copying a database": {
    outside: (world) => makeOutside(world, "staging"),
    wished: { copy: aDatabase({ name: "copy", group: "default", seed: { database: "staging" } }) },
  },
  "creating a database from a dump": {
    wished: () => ({ orders: aDatabase({ name: "orders", group: "default", seed: { dumpFile: aDump() } }) }),
  },
  "restoring and configuring a database deleted outside": {
    before: { orders, limits: configured({ blockWrites: true }) },
    outside: (world) => deleteOutside(world, "orders"),
    wished: { orders, limits: configured({ blockWrites: true, allowAttach: true }) },
  },
  "importing a deleted database under another name": {
    outside: async (world) => {
      importedId = (await makeOutside(world, "old")).database.DbId;
      await world.outside.deleteDatabaseById({
        organizationId: world.here.api.organizationId,
        databaseId: importedId,
      });
    },
    wished: () => ({ orders: aDatabase({ name: "orders", group: "default" }, { import: importedId }) }),
  },
  "importing a live database": {
    outside: async (world) => {
      importedId = (await makeOutside(world, "orders")).database.DbId;
    },
    wished: () => ({ orders: aDatabase({ name: "orders", group: "default" }, { import: importedId }) }),
  },
  "replacing a database with one of another name": {
    before: { orders },
    wished: { orders: aDatabase({ name: "sales", group: "default" }) },
  },
  "replacing a database with one in another group": {
    before: { orders },
    wished: { orders: aDatabase({ name: "orders", group: "other" }) },
  },
  "deleting a database": { before: { orders, limits: configured({ blockReads: true }) }, wished: {} },
  "correcting a configuration changed outside": {
    before: { orders, limits: configured({ blockWrites: true, sizeLimit: "1gb" }) },
    outside: ({ outside }) =>
      outside.updateDatabaseConfiguration({
        organizationSlug,
        databaseName: "orders",
        body: { block_writes: false, size_limit: "2gb" },
      }),
    wished: { orders, limits: configured({ blockWrites: true, sizeLimit: "1gb" }) },
  },
  "correcting addresses changed outside": {
    before: { orders, limits: configured({ allowedIps: ["10.0.0.0/8"] }) },
    outside: ({ outside }) =>
      outside.updateDatabaseConfiguration({ organizationSlug, databaseName: "orders", body: { allowed_ips: [] } }),
    wished: { orders, limits: configured({ allowedIps: ["10.0.0.0/8"] }) },
  },
  "creating a database with its tables": {
    wished: { orders, schema: someMigrations({ database: dbIdOf("orders"), folder: "test/laws/migrations/two" }) },
  },
  "migrating all databases of a group": {
    before: { orders, schema: someMigrations({ group: "default", folder: "test/laws/migrations/one" }) },
    outside: (world) => makeOutside(world, "sales"),
    wished: {
      orders,
      schema: someMigrations({ group: "default", folder: "test/laws/migrations/two" }),
    },
  },
  "minting API tokens": {
    wished: { ci: anApiToken({ name: "ci" }), app: anApiToken({ name: "app", group: "default", scopes: ["read"] }) },
  },
  "replacing an API token under its name": {
    before: { ci: anApiToken({ name: "ci", keepers: { year: "1" } }) },
    wished: { ci: anApiToken({ name: "ci", keepers: { year: "2" } }) },
  },
  "minting an API token again after its revocation outside": {
    before: { ci: anApiToken({ name: "ci" }) },
    outside: (world) => world.outside.revokeApiToken({ organizationSlug, tokenId: managedId(world, "ci") }),
    wished: { ci: anApiToken({ name: "ci" }) },
  },
  "minting an imported API token again after its revocation": {
    before: async ({ outside }) => {
      const { id } = await outside.createApiToken({ tokenName: "ci", body: { organization: organizationSlug } });
      return { ci: anApiToken({ name: "ci" }, { import: id }) };
    },
    outside: (world) => world.outside.revokeApiToken({ organizationSlug, tokenId: managedId(world, "ci") }),
    wished: { ci: anApiToken({ name: "ci" }) },
  },
  "revoking an API token": { before: { ci: anApiToken({ name: "ci" }) }, wished: {} },
  "issuing SQL-engine tokens": { before: { tenants, orders: inTenants("orders") }, wished: rotating("1") },
  "rotating signing keys": { before: rotating("1"), wished: rotating("2") },
};

/** Returns descriptions of the organization and of each live or restorable resource in it, by id. */
export async function objectsIn({ api }: LifecycleFixture, outside: Client): Promise<Map<string, string>> {
  const { organizationId } = api;
  const { groups } = await outside.listGroups({ organizationSlug });
  const { databases } = await outside.listDatabases({ organizationSlug });
  const { tokens } = await outside.listApiTokens({ organizationSlug });
  const deleted = await outside.listDeletedDatabases({ organizationId, query: { deleted: "true" } });
  const gone = await outside.listDeletedGroups({ organizationId });
  const objects = new Map<string, string>();
  const tell = (id: string, ...told: unknown[]) => objects.set(id, JSON.stringify(told));
  const { overages, require_mfa, restore_enabled } = (await outside.retrieveOrganization({ organizationSlug }))
    .organization;
  tell(organizationId, "organization", overages, require_mfa, restore_enabled);
  const { members } = await outside.listMembers({ organizationSlug });
  for (const { username, role } of members) tell(username, "member", role);
  const { invites } = await outside.listInvites({ organizationSlug });
  for (const { email, role } of invites) tell(email, "invite", role);
  for (const { uuid, name, locations, delete_protection, archived } of groups)
    tell(uuid, "group", name, locations.toSorted(), delete_protection, archived);
  for (const { id, name, group: pinned, scopes } of tokens) tell(id, "token", name, pinned, scopes);
  for (const { DbId, Name } of deleted.databases) tell(DbId, "deleted database", Name);
  for (const { uuid, name } of gone.groups) tell(uuid, "deleted group", name);
  for (const { DbId, Name, group: groupName, parent } of databases) {
    const configuration = await outside.retrieveDatabaseConfiguration({ organizationSlug, databaseName: Name });
    tell(DbId, "database", Name, groupName, parent?.name, configuration);
  }
  return objects;
}
