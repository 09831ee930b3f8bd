import { resolve } from "node:path";
import { createClient, type Client as SqlClient } from "@libsql/client/http";
import { configurationNames } from "../../provider/resources/database/configuration-fields";
import { flagSettings } from "../configuration-flags";
import type { Declared } from "../fake-engine/declared-program";
import { archive } from "../lifecycle/archive";
import { interruptCopy } from "../lifecycle/kept-data-fixture";
import type { Example } from "./example";
import type { Platform } from "./platform";

const organizationSlug = "acme";

const tenants: Declared = { type: "Group", args: { name: "tenants", location: "aws-us-east-1" } };
const others: Declared = { type: "Group", args: { name: "others", location: "aws-us-east-1" } };
const orders: Declared = { type: "Database", args: { name: "orders", group: "default" } };
const sales: Declared = { type: "Database", args: { name: "sales", group: "default" } };
const dbIdOf = (of: string) => ({ of, output: "dbId" });

const databases = async ({ outside }: Platform) => (await outside.listDatabases({ organizationSlug })).databases;
const groups = async ({ outside }: Platform) => (await outside.listGroups({ organizationSlug })).groups;
const apiTokens = async ({ outside }: Platform) => (await outside.listApiTokens({ organizationSlug })).tokens;
const members = async ({ outside }: Platform) => (await outside.listMembers({ organizationSlug })).members;
const invites = async ({ outside }: Platform) => (await outside.listInvites({ organizationSlug })).invites;

const group: Example = {
  args: {
    name: "tenants",
    location: "aws-us-east-1",
    locations: ["aws-eu-west-1"],
    deleteProtection: false,
    forceDestroy: true,
  },
  changedArgs: {
    name: "customers",
    location: "aws-us-west-2",
    locations: ["aws-us-west-2"],
    extensions: ["all"],
    deleteProtection: true,
    forceDestroy: false,
    archived: true,
  },
  outside: {
    async look(id, platform) {
      const found = (await groups(platform)).find(({ uuid }) => uuid === id);
      if (!found) return undefined;
      const { name, primary: location, locations, delete_protection: deleteProtection, archived } = found;
      return { name, location, locations: locations.filter((code) => code !== location), deleteProtection, archived };
    },
    ids: async (platform) => (await groups(platform)).map(({ uuid }) => uuid),
    async change(id, { name, locations, deleteProtection, archived }, platform) {
      const { outside, api } = platform;
      const found = (await groups(platform)).find(({ uuid }) => uuid === id);
      const one = { organizationSlug, groupName: found?.name ?? "" };
      if (archived) await archive(api, id);
      if (typeof name === "string") await outside.renameGroup({ ...one, body: { name } });
      if (deleteProtection !== undefined)
        await outside.updateGroupConfiguration({ ...one, body: { delete_protection: Boolean(deleteProtection) } });
      for (const location of (locations as readonly string[]) ?? [])
        await outside.addGroupLocation({ ...one, location });
    },
    async delete(id, platform) {
      const found = (await groups(platform)).find(({ uuid }) => uuid === id);
      await platform.outside.deleteGroup({ organizationSlug, groupName: found?.name ?? "" });
    },
  },
};

const database: Example = {
  needs: { others },
  args: { name: "orders", group: "default" },
  changedArgs: {
    name: "sales",
    group: { of: "others", output: "id" },
    seed: { database: "staging" },
    sizeLimit: "1gb",
    encryption: { cipher: "aes256gcm", key: Buffer.alloc(32, 7).toString("base64") },
    engine: "tursodb",
    keepData: true,
    beingCopied: true,
  },
  outside: {
    async look(id, platform) {
      const all = await databases(platform);
      const found = all.find(({ DbId }) => DbId === id);
      const beingCopied = all.some(({ parent }) => parent?.id === id) || undefined;
      return found && { name: found.Name, groupName: found.group, hostname: found.Hostname, dbId: id, beingCopied };
    },
    ids: async (platform) => (await databases(platform)).map(({ DbId }) => DbId),
    async change(id, { beingCopied }, platform) {
      const name = (await databases(platform)).find(({ DbId }) => DbId === id)?.Name ?? "";
      if (beingCopied) await interruptCopy(platform, { id, name });
    },
    delete: (id, { outside, api }) =>
      outside.deleteDatabaseById({ organizationId: api.organizationId, databaseId: id }),
  },
};

