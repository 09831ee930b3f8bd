// Main module of the child process that runs SQL. The process receives jobs from the server and replies to each job.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as moment } from "node:timers/promises";
import { mayStayAttached } from "./attach";
import { SqliteConnection } from "./connection";
import { type OpenDatabase, OpenDatabases } from "./database";
import { FILE, realDatabaseFile } from "./database-files";
import { SqlFailure, sqlFailureOf } from "./failure";
import { type BegunJob, commitTogether, folderOfGroup } from "./group-commit";
import { isHistoryHeldUp, saveClosedWithoutHistory } from "./history";
import type { EngineReply, JobOf, JobResult, SentJob, Target } from "./jobs";
import { MOST_AT_ONCE, MOST_PAGES } from "./limits";
import { loadDump } from "./load-dump";
import { framesInLog } from "./log-index";
import { ATTACHED_BLOCKED, STREAM_ENDED, TOO_MANY } from "./messages";
import { JobRun, type OpenStream } from "./run";
import { MustRunElsewhere, type Turn, Watchdog } from "./watchdog";
import { writeDump } from "./write-dump";

/** The platform's clock, as it was when this process received its latest job. */
class JobClock {
  #now = "";
  #ahead: number | undefined;

  /** @param ahead Milliseconds to add to the machine's time, or `undefined` while the clock is stopped. */
  set({ now, ahead }: { readonly now: string; readonly ahead: number | undefined }): void {
    this.#now = now;
    this.#ahead = ahead;
  }

  /** The current time (RFC 3339). */
  get now(): string {
    return this.#ahead === undefined ? this.#now : new Date(Date.now() + this.#ahead).toISOString();
  }
}

/** The number of jobs that are reading a database for which another process is writing. */
let readers = 0;

const watchdog = new Watchdog();
const databases = new OpenDatabases();
const clock = new JobClock();

const NOTHING: JobResult = {
  texts: [],
  open: false,
  bound: false,
  inTransaction: false,
  read: 0,
  written: 0,
  bytes: 0,
};

async function performJob({ job, reads, changes }: SentJob, turn: Turn): Promise<JobResult> {
  if (changes) turn.change();
  if (job.kind === "close") {
    databases.find(job.folder)?.end(job.stream);
    return NOTHING;
  }
  if (job.kind === "release") {
    databases.close(job.folder, false);
    return NOTHING;
  }
  if (job.kind === "discard") {
    databases.discard(job.folder);
    return NOTHING;
  }
  if (job.kind === "save") {
    turn.change();
    try {
      turn.guard(() => performSaveJob(job), false);
    } catch (thrown) {
      throw sqlFailureOf(thrown);
    }
    return NOTHING;
  }
  if (reads && "rights" in job) return performReadingJob(job, turn);
  if (job.kind === "dump") return performDumpJob(job, turn);
  const database = openDatabase(job);
  database.jobs += 1;
  try {
    return await performDatabaseJob(database, job, turn);
  } finally {
    database.jobs -= 1;
  }
}

/** Saves nothing if the database has not been used yet. */
function performSaveJob({ folder, to, durable }: JobOf<"save">): void {
  if (!existsSync(join(folder, FILE))) return;
  // Closing a descriptor of a file releases the locks of this process, so a file in use is copied as an open database.
  const isUsed = databases.find(folder) !== undefined || readers > 0 || databases.hasAttached(realDatabaseFile(folder));
  if (isUsed) openDatabase({ folder, durable, now: clock.now, pages: MOST_PAGES }).save(to);
  else saveClosedWithoutHistory(folder, to);
}

function openDatabase(target: Target): OpenDatabase {
  try {
    return databases.get(target);
  } catch (thrown) {
    throw sqlFailureOf(thrown);
  }
}

