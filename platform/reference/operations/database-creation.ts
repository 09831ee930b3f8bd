import type { Api } from "../../contract/api";
import type { Answer, HandlerRequest } from "../../contract/endpoint";
import { databaseUuidOn } from "../ids";
import {
  GROUP_AND_GROUP_ID,
  refuse,
  SCHEMA_DATABASE,
  SEED_NAME_MISSING,
  SEED_TIMESTAMP_MISPLACED,
  SEED_URL_MISSING,
} from "../messages";
import { checkedColumns } from "../store/columns";
import type { DatabaseRow, State } from "../store/schema";
import { checkSettingsForLocation } from "./aws";
import { type Database, databaseNamed, NEW_DATABASE } from "./database";
import { dumpIdOf, findDump } from "./dump";
import { findGroup, findGroupById, type Group } from "./group";
import { hostnameOf } from "./hostnames";
import { checkName, DEFAULT_GROUP } from "./names";
import type { Entry, Operations, OrganizationContext } from "./operation";

export const databaseCreation = {
  createDatabase: {
    check: ({ body }) => creationProblem(body),
    async handle({ body }, context) {
      const { state, accessScope } = context;
      return createDatabaseIn(body, await findGroup(state, accessScope, body.group || DEFAULT_GROUP), context);
    },
    audit: creationEntry,
  },

  createDatabaseById: {
    check: ({ body }) => (body.group && body.group_id ? GROUP_AND_GROUP_ID : creationProblem(body)),
    async handle({ body }, context) {
      const { state, accessScope } = context;
      const group = body.group_id
        ? await findGroupById(state, accessScope, body.group_id)
        : await findGroup(state, accessScope, body.group || DEFAULT_GROUP);
      return createDatabaseIn(body, group, context);
    },
    audit: creationEntry,
  },
} satisfies Partial<Operations>;

type DatabaseAnswer = Answer<Api["createDatabaseById"]>;
type NewDatabase = Omit<HandlerRequest<Api["createDatabase"]>["body"], "group">;
type Body = NewDatabase & { readonly group?: string | undefined; readonly group_id?: string | undefined };

/**
 * Validates the options of a new database (wire-facts 3.3). Discontinued options are rejected, because ignoring them
 * would create a database other than the one requested.
 */
function creationProblem({ seed, is_schema, schema }: NewDatabase): string | undefined {
  if (is_schema || schema) return SCHEMA_DATABASE;
  if (seed?.type === "database" && !(seed.name || seed.value)) return SEED_NAME_MISSING;
  if (seed?.type === "dump" && !/^https?:\/\/./i.test(seed.url ?? "")) return SEED_URL_MISSING;
  if (seed?.timestamp && seed.type !== "database") return SEED_TIMESTAMP_MISPLACED;
  return undefined;
}

function creationEntry({
  request: { body },
  answer: { database },
}: {
  request: { body: Body };
  answer: DatabaseAnswer;
}): Entry {
  const { group, group_id, seed } = body;
  return {
    code: "db-create",
    data: { database: database.Name, id: database.DbId, group, group_id, seed: seed?.type },
  };
}

async function createDatabaseIn(wanted: NewDatabase, group: Group | undefined, context: OrganizationContext) {
  const { state, now, ids, accessScope } = context;
  const { organization } = accessScope;
  const { name } = wanted;
  checkName("database", name, organization);
  if (!group) throw refuse.groupOfDatabaseNotFound();
  await checkSettingsForLocation(wanted, group.location, state);
  const parent = await parentNamedBy(wanted.seed, context);
  const content = await contentOfNewDatabase(wanted, parent, context);
  const id = databaseUuidOn(content.engine, await ids.uuid(state));
  const added = await addDatabase(state, {
    ...NEW_DATABASE,
    ...content,
    id,
    organization_id: organization.id,
    group_id: group.id,
    name,
    size_limit: wanted.size_limit ?? "",
    created_at: now.toISOString(),
  });
  if (!added) throw refuse.nameTaken({ kind: "database", name });
  await fillNewDatabase({ ...content, id }, { seed: wanted.seed, parent }, context);
  return { database: { Name: name, DbId: id, Hostname: hostnameOf(name, organization, group.location) } };
}

