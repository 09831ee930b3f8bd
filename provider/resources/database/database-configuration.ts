import * as z from "zod";
import { Refusal, unlessAbsent, unlessRefused } from "../../../kit/refusal";
import type { ReadContext } from "../../../kit/resource";
import { declaredOperationsOf, permissionsFor } from "../../permissions/permissions";
import { field, type Platform, type PlatformContext, resource } from "../../platform";
import { auditedBy } from "../drift-authors";
import { assertEveryGroupVisible } from "../group/reference";
import { readThroughOwner } from "../owner";
import { configurationNames, type Settings, settings, settingsShownIn, UNCONFIGURED } from "./configuration-fields";
import { database } from "./database";
import { recentlyListedDatabases, recentlyListedDatabasesWithRules } from "./live-databases";
import {
  configurationNotFound,
  configurationOfDeleted,
  configurationOfRetained,
  configurationUnmanaged,
} from "./messages";
import { databaseId, databaseReferenceRefusal, dbIdOf, referencedDatabaseFailure } from "./reference";
import { groupIdOf, recallDatabaseGroupId } from "./state";

export const databaseConfiguration = resource({
  type: "DatabaseConfiguration",
  description:
    "The configuration of one database. Omitted properties are neither managed nor shown (`getDatabaseConfiguration` returns all); a property that is removed from the program returns to the platform's default. Deleting this resource changes nothing on the platform, so restrictions stay in force.",
  inputs: {
    database: field.replaces(z.string(), {
      describe:
        "DbId of the database (`database.dbId`). Another database replaces this configuration; the earlier database keeps its settings and its data.",
      ...databaseId,
    }),
    ...settings,
  },
  outputs: {
    groupId: field.kept(z.uuid().optional(), {
      describe: "UUID of the group that holds the database, once it is known.",
    }),
    organizationId: field.output(z.uuid(), { describe: "UUID of the organization that owns the database." }),
  },
  permissions: permissionsFor({
    read: [...declaredOperationsOf(database).read, "listDatabasesById", "retrieveDatabaseConfiguration"],
    create: ["updateDatabaseConfiguration"],
    update: ["updateDatabaseConfiguration"],
  }),
  importing: {
    name: "orders",
    id: "<DbId>",
    description: "The id is the DbId of the database.",
    problem: (id, context) => database.identify(id, context),
  },
  inside: { type: "Database", by: "database", canonicalId: dbIdOf, isPart: true },
  lasting: {
    idOf: ({ database: wanted }) => (wanted === undefined ? undefined : dbIdOf(wanted)),
    subject: (id) => `database ${id}`,
  },

  async read(id, context) {
    const { maxAge } = context;
    const recent =
      maxAge && ((await listedConfiguration(id, context)) ?? (await readConfiguration(id, context, maxAge)));
    const found = recent ?? (await readConfiguration(id, context));
    if (found) return found;
    throw new Refusal("unavailable", configurationNotFound({ id }));
  },

  // Lists one configuration for each live database. The configuration has the same id as the database.
  async *list(context) {
    for await (const { id, name } of database.list?.(context) ?? []) yield { id, name, parent: id };
  },

  async create(wanted, context) {
    const id = dbIdOf(wanted.database);
    return { id, state: await sendConfiguration(id, wanted, context) };
  },

  async update(id, changes, context) {
    const state = await sendConfiguration(id, changes, context);
    return { ...state, groupId: state.groupId ?? context.now.groupId };
  },

  checks: {
    create: ({ database: wanted }, context) =>
      wanted === undefined ? undefined : referencedDatabaseFailure(wanted, context),
    update: (id, _changes, context) => referencedDatabaseFailure(id, context),
  },

  authorsOf: auditedBy({
    async subject(id, _observed, context) {
      const reading = await database.read(id, context, { maxAge: "seconds" });
      return reading.status === "live" ? { kind: "database", id, name: reading.state.name } : undefined;
    },
    settings: (property) => configurationNames.wireName(property),
  }),

  async delete(id, { now, run, warn, showStatus }) {
    const restrictions = Object.entries(UNCONFIGURED)
      .map(([property, value]) => [property, now[property as keyof Settings], value] as const)
      .filter(([, is, without]) => is !== undefined && JSON.stringify(is) !== JSON.stringify(without))
      .map(([property, is]) => `${property}: ${JSON.stringify(is)}`);
    if (restrictions.length === 0) return;
    // One line says it, because `destroy` may delete hundreds of configurations, usually with their databases.
    if (run.leavesStack(database.type, id) || run.replaces(database.type, id))
      await run.once("configuration of retained", async () =>
        showStatus(configurationOfRetained({ assignments: restrictions })),
      );
    else warn(configurationUnmanaged({ id, assignments: restrictions }));
  },
});

