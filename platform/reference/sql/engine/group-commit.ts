import { errorJson, failedJson, responseJson, resultJson, succeededJson } from "../hrana-json";
import type { OpenDatabase } from "./database";
import { isBusySqlFailure, SqlFailure } from "./failure";
import type { GroupConnection } from "./group-connection";
import type { JobOf, JobResult, SentJob, Statement } from "./jobs";
import { MOST_RESULT } from "./limits";
import type { Turn } from "./watchdog";

/** How long to run statements before committing them, in milliseconds. */
const GROUP_MS = 50;

/** The maximum length of a statement in a group, in characters. Longer ones gain little, and take longer to check. */
const LONGEST = 16_384;

const CHANGE = /^\s*(insert|update|delete|replace)\b/i;

/** Matches statements that may show what other streams have done on their connection. */
const CURIOUS = /last_insert_rowid|changes|pragma|sqlite_temp|\btemp\b/i;

/** A job that consists of one change on a stream of its own. */
interface Change {
  readonly job: JobOf<"pipeline">;
  readonly statement: Statement & { readonly sql: string };
}

/** A job that has begun in this process. The server runs it in another process only if a reply asks for that. */
export interface BegunJob {
  readonly sent: SentJob;
  readonly turn: Turn;
}

/** A job whose change has been committed. */
interface CommittedJob extends BegunJob, Pick<JobResult, "texts" | "read" | "written"> {}

/** The jobs at the beginning of the queue, by their result. */
interface CommitGroup {
  /** The number of jobs that have begun, or that the server runs elsewhere. */
  readonly taken: number;
  readonly committed: readonly CommittedJob[];
  /** The jobs that have begun and changed nothing, so that each of them must run by itself. */
  readonly alone: readonly BegunJob[];
}

/** Returns the folder of the database that the first jobs of a queue change, if they can be committed together. */
export function folderOfGroup([first, second]: readonly SentJob[]): string | undefined {
  const folder = changeIn(first)?.job.folder;
  return folder !== undefined && changeIn(second)?.job.folder === folder ? folder : undefined;
}

/** Returns the change of a job that can be committed together with others. */
function changeIn(sent: SentJob | undefined): Change | undefined {
  // A job that runs again, or the first one in this process, runs by itself.
  if (sent?.job.kind !== "pipeline" || !sent.job.isNew || sent.job.arrives || sent.reads || sent.changes)
    return undefined;
  const { job } = sent;
  const [first, second, ...rest] = job.tasks;
  if (first?.type !== "execute" || second?.type !== "close" || rest.length > 0) return undefined;
  const { rules, ...allowed } = job.rights;
  if (rules !== null || !allowed.reads || !allowed.writes) return undefined;
  const sql = first.stmt.sql ?? "";
  const isPlain = sql.length <= LONGEST && CHANGE.test(sql) && !CURIOUS.test(sql);
  return isPlain ? { job, statement: { ...first.stmt, sql } } : undefined;
}

/**
 * Runs the changes at the beginning of a queue in one transaction and commits it. Commits nothing if another stream is
 * writing, or if the transaction ends early or cannot be committed.
 *
 * @param queue A queue for which `folderOfGroup` returns the folder of the database.
 */
export function commitTogether(
  database: OpenDatabase,
  queue: readonly SentJob[],
  turnOf: (sent: SentJob) => Turn,
): CommitGroup {
  const begun: BegunJob[] = [];
  const committed: CommittedJob[] = [];
  const folder = queue[0]?.job.folder;
  let taken = 0;
  try {
    if (!database.group.begin()) return { taken, committed, alone: begun };
    let room = MOST_RESULT;
    for (const until = performance.now() + GROUP_MS; room > 0 && performance.now() < until; ) {
      const sent = queue[taken];
      const change = changeIn(sent);
      if (!sent || !change || change.job.folder !== folder) break;
      taken += 1;
      const turn = turnOf(sent);
      if (!turn.begin()) continue;
      begun.push({ sent, turn });
      turn.changeUncommitted();
      const result = turn.guard(() => resultOf(change, database.group));
      room -= result.texts[0]?.length ?? 0;
      committed.push({ sent, turn, ...result });
    }
    for (const { turn } of begun) turn.commit();
    const commit = () => database.group.commit();
    const [first] = begun;
    if (first) first.turn.guard(commit, false);
    else commit();
    return { taken, committed, alone: [] };
  } catch {
    database.endGroup();
    for (const { turn } of begun) turn.unchange();
    return { taken, committed: [], alone: begun };
  }
}

/** Thrown if a statement has ended the transaction of its group, or has given the connection state. */
class GroupEnded extends Error {}

type Result = Pick<CommittedJob, "texts" | "read" | "written">;

const CLOSED = succeededJson(responseJson.close);

/** @throws Error if the statement must run by itself. */
function resultOf(change: Change, group: GroupConnection): Result {
  const result = execute(change, group);
  if (!group.isIntact) throw new GroupEnded();
  return result;
}

function execute({ job, statement }: Change, group: GroupConnection): Result {
  try {
    const result = group.execute(statement, job.rights, job.pages);
    const { read, written } = result;
    return { texts: [succeededJson(responseJson.execute(resultJson(result))), CLOSED], read, written };
  } catch (thrown) {
    if (!(thrown instanceof SqlFailure) || isBusySqlFailure(thrown)) throw thrown;
    return { texts: [failedJson(errorJson(thrown)), CLOSED], read: 0, written: 0 };
  }
}
