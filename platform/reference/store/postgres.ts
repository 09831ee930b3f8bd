import { Kysely, sql } from "kysely";
import { DatabaseError } from "pg";
import { StoredRows } from "./columns";
import { WAITED_TOO_LONG } from "./data-lock";
import { StoreFailure, storeFailureReason } from "./failure";
import { cannotOpen, EMPTY_DATABASE, INVALID_ADDRESS } from "./messages";
import { assertOurs, type DataPlace, migrate, UnusableData } from "./migrate";
import { BytewiseTexts, postgresDialect } from "./postgres-dialect";
import type { Schema, State } from "./schema";
import type { Store } from "./store";

/** Arbitrary advisory-lock key for transactions that do not name an organization. */
const NO_ORGANIZATION = 11_022_026;

/**
 * SQLSTATE codes of rare conflicts between transactions that do not lock the same row. The failed transaction is
 * retried, and then sees the changes of the other transaction.
 */
const BEGIN_AGAIN = [
  "40P01", // deadlock: each waits for the other
  "40001", // serialization failure
  "23505", // unique violation: the other transaction took the name or number
  "23503", // foreign key violation: the other transaction deleted the referenced row
];
const ATTEMPTS = 10;
const DISK_FULL = "53100";
/**
 * SQLSTATE class for insufficient resources, such as a full disk. The server has rolled back the transaction, even if
 * the error occurs during the commit.
 */
const INSUFFICIENT_RESOURCES = "53";

/**
 * Opens the store on a PostgreSQL server, which several processes may share. Writes to different organizations run in
 * parallel.
 */
export async function openPostgresStore(address: string, { mustHold }: { readonly mustHold?: true }): Promise<Store> {
  const database = connectPostgres(address);
  const place = shownPostgresAddress(address) ?? "";
  await preparePostgres(database, { place, mustHold }).catch(async (cause: unknown) => {
    await database.destroy();
    throw cause instanceof UnusableData ? cause : new Error(cannotOpen({ place, reason: storeFailureReason(cause) }));
  });
  return {
    transaction: (organizations, work) =>
      retryConflicts(() =>
        // Lets each statement see all earlier commits, so that a transaction that has waited for a lock sees the
        // changes of the previous lock holder.
        database
          .transaction()
          .setIsolationLevel("read committed")
          .execute(async (transaction) => {
            await lockOrganizations(transaction, organizations);
            return work(transaction);
          }),
      ),
    read: (work) =>
      database
        .transaction()
        .setIsolationLevel("repeatable read")
        .setAccessMode("read only")
        .execute(work)
        .catch((thrown: unknown) => {
          throw storeErrorOf(thrown);
        }),
    close: () => database.destroy(),
  };
}

async function preparePostgres(database: Kysely<Schema>, wanted: Pick<DataPlace, "place" | "mustHold">): Promise<void> {
  // Omits tables of PostgreSQL extensions, because such tables do not mean that another program uses the database.
  const { rows } = await sql<{ name: string }>`select relname::text as name from pg_class
    where relkind in ('r', 'p', 'v', 'm', 'f') and relnamespace = quote_ident(current_schema())::regnamespace
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
    order by name`.execute(database);
  await assertOurs(database, { ...wanted, tables: rows.map(({ name }) => name), instead: EMPTY_DATABASE });
  const current = await sql<{ schema: string | null }>`select current_schema() as schema`.execute(database);
  await migrate(database.withPlugin(new BytewiseTexts()), current.rows[0]?.schema ?? undefined);
}

/**
 * Locks the rows of organizations, so that writes to the same organization run one after another. An organization that
 * does not exist, or is deleted during the wait, has no row to lock. Advisory locks would not
 * notice the deletion.
 */
async function lockOrganizations(state: State, organizations: readonly string[] | "all"): Promise<void> {
  if (organizations === "all" || organizations.length === 0)
    await sql`select pg_advisory_xact_lock(${NO_ORGANIZATION})`.execute(state);
  if (organizations === "all") await sql`lock table organizations in exclusive mode`.execute(state);
  else if (organizations.length > 0) await lockRows(state, organizations);
}

async function lockRows(state: State, organizations: readonly string[]): Promise<void> {
  const ids = organizations.map((name) => name.toLowerCase());
  await state
    .selectFrom("organizations")
    .select("id")
    .where((row) => row.or([row("slug", "in", organizations), row("id", "in", ids)]))
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
}

async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await work();
    } catch (thrown) {
      if (attempt === ATTEMPTS || !BEGIN_AGAIN.includes(errorCode(thrown))) throw storeErrorOf(thrown);
    }
}

const errorCode = (thrown: unknown): string => (thrown instanceof DatabaseError ? (thrown.code ?? "") : "");

/** Returns a `StoreFailure` if the server reports that nothing was changed, otherwise the error itself. */
function storeErrorOf(thrown: unknown): unknown {
  const code = errorCode(thrown);
  if (code === DISK_FULL) return new StoreFailure("full", thrown);
  const isUnavailable = code === WAITED_TOO_LONG || code.startsWith(INSUFFICIENT_RESOURCES);
  return isUnavailable ? new StoreFailure("unavailable", thrown) : thrown;
}

function connectPostgres(address: string): Kysely<Schema> {
  if (shownPostgresAddress(address) !== undefined)
    return new Kysely<Schema>({ dialect: postgresDialect(address), plugins: [new StoredRows()] });
  throw new Error(INVALID_ADDRESS);
}

/**
 * Returns the address without user, password and settings, or `undefined` if the address is invalid or the password
 * contains unescaped special characters.
 */
export function shownPostgresAddress(address: string): string | undefined {
  // The address of a local socket has no host name, but a URL needs one.
  const whole = address.replace("@/", "@localhost/");
  if (!URL.canParse(whole)) return undefined;
  const { protocol, host, pathname } = new URL(whole);
  return pathname.includes("@") ? undefined : `${protocol}//${host}${pathname}`;
}
