import { z } from "zod";
import { eachPage, readPages } from "../../platform/client/pages";
import { unlessAbsent } from "../../platform/client/refusal";
import type { Database as DatabaseRecord } from "../../platform/contract/database";
import { longestName, nameProblemIn } from "../../platform/values/name";
import { canonicalUuid, isUuid } from "../../platform/values/uuid";
import { scopeMissing } from "./caller";
import {
  type DeletedRecord,
  databaseRestoreRefusal,
  describeDeletion,
  eachDeletedDatabase,
  findDeletedDatabase,
  recentlyDeleted,
} from "./deleted-database";
import { deletion, restorableUntil, whileDeleted } from "./deletion";
import { groupMissing, groupReference, mustSeeGroup, withGroup } from "./group-reference";
import type { Platform } from "./platform";
import { renaming } from "./renaming";
import { type Listed, resource } from "./resource";
import { madeFrom, preparedSeed, Seed, wireSeed, withoutSecretsOf } from "./seed";
import { seeding } from "./seeding";
import { size } from "./size";

const args = z.object({
  name: z
    .string()
    .optional()
    .describe(
      "Name, unique among the living databases of the organization: lowercase letters, digits and hyphens. Left out, it is made from the resource's name.",
    ),
  group: z.string().describe("The group that holds the database: its UUID (`group.id`) or its name."),
  seed: Seed.optional().describe(
    "What the database holds from its beginning: a copy of another one (`database`, as of a `timestamp`), or a dump (`dumpFile`, `dumpUrl`). Used at creation alone, also of a replacement: a later change of it is told, and does nothing. What is imported or restored keeps its own data.",
  ),
  sizeLimit: z
    .string()
    .optional()
    .describe(
      'Largest size of the database from its beginning: whole bytes, or a number with a unit ("256mb", "1gb"). Used at creation alone; from then on `sizeLimit` of a DatabaseConfiguration manages it.',
    ),
});

const Parent = z
  .object({
    dbId: z.uuid().describe("DbId of the database that was copied."),
    name: z.string().describe("Its name at that time."),
    branchedAt: z.iso.datetime().describe("The moment of its data (RFC 3339)."),
  })
  .meta({ typeName: "DatabaseParent" });

const state = z.object({
  ...args.required({ name: true }).shape,
  dbId: z.uuid().describe("UUID of the database. It stays the same through deletion and restoration."),
  hostname: z.string().describe("DNS name for client and HTTP connections, without a scheme."),
  groupId: z.uuid().describe("UUID of the group that holds the database."),
  groupName: z.string().describe("Name of the group that holds the database."),
  organizationId: z.uuid().describe("UUID of the organization that owns the database."),
  regions: z.array(z.string()).describe("Codes of the locations where the database is."),
  primaryRegion: z.string().describe("Code of the primary location."),
  parent: Parent.optional().describe("The database that this one was copied from. Absent: it was not copied from one."),
  ...deletion,
  groupDeletedAt: whileDeleted(
    "When the group was deleted together with the database (RFC 3339). Restoring the database revives the group.",
  ),
});

/** What there is to tell of a database, in our own names. */
export const databaseFields = state.shape;

export type DatabaseArgs = z.output<typeof args> & { name: string };
export type DatabaseState = z.output<typeof state>;

export const databaseNames = renaming({
  name: "Name",
  dbId: "DbId",
  hostname: "Hostname",
  groupId: "group_id",
  groupName: "group",
  regions: "regions",
  primaryRegion: "primaryRegion",
  deletedAt: "deleted_at",
  groupDeletedAt: "group_deleted_at",
});

const LONGEST_SNAPSHOT = 5000;

