import { CompiledQuery, Kysely } from "kysely";
import { Batches, type Job } from "./batches";
import { migrate } from "./migrate";
import { nodeSqliteDialect } from "./node-sqlite";
import { patiently } from "./patience";
import { reasonOf } from "./reason";
import type { Schema, State } from "./schema";
import type { Store } from "./store";
import { toBeRead } from "./view";

/**
 * The store in memory (`:memory:`) or in a file. Writes, of whatever organization, pass one after another; those that
 * arrive together are committed together.
 */
export async function openSqliteStore(path: string): Promise<Store> {
  const database = new Kysely<Schema>({ dialect: nodeSqliteDialect(path) });
  await patiently(() => migrate(database)).catch(async (cause: unknown) => {
    await database.destroy();
    const reason = reasonOf(cause);
    throw new Error(`the data at ${path} could not be opened and brought to this version: ${reason}`, { cause });
  });
  const reads = new Batches<State>((jobs) => readTogether(database, jobs));
  const writes = new Batches<State>((jobs) => writeTogether(database, jobs));
  return {
    transaction: (_organizations, work) => writes.add(work),
    // Of a file that another process has left without closing it, the first reader is alone.
    read: (work) => patiently(() => reads.add(work)),
    close: () => database.destroy(),
  };
}

/** How a job has ended, to be told when all of them have. */
type End = () => void;

async function readTogether(database: Kysely<Schema>, jobs: readonly Job<State>[]): Promise<void> {
  try {
    const view = database.transaction().setAccessMode("read only");
    const ends = await view.execute(async (state) => {
      toBeRead(state);
      const reached: End[] = [];
      for (const job of jobs) reached.push(await done(job, state).catch((thrown) => () => job.reject(thrown)));
      return reached;
    });
    for (const tell of ends) tell();
  } catch (thrown) {
    for (const { reject } of jobs) reject(thrown);
  }
}

/** Nobody is told of anything before all of it is on the disk. */
async function writeTogether(database: Kysely<Schema>, jobs: readonly Job<State>[]): Promise<void> {
  const isAlone = jobs.length === 1;
  let isBegun = false;
  try {
    const ends = await database.transaction().execute(async (state) => {
      isBegun = true;
      const reached: End[] = [];
      for (const job of jobs) reached.push(isAlone ? await done(job, state) : await doneOrUndone(job, state));
      return reached;
    });
    for (const tell of ends) tell();
  } catch (thrown) {
    if (isAlone || !isBegun) for (const { reject } of jobs) reject(thrown);
    // What ends the transaction of all of them, such as a full disk, may be the fault of one.
    else for (const job of jobs) await writeTogether(database, [job]);
  }
}

async function done({ work, resolve }: Job<State>, state: State): Promise<End> {
  const answer = await work(state);
  return () => resolve(answer);
}

/** What fails undoes itself alone. */
async function doneOrUndone(job: Job<State>, state: State): Promise<End> {
  await state.executeQuery(BEGIN);
  try {
    const tell = await done(job, state);
    await state.executeQuery(END);
    return tell;
  } catch (thrown) {
    await state.executeQuery(UNDO);
    await state.executeQuery(END);
    return () => job.reject(thrown);
  }
}

const BEGIN = CompiledQuery.raw("savepoint job");
const UNDO = CompiledQuery.raw("rollback to job");
const END = CompiledQuery.raw("release job");