async function performDatabaseJob(
  database: OpenDatabase,
  job: JobOf<"pipeline" | "cursor" | "load" | "copy">,
  turn: Turn,
): Promise<JobResult> {
  if ("rights" in job) return performStreamJob(database, job, turn);
  if (job.kind === "copy") {
    await performCopyJob(database, job, turn);
    return { ...NOTHING, bytes: database.bytes };
  }
  const connection = database.connect(job.pages);
  connection.mark();
  try {
    turn.guard(() => connection.dropVectorIndexes());
    await loadDump(connection, job.text, turn);
  } finally {
    database.release(connection);
  }
  database.noteCommit(job.now);
  turn.guard(() => database.settle(), false);
  return { ...NOTHING, bytes: database.bytes };
}

async function performCopyJob(database: OpenDatabase, job: JobOf<"copy">, turn: Turn): Promise<void> {
  const { at } = job;
  if (at !== undefined) {
    turn.change();
    turn.guard(() => database.copyPast({ ...job, at }), false);
    return;
  }
  const steps = database.copyInSteps(job)[Symbol.iterator]();
  while (!turn.guard(() => steps.next(), false).done) await moment();
}

async function performDumpJob({ folder, durable, to }: JobOf<"dump">, turn: Turn): Promise<JobResult> {
  const connection = new SqliteConnection(folder, durable, true);
  try {
    await writeDump(connection, to, turn);
  } finally {
    connection.close();
  }
  return NOTHING;
}

async function performStreamJob(
  database: OpenDatabase,
  job: JobOf<"pipeline" | "cursor">,
  turn: Turn,
): Promise<JobResult> {
  const known = database.streams.get(job.stream);
  if (known) turn.change();
  if (known && !mayStayAttached(known.connection.attached, job.rights)) {
    database.end(job.stream);
    throw new SqlFailure(ATTACHED_BLOCKED, "BLOCKED");
  }
  if ([...(known?.attachedLogs ?? [])].some(([file, since]) => isHistoryHeldUp(framesInLog(file), since)))
    database.end(job.stream);
  if (!job.isNew && !database.streams.has(job.stream)) throw new SqlFailure(STREAM_ENDED, "STREAM_EXPIRED");
  if (!known && database.streams.size >= MOST_AT_ONCE) throw new SqlFailure(TOO_MANY, "SQLITE_BUSY");
  const stream = known ?? {
    connection: database.connect(job.pages, job.rights.rules !== null),
    isClosed: false,
    isBusy: false,
    attachedLogs: new Map(),
  };
  stream.isBusy = true;
  database.streams.set(job.stream, stream);
  stream.connection.begin(job.pages);
  const run = new JobRun(stream, job.rights, turn, () => database.noteCommit(clock.now));
  try {
    const texts = job.kind === "pipeline" ? await run.pipeline(job.tasks) : await run.cursor(job.batch);
    const bound = !stream.isClosed && (turn.isChanging || hasStreamState(stream));
    const inTransaction = bound && stream.connection.isTransaction;
    if (bound) {
      turn.change();
      noteAttachedLogs(stream);
    } else database.end(job.stream);
    // `settle` ends open transactions only in streams that are not busy. This stream may have begun a new one.
    stream.isBusy = false;
    if (run.hasCommitted) turn.guard(() => database.settle(), false);
    const { read, written } = run;
    return { texts, open: !stream.isClosed, bound, inTransaction, read, written, bytes: database.bytes };
  } catch (thrown) {
    database.end(job.stream);
    throw thrown;
  } finally {
    stream.isBusy = false;
  }
}

const hasStreamState = ({ connection }: OpenStream): boolean => connection.isTransaction || connection.isMarked;

/**
 * Runs a job that may only read, because another process may be writing to the database.
 *
 * @throws MustRunElsewhere if the job does more than reading.
 */
