import { Client, DatabaseError } from "pg";
import { StoreFailure } from "./failure";

/** First half of the advisory-lock key. The second half is the schema. */
const KEY = 11_022_027;

/** How long to wait for the lock, in milliseconds. PostgreSQL takes a moment to release a killed process's lock. */
const PATIENCE_MS = 2_000;

/** TCP keepalive settings that let PostgreSQL detect a lost connection within about a minute. */
const KEEPALIVES = ["idle = 30", "interval = 10", "count = 3"];

/** SQLSTATE code of a lock that was not available in time. */
export const WAITED_TOO_LONG = "55P03";

/** A lock on the data. Only one server at a time can hold the lock. */
export interface DataLock {
  /**
   * Takes the lock again if the connection that held it was lost.
   *
   * @throws The error given to `takeDataLock` if another server has taken the lock meanwhile.
   * @throws StoreFailure if PostgreSQL cannot be reached.
   */
  assertHeld(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Locks the schema for this server. PostgreSQL releases the lock when the connection ends, for example because the
 * process was killed.
 *
 * @param taken Returns the error to throw if another server holds the lock.
 * @throws StoreFailure if PostgreSQL cannot be reached.
 */
export async function takeDataLock(address: string, taken: () => Error): Promise<DataLock> {
  let isClosed = false;
  let holding: Promise<Client> | undefined;
  const hold = (): Promise<Client> => {
    if (holding) return holding;
    const mine = lockedConnection(address, taken, () => {
      // If a new connection has already replaced this one, the new connection is kept.
      if (holding === mine) holding = undefined;
    });
    holding = mine;
    return mine;
  };
  await hold();
  return {
    assertHeld: async () => {
      if (!isClosed) await hold();
    },
    close: async () => {
      isClosed = true;
      await (await holding?.catch(() => undefined))?.end();
    },
  };
}

/** @param lost Called if the lock cannot be taken, and when the connection fails or ends. */
async function lockedConnection(address: string, taken: () => Error, lost: () => void): Promise<Client> {
  const client = new Client({
    connectionString: address,
    application_name: "dbplatform-api --sql",
    connectionTimeoutMillis: 20_000,
    lock_timeout: PATIENCE_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
  });
  // Without a listener, a lost connection would end the process.
  client.on("error", lost);
  client.on("end", lost);
  try {
    await client.connect();
    for (const setting of KEEPALIVES) await client.query(`set tcp_keepalives_${setting}`);
    await client.query(`select pg_advisory_lock(${KEY}, quote_ident(current_schema())::regnamespace::oid::int)`);
    return client;
  } catch (thrown) {
    lost();
    await client.end().catch(() => undefined);
    throw thrown instanceof DatabaseError && thrown.code === WAITED_TOO_LONG
      ? taken()
      : new StoreFailure("unavailable", thrown);
  }
}