type Content = Pick<DatabaseRow, "engine" | "encryption_cipher"> &
  Partial<Pick<DatabaseRow, "parent_id" | "parent_name" | "branched_at" | "storage_bytes">>;

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The number of days for which earlier states of a database can be copied, by plan. Plans that are not listed have the
 * limit of the largest plan (wire-facts 3.3).
 */
const KEPT_DAYS: Readonly<Record<string, number>> = { starter: 1, developer: 10, scaler: 30 };
const LONGEST_KEPT_DAYS = 90;

/** Returns the database to copy, or `undefined` if the new database is not a copy. */
async function parentNamedBy(seed: NewDatabase["seed"], context: OrganizationContext): Promise<Database | undefined> {
  if (seed?.type !== "database") return undefined;
  return databaseNamed(seed.name || seed.value || "", context, refuse.otherDatabaseNotFound);
}

/** Returns the content of a new database: no rows, a copy of another database, or a dump. */
async function contentOfNewDatabase(
  wanted: NewDatabase,
  parent: Database | undefined,
  context: OrganizationContext,
): Promise<Content> {
  const { seed } = wanted;
  // Rejects an engine other than the parent's, because a copy consists of pages written by the parent's engine.
  if (parent && wanted.use_tursodb && parent.engine !== "tursodb")
    throw refuse.engineOfParent({ database: parent.name });
  const cipher = wanted.remote_encryption ?? null;
  // Rejects a cipher other than the parent's, because a copy contains the parent's encrypted pages unchanged. Keys are
  // not stored, so only the ciphers can be compared.
  if (parent && parent.encryption_cipher !== cipher)
    throw refuse.encryptionOfParent({ database: parent.name, parentCipher: parent.encryption_cipher });
  return {
    engine: parent?.engine ?? (wanted.use_tursodb ? "tursodb" : "libsql"),
    encryption_cipher: cipher,
    ...(parent && {
      parent_id: parent.id,
      parent_name: parent.name,
      branched_at: seedMoment(seed?.timestamp, parent, context),
      storage_bytes: parent.storage_bytes,
    }),
    ...(seed?.type === "dump" && (await dumpSize(seed, context))),
  };
}

/** Inserts the initial rows into a new database. Does nothing without a SQL server. */
async function fillNewDatabase(
  { id, branched_at }: Content & { readonly id: string },
  { seed, parent }: { readonly seed: NewDatabase["seed"]; readonly parent: Database | undefined },
  { contents, state, now }: OrganizationContext,
): Promise<void> {
  await contents?.clear(state, id);
  const dumpId = seed?.type === "dump" ? dumpIdOf(seed.url ?? "") : undefined;
  if (dumpId !== undefined) await contents?.createFrom(state, dumpId, id);
  if (parent && branched_at)
    await contents?.copy(state, parent, { id, at: seed?.timestamp === undefined ? undefined : branched_at, now });
}

/** Returns the point in time to copy the parent's data from. */
function seedMoment(
  timestamp: string | undefined,
  parent: Database,
  { now, accessScope }: OrganizationContext,
): string {
  if (timestamp === undefined) return now.toISOString();
  const moment = new Date(timestamp).toISOString();
  if (moment > now.toISOString()) throw refuse.timestampInFuture();
  if (parent.created_at !== null && moment < parent.created_at)
    throw refuse.timestampBeforeParent({ database: parent.name });
  const days = KEPT_DAYS[accessScope.organization.plan] ?? LONGEST_KEPT_DAYS;
  if (now.getTime() - new Date(moment).getTime() > days * DAY_MS) throw refuse.timestampTooOld({ days });
  return moment;
}

/**
 * Returns the size of a dump that was uploaded to this server. Dumps stored elsewhere are never fetched, so their size
 * is unknown.
 */
async function dumpSize(
  { url = "" }: NonNullable<NewDatabase["seed"]>,
  { state, accessScope }: OrganizationContext,
): Promise<{ storage_bytes?: number }> {
  const id = dumpIdOf(url);
  if (id === undefined) return {};
  const dump = await findDump(state, accessScope, id);
  if (!dump) throw refuse.dumpNotFound({ url });
  return { storage_bytes: dump.size_bytes };
}

export async function addDatabase(state: State, database: DatabaseRow): Promise<boolean> {
  const added = await state
    .insertInto("databases")
    .values(checkedColumns(database))
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return added !== undefined;
}