const configurationOf = async (id: string, platform: Platform) => {
  const databaseName = (await databases(platform)).find(({ DbId }) => DbId === id)?.Name ?? "";
  return { organizationSlug, databaseName };
};

const configuration: Example = {
  needs: { orders, sales },
  args: {
    database: dbIdOf("orders"),
    sizeLimit: "1gb",
    ...flagSettings(true),
    allowedIps: ["10.0.0.0/8"],
    allowedAwsVpcIds: ["vpce-0123456789abcdef0"],
  },
  changedArgs: {
    database: dbIdOf("sales"),
    sizeLimit: "2gb",
    ...flagSettings(false),
    allowedIps: ["10.0.0.0/8", "192.168.0.1"],
    allowedAwsVpcIds: [],
  },
  outside: {
    look: async (id, platform) =>
      configurationNames.fromWire(
        await platform.outside.retrieveDatabaseConfiguration(await configurationOf(id, platform)),
      ),
    change: async (id, change, platform) =>
      platform.outside.updateDatabaseConfiguration({
        ...(await configurationOf(id, platform)),
        body: configurationNames.toWire(change),
      }),
  },
};

const apiToken: Example = {
  needs: { tenants, others },
  args: { name: "ci", group: { of: "tenants", output: "id" }, scopes: ["read-only"], keepers: { year: "1" } },
  changedArgs: {
    name: "deploy",
    group: { of: "others", output: "id" },
    scopes: ["full-access"],
    keepers: { year: "2" },
  },
  outside: {
    async look(id, platform) {
      const found = (await apiTokens(platform)).find((token) => token.id === id);
      return found && { name: found.name };
    },
    ids: async (platform) => (await apiTokens(platform)).map(({ id }) => id),
    delete: (tokenId, { outside }) => outside.revokeApiToken({ organizationSlug, tokenId }),
  },
};

const sqlToken = { expiration: "30d", authorization: "read-only", renewBefore: "1d", keepers: { year: "1" } } as const;
const otherSqlToken = {
  expiration: "60d",
  authorization: "full-access",
  renewBefore: "2d",
  keepers: { year: "2" },
} as const;

const databaseToken: Example = {
  needs: { orders, sales },
  args: { database: dbIdOf("orders"), ...sqlToken },
  changedArgs: { database: dbIdOf("sales"), ...otherSqlToken },
};

const groupToken: Example = {
  needs: { tenants, others },
  args: { group: { of: "tenants", output: "id" }, ...sqlToken },
  changedArgs: { group: { of: "others", output: "id" }, ...otherSqlToken },
};

const rotations: readonly Example[] = [
  {
    needs: { orders, sales },
    args: { database: dbIdOf("orders"), triggers: { quarter: "1" } },
    changedArgs: { database: dbIdOf("sales"), triggers: { quarter: "2" } },
  },
  {
    needs: { tenants, others },
    args: { group: { of: "tenants", output: "id" }, triggers: { quarter: "1" } },
    changedArgs: { group: { of: "others", output: "id" }, triggers: { quarter: "2" } },
  },
];

const organizationSettings: Example = {
  args: { overages: true, requireMfa: true, restoreEnabled: false },
  changedArgs: { overages: false, requireMfa: false, restoreEnabled: true },
  outside: {
    async look(_id, { outside }) {
      const { overages, require_mfa, restore_enabled } = (await outside.retrieveOrganization({ organizationSlug }))
        .organization;
      return { overages, requireMfa: require_mfa, restoreEnabled: restore_enabled };
    },
    change: (_id, { overages, requireMfa: require_mfa, restoreEnabled: restore_enabled }, { outside }) =>
      outside.updateOrganization({ organizationSlug, body: { overages, require_mfa, restore_enabled } as object }),
  },
};

const member: Example = {
  args: { username: "zoe", role: "viewer" },
  changedArgs: { username: "lea", role: "admin" },
  outside: {
    async look(id, platform) {
      const found = (await members(platform)).find(({ username }) => username === id);
      return found && { username: found.username, role: found.role };
    },
    ids: async (platform) => (await members(platform)).map(({ username }) => username),
    change: (username, { role }, { outside }) =>
      outside.updateMember({ organizationSlug, username, body: { role: role as "admin" } }),
    delete: (username, { outside }) => outside.removeMember({ organizationSlug, username }),
  },
};