export const database = resource<DatabaseArgs, DatabaseState>({
  type: "Database",
  description:
    "A database in a group. Deleted outside, it is shown as deleted by the next preview and restored with its data by the next update, for five days; `import` with the DbId of a deleted database restores that one.",
  args,
  state,
  names: databaseNames,
  marks: {
    name: {
      replaces: true,
      restores: true,
      alters: ["hostname"],
      named: { longest: longestName },
      meaning: { problem: nameProblemIn },
    },
    group: { replaces: true, meaning: groupReference },
    seed: { createOnly: "Only a new database can be seeded.", meaning: seeding },
    sizeLimit: {
      createOnly: "A DatabaseConfiguration changes the limit: set its `sizeLimit`.",
      meaning: size,
    },
  },

  async idProblem(id, { client, organization }) {
    if (isUuid(id)) return undefined;
    const uuid = canonicalUuid(id);
    if (uuid) return `a DbId is written as the platform writes it: \`import: "${uuid}"\``;
    const named = await client
      .retrieveDatabase({ organizationSlug: organization.slug, databaseName: id })
      .catch(unlessAbsent);
    return named
      ? `a database is imported by its DbId, not by its name: \`import: "${named.database.DbId}"\``
      : `"${id}" is not a DbId (a UUID, as \`dbId\` shows it), and no live database has that name`;
  },

  async read(id, known, from, platform) {
    const recent = from === "snapshot" ? await recentlyListed(platform) : undefined;
    const listed = recent?.isCurrent(id) ? recent.items.byId.get(id) : undefined;
    const listedDeleted = recent && !listed ? await recentlyDeleted(id, platform) : undefined;
    const live = listed ?? (listedDeleted ? undefined : await retrieve(id, platform));
    if (live) return { found: "live", state: await stateOf(live, platform) };

    const { deleted, hidden } = listedDeleted
      ? { deleted: listedDeleted, hidden: undefined }
      : await findDeletedDatabase(id, platform);
    if (deleted) {
      const state = {
        ...(await stateOf(deleted, platform)),
        parent: known?.parent,
        restorableUntil: restorableUntil(deleted.deleted_at),
      };
      return { found: "deleted", state, message: describeDeletion(deleted) };
    }
    mustSeeGroup(known?.groupId, platform);
    return {
      found: "gone",
      message: `a database with the DbId ${id} never existed in organization "${platform.organization.slug}", or its five days have passed, or it was transferred to another one${hidden ? ` (${hidden})` : ""}${platform.credential.groupId ? `; this API token sees group ${platform.credential.groupId} alone` : ""}`,
    };
  },

  async *list({ deleted }, platform) {
    if (deleted)
      for await (const { DbId, Name, group_id, deleted_at } of eachDeletedDatabase(platform))
        yield { id: DbId, name: Name, parent: group_id, deletedAt: deleted_at };
    else for await (const record of everyDatabase(platform)) yield listed(record, await groupIdOf(record, platform));
  },

  async ids(platform) {
    const { byId, whole } = (await recentlyListed(platform)).items;
    return whole ? new Set(byId.keys()) : undefined;
  },

  async holder({ name }, platform, from) {
    if (from === "snapshot" && (await isFree(name, platform))) return undefined;
    const { client, organization } = platform;
    const found = await client
      .retrieveDatabase({ organizationSlug: organization.slug, databaseName: name })
      .catch(unlessAbsent);
    return found && { id: found.database.DbId, state: await stateOf(found.database, platform) };
  },

  prepare: async (wanted, platform) =>
    wanted.seed ? { ...wanted, seed: await preparedSeed(wanted.seed, platform) } : wanted,

  async create({ name, group: wanted, seed, sizeLimit }, platform) {
    const { client, organization } = platform;
    // Looked up before, so that nothing can fail once the database is there.
    const organizationId = await organization.id(client);
    return withGroup(wanted, platform, async ({ uuid, name: groupName, locations, primary }) => {
      const body = { name, group: groupName, seed: seed && wireSeed(seed), size_limit: sizeLimit };
      const { database } = await client
        .createDatabase({ organizationSlug: organization.slug, body })
        .catch(withoutSecretsOf(seed));
      const group = { group: uuid, groupId: uuid, groupName, regions: locations, primaryRegion: primary };
      const own = { name: database.Name, dbId: database.DbId, hostname: database.Hostname };
      // The answer does not tell the parent, and the database is there whether it can be asked for or not.
      const record = seed?.database && (await retrieve(database.DbId, platform).catch(() => undefined));
      return { id: database.DbId, state: { ...own, ...group, organizationId, ...parentOf(record || {}) } };
    });
  },

  madeWith: ({ seed }, found) => madeFrom(seed, found),

  async restore(id, deleted, { name }, platform) {
    const { client, organization } = platform;
    const { database } = await client.restoreDatabase({
      organizationId: await organization.id(client),
      databaseId: id,
      ...(name === deleted.name ? {} : { body: { name } }),
    });
    // The answer may still say when it was deleted (§4.1); it lives now.
    const live = await stateOf({ ...database, deleted_at: undefined, group_deleted_at: undefined }, platform);
    return { ...live, parent: deleted.parent };
  },

  restoredWith: ({ groupDeletedAt, groupId, groupName }) =>
    groupDeletedAt === undefined ? undefined : { id: groupId, name: groupName },

  async delete(id, _observed, { client, organization }) {
    await client.deleteDatabaseById({ organizationId: await organization.id(client), databaseId: id });
  },

  refusal: {
    create: async ({ group }, platform) =>
      scopeMissing("db:create", platform) ?? (group === undefined ? undefined : groupMissing(group, platform)),
    restore: databaseRestoreRefusal,
    async delete(id, { name }, platform) {
      const record = await retrieve(id, platform);
      return record?.delete_protection
        ? `database "${name}" is delete-protected: set deleteProtection: false, run \`pulumi up\`, then try again`
        : undefined;
    },
  },
});

