import { Kysely, sql } from "kysely";
import { DatabaseError } from "pg";
import { BytewiseTexts } from "./bytewise-texts";
import { StoreFailure } from "./failure";
import { cannotOpen } from "./messages";
import { assertOurs, migrate, NotOurs, type Place } from "./migrate";
import { postgresDialect } from "./postgres-dialect";
import { reasonOf } from "./reason";
import type { Schema, State } from "./schema";
import { Queries } from "./session";
import type { Store } from "./store";

/** Of the transactions that name no organization; any number that nobody else takes. */
const NO_ORGANIZATION = 11_022_026;

/**
 * What two transactions that do not wait for the same row can do to each other. It is rare: the one that failed is
 * begun again, and sees what the other one has done.
 */
const BEGIN_AGAIN = [
  "40P01", // each waited for the other
  "40001", // they have no order
  "23505", // the other one took the name or the number
  "23503", // the other one deleted what this one is about
];
const ATTEMPTS = 10;
const WAITED_TOO_LONG = "55P03";
const DISK_FULL = "53100";
/** The server lacks something; the transaction is undone, also when it was to be committed. */
const INSUFFICIENT_RESOURCES = "53";

/** The store in a PostgreSQL server, which several processes may share. Writes of different organizations pass at once. */
export async function openPostgresStore(address: string, { mustHold }: { readonly mustHold?: true }): Promise<Store> {
  const database = open(address);
  const place = shown(address) ?? "";
  await prepare(database, { place, mustHold }).catch(async (cause: unknown) => {
    await database.destroy();
    throw cause instanceof NotOurs ? cause : new Error(cannotOpen(place, reasonOf(cause)));
  });
  const session = { queries: new Queries() };
  return {
    transaction: (organizations, work) =>
      persistently(() =>
        // Each statement sees what was committed before it, so all of them see what the last holder of the lock did.
        database
          .transaction()
          .setIsolationLevel("read committed")
          .execute(async (transaction) => {
            await lock(transaction, organizations);
            return work(Object.assign(transaction, { session }));
          }),
      ),
    read: (work) =>
      database
        .transaction()
        .setIsolationLevel("repeatable read")
        .setAccessMode("read only")
        .execute((transaction) => work(Object.assign(transaction, { session })))
        .catch((thrown: unknown) => {
          throw failureOf(thrown);
        }),
    close: () => database.destroy(),
  };
}

async function prepare(database: Kysely<Schema>, wanted: Pick<Place, "place" | "mustHold">): Promise<void> {
  // What belongs to an extension is nobody's data.
  const { rows } = await sql<{ name: string }>`select relname::text as name from pg_class
    where relkind in ('r', 'p', 'v', 'm', 'f') and relnamespace = current_schema()::regnamespace
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
    order by name`.execute(database);
  await assertOurs(database, { ...wanted, tables: rows.map(({ name }) => name), instead: "an empty database" });
  await migrate(database.withPlugin(new BytewiseTexts()));
}

/**
 * The row of an organization is its lock. One that does not exist, or no longer when its turn comes, has nothing to
 * lock (decision 38).
 */
async function lock(state: State, organizations: readonly string[] | "all"): Promise<void> {
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

async function persistently<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await work();
    } catch (thrown) {
      if (attempt === ATTEMPTS || !BEGIN_AGAIN.includes(codeOf(thrown))) throw failureOf(thrown);
    }
}

const codeOf = (thrown: unknown): string => (thrown instanceof DatabaseError ? (thrown.code ?? "") : "");

/** The failure of the store where the server says that nothing was done; else what was thrown. */
function failureOf(thrown: unknown): unknown {
  const code = codeOf(thrown);
  if (code === DISK_FULL) return new StoreFailure("full", thrown);
  const isUnavailable = code === WAITED_TOO_LONG || code.startsWith(INSUFFICIENT_RESOURCES);
  return isUnavailable ? new StoreFailure("unavailable", thrown) : thrown;
}

function open(address: string): Kysely<Schema> {
  if (shown(address) !== undefined) return new Kysely<Schema>({ dialect: postgresDialect(address) });
  throw new Error("the address of the data is not like postgres://user:password@host:5432/name");
}

/** Without user, password and settings; `undefined`: no address, or one whose password has letters that must be escaped. */
export function shown(address: string): string | undefined {
  // A socket on this machine has no host, which only PostgreSQL's own addresses may lack.
  const whole = address.replace("@/", "@localhost/");
  if (!URL.canParse(whole)) return undefined;
  const { protocol, host, pathname } = new URL(whole);
  return pathname.includes("@") ? undefined : `${protocol}//${host}${pathname}`;
}