async function performReadingJob(job: JobOf<"pipeline" | "cursor">, turn: Turn): Promise<JobResult> {
  const connection = readingConnection(job);
  const stream: OpenStream = { connection, isClosed: false, isBusy: true, attachedLogs: new Map() };
  readers += 1;
  try {
    connection.begin(job.pages);
    const run = new JobRun(stream, job.rights, turn, () => undefined);
    const texts = job.kind === "pipeline" ? await run.pipeline(job.tasks) : await run.cursor(job.batch);
    if (!stream.isClosed && hasStreamState(stream)) throw new MustRunElsewhere();
    return { ...NOTHING, texts, open: !stream.isClosed, read: run.read, bytes: connection.bytes };
  } finally {
    readers -= 1;
    connection.close();
  }
}

function readingConnection({ folder, durable }: Target): SqliteConnection {
  try {
    return new SqliteConnection(folder, durable, true);
  } catch {
    throw new MustRunElsewhere();
  }
}

function noteAttachedLogs({ connection, attachedLogs }: OpenStream): void {
  if (!connection.isTransaction) attachedLogs.clear();
  else for (const file of connection.attached) if (!attachedLogs.has(file)) attachedLogs.set(file, framesInLog(file));
}

/** The jobs that have not begun: at most one for each request that the server is answering. */
const received: SentJob[] = [];
let isWorking = false;

process.on("message", (sent: SentJob) => {
  if ("ahead" in sent.job) clock.set(sent.job);
  received.push(sent);
  if (!isWorking) void performReceivedJobs();
});

/**
 * Starts a job only when the previous job has ended or is waiting, so that a database's short jobs can share a
 * connection.
 */
async function performReceivedJobs(): Promise<void> {
  for (isWorking = true; received.length > 0; ) {
    const folder = folderOfGroup(received);
    const database = folder === undefined ? undefined : databases.find(folder);
    if (database && (await performJobsTogether(database))) continue;
    const sent = received.shift();
    if (sent) await Promise.race([performJobAndReply(sent), moment()]);
  }
  isWorking = false;
}

/** Returns `false` if the first job must run by itself. */
async function performJobsTogether(database: OpenDatabase): Promise<boolean> {
  const { taken, committed, alone } = commitTogether(database, received, (sent) => watchdog.turn(sent));
  received.splice(0, taken);
  const [first] = committed;
  if (first) {
    const noted = recordCommit(database, first.turn);
    for (const { sent, turn, ...result } of committed)
      void reply(
        { sent, turn },
        noted.then((bytes) => ({ ...NOTHING, ...result, bytes })),
      );
    await moment();
  }
  for (const begun of alone) await Promise.race([reply(begun, performJob(begun.sent, begun.turn)), moment()]);
  return taken > 0;
}

/** Records the commit of a group, and returns the size of the database. */
async function recordCommit(database: OpenDatabase, turn: Turn): Promise<number> {
  database.noteCommit(clock.now);
  turn.guard(() => database.settle(), false);
  return database.bytes;
}

async function performJobAndReply(sent: SentJob): Promise<void> {
  const turn = watchdog.turn(sent);
  const { kind } = sent.job;
  // The server sends all other jobs to another process if they may not begin.
  if (kind === "close" || kind === "release" || kind === "discard" || turn.begin())
    await reply({ sent, turn }, performJob(sent, turn));
}

async function reply({ sent: { id }, turn }: BegunJob, work: Promise<JobResult>): Promise<void> {
  const reply: EngineReply = await work.then(
    (done) => ({ id, done }),
    (thrown) => {
      if (thrown instanceof MustRunElsewhere) return { id, elsewhere: true };
      if (!(thrown instanceof SqlFailure))
        return { id, crashed: thrown instanceof Error ? `${thrown.stack}` : String(thrown) };
      const { message, code, line } = thrown;
      return { id, failed: { message, code, ...(line !== undefined && { line }) } };
    },
  );
  // Until the reply has been sent, the server must not run the job again. Without a callback, a reply to a server that
  // was killed would end in an uncaught error.
  process.send?.(reply, undefined, undefined, () => turn.unchange());
}

// Exits without closing the databases, because closing them would checkpoint their logs, which the history needs.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);