type LiveRecord = Pick<
  z.output<typeof DatabaseRecord>,
  "Name" | "DbId" | "Hostname" | "group" | "group_id" | "regions" | "primaryRegion" | "parent"
>;

/** `group` is the UUID here; `lifecycle/` keeps what the program wrote where that means the same. */
async function stateOf(record: LiveRecord | DeletedRecord, platform: Platform): Promise<DatabaseState> {
  const { client, organization } = platform;
  const group_id = await groupIdOf(record, platform);
  const own = databaseNames.fromWire({ ...record, group_id });
  const organizationId = await organization.id(client);
  return { ...own, ...parentOf(record), group: group_id ?? record.group, organizationId } as DatabaseState;
}

/** Of which database a record is a copy, as a property that is absent where it is none. */
export function parentOf(record: object): Pick<DatabaseState, "parent"> {
  const { parent } = record as Pick<LiveRecord, "parent">;
  return parent ? { parent: { dbId: parent.id, name: parent.name, branchedAt: parent.branched_at } } : {};
}

/** The documented record of a database lacks the UUID of its group. */
const groupIdOf = async (
  { group_id, group }: Pick<LiveRecord, "group_id" | "group">,
  { organization, client }: Platform,
): Promise<string | undefined> => group_id ?? (await organization.group(group, client))?.uuid;

const listed = ({ DbId, Name }: LiveRecord, parent: string | undefined): Listed => ({
  id: DbId,
  name: Name,
  ...(parent === undefined ? {} : { parent }),
});

async function* everyDatabase({ client, organization }: Platform): AsyncGenerator<LiveRecord> {
  const fetch = (query: object) => client.listDatabases({ organizationSlug: organization.slug, query });
  for await (const { databases } of eachPage(fetch)) yield* databases;
}

const listDatabases = ({ client, organization }: Platform) =>
  readPages(
    (query) => client.listDatabases({ organizationSlug: organization.slug, query }),
    ({ databases }) => databases,
    LONGEST_SNAPSHOT,
  );

const recentlyListed = (platform: Platform) =>
  platform.snapshot.list("databases", async () => {
    const { items, whole } = await listDatabases(platform);
    return { byId: new Map(items.map((record) => [record.DbId, record])), whole };
  });

/** Whether nothing had the name a moment ago, and this run has given it to nothing since. */
async function isFree(name: string, platform: Platform): Promise<boolean> {
  const { byId, whole } = (await recentlyListed(platform)).items;
  const given = [...platform.names.values()].includes(name);
  return whole && !given && ![...byId.values()].some(({ Name }) => Name === name);
}

async function retrieve(id: string, { client, organization }: Platform) {
  const organizationId = await organization.id(client);
  const answer = await client.retrieveDatabaseById({ organizationId, databaseId: id }).catch(unlessAbsent);
  return answer?.database;
}