/** The platform shows every setting, but not in one place. */
const UNREAD = Object.fromEntries(Object.keys(settings).map((name) => [name, undefined])) as {
  readonly [Name in keyof Settings]: undefined;
};

/** The settings that no list shows. */
const UNLISTED = settingsShownIn("configuration");

/** The settings that only the list by UUID shows (wire-facts 3.7). */
const RULES = settingsShownIn("rules");

/**
 * Returns the recorded settings of a database as a list shows them, or `undefined` if it does not show all of them. A
 * setting that the server leaves out is not taken for its default.
 */
async function listedConfiguration(id: string, context: ReadContext<Platform, Partial<Settings>>) {
  const { known } = context;
  const asked = (Object.keys(settings) as (keyof Settings)[]).filter((name) => known?.[name] !== undefined);
  if (!known || UNLISTED.some((name) => asked.includes(name))) return undefined;
  const list = RULES.some((rule) => asked.includes(rule)) ? recentlyListedDatabasesWithRules : recentlyListedDatabases;
  // A failure to load the list is ignored, because the list only saves requests.
  const listed = await list(context).catch(unlessRefused);
  const record = await listed?.items.list.look(() => listed.items.byId.get(id)).catch(unlessRefused);
  if (!record || !listed?.isCurrent(id, record.Name)) return undefined;
  const shown = configurationNames.fromWire({ ...record, ...record.allow_rules_config }) as Partial<Settings>;
  if (asked.some((name) => shown[name] === undefined)) return undefined;
  return {
    ...UNREAD,
    ...shown,
    ...(await placeOfConfiguration(id, context)),
    groupId: await groupIdOf(record, context),
  };
}

/**
 * Reads the configuration of a database.
 *
 * @param maxAge How old the list of databases may be that proves the database's name. A name that is a few seconds
 *   old may have changed; `undefined` is returned if no database has it.
 */
async function readConfiguration<
  Known extends { readonly groupId?: string | undefined; readonly organizationId: string },
>(id: string, context: ReadContext<Platform, Known>, maxAge?: "seconds") {
  const { known } = context;
  const owner = known && { groupId: known.groupId, organizationId: known.organizationId };
  const reading = await database.read(id, context, { known: owner, maxAge });
  if (reading.status === "absent") {
    if (known && known.groupId === undefined) assertEveryGroupVisible(id, context);
    return reading;
  }
  // For a deleted database, uses the recorded state, because the platform does not return its configuration.
  if (reading.status === "deleted" && known)
    return readThroughOwner({ kind: database, id, reading }, () => known, context);
  if (reading.status === "deleted")
    throw new Refusal("conflict", configurationOfDeleted({ id, deletion: reading.message }));
  const { name, groupId } = reading.state;
  const configuration = await context.platform.api
    .retrieveDatabaseConfiguration({ databaseName: name })
    .catch(unlessAbsent);
  return configuration && { ...(await configurationStateOf(id, configuration, context)), groupId };
}

async function sendConfiguration(id: string, changes: Partial<Settings>, context: PlatformContext) {
  const { api } = context.platform;
  const { name: databaseName, groupId } = await databaseToConfigure(id, context);
  const at = { databaseName };
  const body = configurationNames.toWire(changes);
  const configuration =
    Object.keys(body).length === 0
      ? await api.retrieveDatabaseConfiguration(at)
      : await api.updateDatabaseConfiguration({ ...at, body });
  return { ...(await configurationStateOf(id, configuration, context)), groupId };
}

/**
 * Returns the database's current name, and its group if no request is needed to know it. The platform configures databases only by name, and an old name may already
 * belong to another database.
 */
async function databaseToConfigure(id: string, context: PlatformContext) {
  const given = context.run.names.of("Database", id);
  if (given !== undefined) return { name: given, groupId: await recallDatabaseGroupId(id, context) };
  const reading = await database.read(id, context, { maxAge: "seconds" });
  if (reading.status === "live") return reading.state;
  throw databaseReferenceRefusal(id, reading, context);
}

async function configurationStateOf(id: string, configuration: object, context: PlatformContext) {
  const own = { ...UNCONFIGURED, ...(configurationNames.fromWire(configuration) as Partial<Settings>) };
  return { ...own, ...(await placeOfConfiguration(id, context)) };
}

const placeOfConfiguration = async (id: string, { platform: { organization } }: PlatformContext) => ({
  database: id,
  organizationId: await organization.id(),
});
