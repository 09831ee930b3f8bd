import type { Api } from "../../contract/api";
import type { Received } from "../../contract/endpoint";
import { refuse } from "../messages";
import type { Database } from "../store/databases";
import { findDump } from "../store/dumps";
import type { DatabaseRow } from "../store/schema";
import { databaseNamed } from "./database";
import { dumpIdOf } from "./dump";
import type { OrganizationContext } from "./handler";

type Body = Received<Api["createDatabase"]>["body"];
type Wanted = Pick<Body, "seed" | "remote_encryption" | "use_tursodb">;
type Seed = NonNullable<Body["seed"]>;

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
export async function parentOf(seed: Body["seed"], context: OrganizationContext): Promise<Database | undefined> {
  if (seed?.type !== "database") return undefined;
  return databaseNamed(seed.name || seed.value || "", context, refuse.otherDatabaseNotFound);
}

/** Returns the content of a new database: no rows, a copy of another database, or a dump. */
export async function contentOf(
  wanted: Wanted,
  parent: Database | undefined,
  context: OrganizationContext,
): Promise<Content> {
  const { seed } = wanted;
  // Rejects an engine other than the parent's, because a copy consists of pages written by the parent's engine.
  if (parent && wanted.use_tursodb && parent.engine !== "tursodb") throw refuse.engineOfParent(parent.name);
  const cipher = wanted.remote_encryption ?? null;
  // Rejects a cipher other than the parent's, because a copy contains the parent's encrypted pages unchanged. Keys are
  // not stored, so only the ciphers can be compared.
  if (parent && parent.encryption_cipher !== cipher)
    throw refuse.encryptionOfParent(parent.name, parent.encryption_cipher);
  return {
    engine: parent?.engine ?? (wanted.use_tursodb ? "tursodb" : "libsql"),
    encryption_cipher: cipher,
    ...(parent && {
      parent_id: parent.id,
      parent_name: parent.name,
      branched_at: momentOf(seed?.timestamp, parent, context),
      storage_bytes: parent.storage_bytes,
    }),
    ...(seed?.type === "dump" && (await sizeOf(seed, context))),
  };
}

/** Inserts the initial rows into a new database. Does nothing without a SQL server. */
export async function fillNew(
  { id, branched_at }: Content & { readonly id: string },
  { seed, parent }: { readonly seed: Body["seed"]; readonly parent: Database | undefined },
  { contents, state, now }: OrganizationContext,
): Promise<void> {
  const dumpId = seed?.type === "dump" ? dumpIdOf(seed.url ?? "") : undefined;
  if (dumpId !== undefined) await contents?.createFrom(dumpId, id);
  if (parent && branched_at)
    await contents?.copy(state, parent, { id, at: seed?.timestamp === undefined ? undefined : branched_at, now });
}

/** Returns the point in time to copy the parent's data from. */
function momentOf(timestamp: string | undefined, parent: Database, { now, accessScope }: OrganizationContext): string {
  if (timestamp === undefined) return now.toISOString();
  const moment = new Date(timestamp).toISOString();
  if (moment > now.toISOString()) throw refuse.timestampInFuture();
  if (parent.created_at !== null && moment < parent.created_at) throw refuse.timestampBeforeParent(parent.name);
  const days = KEPT_DAYS[accessScope.organization.plan] ?? LONGEST_KEPT_DAYS;
  if (now.getTime() - new Date(moment).getTime() > days * DAY_MS) throw refuse.timestampTooOld(days);
  return moment;
}

/**
 * Returns the size of a dump that was uploaded to this server. Dumps stored elsewhere are never fetched, so their size
 * is unknown.
 */
async function sizeOf(
  { url = "" }: Seed,
  { state, accessScope }: OrganizationContext,
): Promise<{ storage_bytes?: number }> {
  const id = dumpIdOf(url);
  if (id === undefined) return {};
  const dump = await findDump(state, accessScope, id);
  if (!dump) throw refuse.dumpNotFound(url);
  return { storage_bytes: dump.size_bytes };
}
