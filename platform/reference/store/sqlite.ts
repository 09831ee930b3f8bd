import { CompiledQuery, Kysely, sql } from "kysely";
import { StoredRows } from "./columns";
import { isStoreFullFailure, StoreFailure, storeStartReason, WrongData } from "./failure";
import { JobQueue, type QueuedWork } from "./job-queue";
import { cannotOpen, NEW_FILE, referencesBroken } from "./messages";
import { assertOurs, type DataPlace, migrate, UnusableData } from "./migrate";
import { nodeSqliteDialect, retryWhileBusy } from "./node-sqlite";
import type { Schema, State } from "./schema";
import type { Store } from "./store";

/**
 * Opens the store in memory (`:memory:`) or in a file. Writes run one after another, even for different organizations.
 * Writes that arrive together share one commit.
 */
export async function openSqliteStore(path: string, { mustHold }: { readonly mustHold?: true } = {}): Promise<Store> {
  const database = new Kysely<Schema>({ dialect: nodeSqliteDialect(path), plugins: [new StoredRows()] });
  await retryWhileBusy(() => prepareSqlite(database, { place: path, mustHold })).catch(async (cause: unknown) => {
    await database.destroy();
    throw cause instanceof UnusableData
      ? cause
      : new Error(cannotOpen({ place: path, reason: storeStartReason(cause) }), { cause });
  });
  const writes = new JobQueue<State>((jobs) => writeBatch(database, jobs));
  return {
    transaction: (_organizations, work) => writes.add(work).catch(failIfFull),
    // Retries a read if the file is locked. After a process has exited without closing the file, the first reader needs
    // exclusive access.
    read: (work) =>
      retryWhileBusy(() => database.transaction().setAccessMode("read only").execute(work)).catch(failIfFull),
    close: () => database.destroy(),
  };
}

async function prepareSqlite(database: Kysely<Schema>, wanted: Pick<DataPlace, "place" | "mustHold">): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from sqlite_schema
    where type in ('table', 'view') and name not like 'sqlite~_%' escape '~' order by name`.execute(database);
  const tables = rows.map(({ name }) => name);
  await assertOurs(database, { ...wanted, tables, instead: NEW_FILE });
  // SQLite stores the journal mode in the file. The mode is therefore set only after `assertOurs` has made sure that
  // the file does not belong to another program.
  await sql`pragma journal_mode = wal`.execute(database);
  // Nobody has an answer yet, so the migrations need not wait for the disk. They reach it with the next commit, and
  // before it, a power cut leaves the data as it was.
  await sql`pragma synchronous = normal`.execute(database);
  await migrate(database);
  await sql`pragma synchronous = full`.execute(database);
  await assertReferences(database);
}

/** Throws if a row refers to a row that does not exist. SQLite checks the references of this connection's writes alone. */
async function assertReferences(database: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ table: string }>`pragma foreign_key_check`.execute(database);
  const tables = [...new Set(rows.map(({ table }) => table))].sort();
  if (tables.length > 0) throw new WrongData(referencesBroken({ tables }));
}

function failIfFull(thrown: unknown): never {
  throw isStoreFullFailure(thrown) ? new StoreFailure("full", thrown) : thrown;
}

/** Reports the result of one job. Called after all jobs of the batch have run. */
type End = () => void;

/** Runs the jobs in one transaction, and reports their results only when all changes are on disk. */
async function writeBatch(database: Kysely<Schema>, jobs: readonly QueuedWork<State>[]): Promise<void> {
  const isAlone = jobs.length === 1;
  let isBegun = false;
  try {
    const ends = await database.transaction().execute(async (state) => {
      isBegun = true;
      const reached: End[] = [];
      for (const job of jobs) reached.push(isAlone ? await runJob(job, state) : await runJobInSavepoint(job, state));
      return reached;
    });
    for (const end of ends) end();
  } catch (thrown) {
    if (isAlone || !isBegun) for (const { reject } of jobs) reject(thrown);
    // Repeats each job alone, because a single job may have caused the failure that ended the shared transaction, such
    // as a full disk.
    else for (const job of jobs) await writeBatch(database, [job]);
  }
}

async function runJob({ work, resolve }: QueuedWork<State>, state: State): Promise<End> {
  const answer = await work(state);
  return () => resolve(answer);
}

/** Runs a job in a savepoint, so that a failure rolls back only this job's changes. */
async function runJobInSavepoint(job: QueuedWork<State>, state: State): Promise<End> {
  await state.executeQuery(BEGIN);
  try {
    const end = await runJob(job, state);
    await state.executeQuery(END);
    return end;
  } catch (thrown) {
    await state.executeQuery(UNDO);
    await state.executeQuery(END);
    return () => job.reject(thrown);
  }
}

const BEGIN = CompiledQuery.raw("savepoint job");
const UNDO = CompiledQuery.raw("rollback to job");
const END = CompiledQuery.raw("release job");
