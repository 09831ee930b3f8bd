import { errorJson, failedJson, responseJson, resultJson, resultsJson, succeededJson } from "../hrana-json";
import type { OpenDatabase } from "./database";
import { isBusyFailure, SqlFailure } from "./failure";
import type { GroupConnection } from "./group-connection";
import type { Done, JobOf, Sent, Statement } from "./jobs";
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
interface Change extends Sent {
  readonly job: JobOf<"pipeline">;
}

/** A job that has begun, so that the server runs it elsewhere only if it is told to. */
export interface Begun {
  readonly sent: Sent;
  readonly turn: Turn;
}

/** A job whose change has been committed. */
interface Committed extends Begun, Pick<Done, "text" | "read" | "written"> {}

/** What became of the jobs at the beginning of the queue. */
interface Group {
  /** The number of jobs that have begun, or that the server runs elsewhere. */
  readonly taken: number;
  readonly committed: readonly Committed[];
  /** The jobs that have begun and changed nothing, so that each of them must run by itself. */
  readonly alone: readonly Begun[];
}

/** Returns the jobs at the beginning of a queue that change the same database and can be committed together. */
export function leadingChanges(queue: readonly Sent[]): Change[] {
  const changes: Change[] = [];
  for (const sent of queue) {
    if (!isChange(sent) || sent.job.folder !== queue[0]?.job.folder) break;
    changes.push(sent);
  }
  return changes;
}

function isChange(sent: Sent): sent is Change {
  const { job, reads, changes } = sent;
  // A job that runs again, or the first one in this process, runs by itself.
  if (job.kind !== "pipeline" || !job.isNew || job.arrives || reads || changes) return false;
  const sql = changeIn(job)?.sql ?? "";
  const { rules, ...allowed } = job.rights;
  if (rules !== null || !allowed.reads || !allowed.writes) return false;
  return sql.length <= LONGEST && CHANGE.test(sql) && !CURIOUS.test(sql);
}

/** Returns the statement of a job that has no other requests than the statement and `close`. */
function changeIn({ tasks: [first, second, ...rest] }: Change["job"]): Statement | undefined {
  return first?.type === "execute" && second?.type === "close" && rest.length === 0 ? first.stmt : undefined;
}

/**
 * Runs changes in one transaction and commits it. Commits nothing if another stream is writing, or if the transaction
 * ends early or cannot be committed.
 */
export function commitTogether(
  database: OpenDatabase,
  changes: readonly Change[],
  turnOf: (sent: Sent) => Turn,
): Group {
  const begun: Begun[] = [];
  const committed: Committed[] = [];
  let taken = 0;
  try {
    if (!database.group.begin()) return { taken, committed, alone: begun };
    let room = MOST_RESULT;
    for (const until = performance.now() + GROUP_MS; room > 0 && performance.now() < until; ) {
      const sent = changes[taken];
      if (!sent) break;
      taken += 1;
      const turn = turnOf(sent);
      if (!turn.begin()) continue;
      begun.push({ sent, turn });
      turn.changeUncommitted();
      const result = turn.guard(() => resultOf(sent, database.group));
      room -= result.text.length;
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

type Result = Pick<Committed, "text" | "read" | "written">;

/** @throws Error if the statement must run by itself. */
function resultOf({ job }: Change, group: GroupConnection): Result {
  const { text, read, written } = outcomeOf(job, group);
  if (!group.isIntact) throw new GroupEnded();
  return { text: resultsJson([text, succeededJson(responseJson.close)]), read, written };
}

function outcomeOf(job: Change["job"], group: GroupConnection): Result {
  const statement = changeIn(job);
  try {
    const result = group.execute({ ...statement, sql: statement?.sql ?? "" }, job.rights, job.pages);
    const { read, written } = result;
    return { text: succeededJson(responseJson.execute(resultJson(result))), read, written };
  } catch (thrown) {
    if (!(thrown instanceof SqlFailure) || isBusyFailure(thrown)) throw thrown;
    return { text: failedJson(errorJson(thrown)), read: 0, written: 0 };
  }
}
