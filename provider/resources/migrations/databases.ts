import { isRefusal, messageOf, unlessRefused } from "../../../kit/refusal";
import type { SqlDatabase } from "../../client/sql";
import { StatementRefused } from "../../client/sql";
import { inParallel } from "../../in-parallel";
import { explainAccess } from "../../permissions/permissions";
import type { PlatformContext } from "../../platform";
import { type LiveDatabaseRecord, retrieveLiveDatabase } from "../database/live-databases";
import { databasesInGroup } from "../group/live-groups";
import { withGroup } from "../group/reference";
import { type Ledger, readLedger } from "./ledger";
import { isRehearsal } from "./rehearsal";

/** A DbId or, for all databases of a group, its UUID. */
interface Owner {
  readonly database?: string | undefined;
  readonly group?: string | undefined;
}

/** The databases to migrate, and what opens them. */
export interface Migrating extends Owner {
  readonly table: string;
  readonly encryptionKey?: string | undefined;
}

/** What a database has, or why that could not be read. */
export type LedgerReading =
  | { readonly database: LiveDatabaseRecord; readonly ledger: Ledger }
  | { readonly database: LiveDatabaseRecord; readonly ledger?: undefined; readonly unread: string };

/** How many databases are read at once. */
const READ_AT_ONCE = 16;

/** Returns the live databases, by name, without copies on which migrations were rehearsed. */
async function databasesOf({ database, group }: Owner, context: PlatformContext): Promise<LiveDatabaseRecord[]> {
  if (database !== undefined) {
    const live = await retrieveLiveDatabase(database, context);
    return live ? [live] : [];
  }
  const all = await withGroup(String(group), context, ({ name }) => databasesInGroup(name, context));
  return all.filter((one) => !isRehearsal(one, context)).toSorted((one, other) => (one.Name < other.Name ? -1 : 1));
}

/** Returns the applied migrations of each database, of which a run reads each once. */
export const readLedgers = async (migrating: Migrating, context: PlatformContext): Promise<LedgerReading[]> =>
  readLedgersOf(await databasesOf(migrating, context), migrating, context);

/** Returns the applied migrations of these databases. Throws only if the run is cancelled. */
export async function readLedgersOf(
  databases: readonly LiveDatabaseRecord[],
  migrating: Migrating,
  context: PlatformContext,
): Promise<LedgerReading[]> {
  const known = await knownLedgers(migrating, context);
  const connect = connector(migrating, "read-only", context);
  return inParallel(databases, READ_AT_ONCE, async (database) => {
    const found = known.get(database.DbId);
    if (found) return { database, ledger: found };
    try {
      const ledger = await readLedger(await connect(database), migrating.table);
      known.set(database.DbId, ledger);
      return { database, ledger };
    } catch (failure) {
      if (isRefusal(failure, "cancelled")) throw failure;
      if (!(failure instanceof StatementRefused)) unlessRefused(failure);
      return { database, unread: messageOf(failure) };
    }
  });
}

/** The ledgers that this run has read or written, by DbId. */
export const knownLedgers = (
  { table }: Pick<Migrating, "table">,
  { run }: PlatformContext,
): Promise<Map<string, Ledger>> => run.once(`ledgers ${table}`, async () => new Map<string, Ledger>());

/** How long a token is valid: longer than a transaction may take, and no longer. */
const TOKEN_MINUTES = 10;

/**
 * Returns a function that opens databases. It mints a token for the database or for the whole group, which is in no state
 * and in no message, and another one when half of its time is over.
 */
export function connector(
  { database: id, group, encryptionKey }: Migrating,
  authorization: "full-access" | "read-only",
  context: PlatformContext,
): (database: LiveDatabaseRecord) => Promise<SqlDatabase> {
  const { api, openDatabase } = context.platform;
  const query = { expiration: `${TOKEN_MINUTES}m`, authorization };
  const mint = async () =>
    id === undefined
      ? explainAccess("createGroupTokenById", context, () =>
          api.createGroupTokenById({ groupId: String(group), query }),
        )
      : explainAccess("createDatabaseTokenById", context, () => api.createDatabaseTokenById({ databaseId: id, query }));
  let minted: { readonly token: Promise<string>; readonly at: number } | undefined;
  const token = () => {
    if (!minted || Date.now() - minted.at > (TOKEN_MINUTES / 2) * 60_000)
      minted = { token: mint().then(({ jwt }) => jwt), at: Date.now() };
    return minted.token;
  };
  return (database) => openDatabase(database, { token, encryptionKey });
}