const invite: Example = {
  args: { email: "lea@acme.example", role: "viewer" },
  changedArgs: { email: "zoe@acme.example", role: "admin" },
  outside: {
    async look(id, platform) {
      const found = (await invites(platform)).find(({ email }) => email === id);
      return found && { email: found.email, role: found.role };
    },
    ids: async (platform) => (await invites(platform)).map(({ email }) => email),
    change: (email, { role }, { outside }) =>
      outside.createInvite({ organizationSlug, body: { email, role: role as "admin" } }),
    delete: (email, { outside }) => outside.deleteInvite({ organizationSlug, email }),
  },
};

const inTenants: Declared = { type: "Database", args: { name: "orders", group: { of: "tenants", output: "id" } } };
const migrationsIn = (folder: string): string => resolve("test/laws/migrations", folder);

async function withDatabase<Result>(
  databaseId: string,
  { api, outside }: Platform,
  work: (client: SqlClient) => Promise<Result>,
): Promise<Result> {
  const { organizationId } = api;
  const { jwt } = await outside.createDatabaseTokenById({ organizationId, databaseId, query: {} });
  const client = createClient({ url: String(api.sql).replace("{DbId}", databaseId), authToken: jwt });
  try {
    return await work(client);
  } finally {
    client.close();
  }
}

/** Returns the hashes of the migrations of which the database has both the table and the row that lists it. */
const migrationsOf = (databaseId: string, platform: Platform): Promise<Record<string, string>> =>
  withDatabase(databaseId, platform, async (client) => {
    const tables = (await client.execute("select name from sqlite_schema where type = 'table'")).rows.map(
      ({ name }) => name,
    );
    if (!tables.includes("__dbplatform_migrations")) return {};
    const { rows } = await client.execute("select name, hash from __dbplatform_migrations");
    const listed = rows.map(({ name, hash }) => [String(name), String(hash)] as const);
    return Object.fromEntries(listed.filter(([name]) => tables.includes(name.slice("0001_".length))));
  });

/** Undoes a migration without the provider. */
const undoMigration = (databaseId: string, platform: Platform) =>
  withDatabase(databaseId, platform, (client) =>
    client.batch(["delete from __dbplatform_migrations where name = '0001_orders'", "drop table orders"]),
  );

const databaseInGroup = async (id: string, platform: Platform): Promise<string | undefined> => {
  const name = (await groups(platform)).find(({ uuid }) => uuid === id)?.name;
  return (await databases(platform)).find((one) => one.group === name)?.DbId;
};

const migrations: readonly Example[] = [
  {
    needs: { orders, sales },
    args: { database: dbIdOf("orders"), folder: migrationsIn("one"), outOfOrder: false, rehearse: false },
    changedArgs: {
      database: dbIdOf("sales"),
      folder: migrationsIn("two"),
      outOfOrder: true,
      rehearse: true,
      encryptionKey: Buffer.alloc(32, 7).toString("base64"),
      migrations: {},
    },
    irreversible: ["folder"],
    outside: {
      look: async (id, platform) => ({ database: id, migrations: await migrationsOf(id, platform) }),
      change: (id, _change, platform) => undoMigration(id, platform),
    },
  },
  {
    needs: { tenants, others, orders: inTenants },
    args: {
      group: { of: "tenants", output: "id" },
      folder: migrationsIn("one"),
      parallel: 2,
      onFailure: "stop",
    },
    changedArgs: {
      group: { of: "others", output: "id" },
      folder: migrationsIn("two"),
      parallel: 3,
      onFailure: "continue",
      canary: "orders",
      migrations: {},
    },
    irreversible: ["folder"],
    outside: {
      async look(id, platform) {
        const inGroup = await databaseInGroup(id, platform);
        return { group: id, ...(inGroup && { migrations: await migrationsOf(inGroup, platform) }) };
      },
      change: async (id, _change, platform) => undoMigration(String(await databaseInGroup(id, platform)), platform),
    },
  },
];

/** Examples of each resource type. */
export const examples: Readonly<Record<string, readonly Example[]>> = {
  Group: [group],
  Database: [database],
  DatabaseConfiguration: [configuration],
  DatabaseMigrations: migrations,
  ApiToken: [apiToken],
  DatabaseToken: [databaseToken],
  GroupToken: [groupToken],
  SigningKeyRotation: rotations,
  OrganizationSettings: [organizationSettings],
  Member: [member],
  Invite: [invite],
};
