import { setImmediate as moment, setTimeout as pause } from "node:timers/promises";
import { nextStatement } from "../../../values/sql-script";
import {
  descriptionJson,
  entryJson,
  entryLines,
  errorJson,
  failedJson,
  plainErrorJson,
  plainResultJson,
  responseJson,
  resultJson,
  type StatementResult,
  succeededJson,
} from "../hrana-json";
import type { Condition } from "../protocol";
import type { ExecutionResult, SqliteConnection } from "./connection";
import { isBusySqlFailure, isReadOnlySqlFailure, SqlFailure } from "./failure";
import type { Batch, Rights, Statement, Task } from "./jobs";
import { MOST_RESPONSE } from "./limits";
import { NOT_INTERACTIVE, TOO_LARGE } from "./messages";
import { sqlParameterNames } from "./parameters";
import { MustRunElsewhere, type Turn } from "./watchdog";

/** How long a statement waits for another stream that is writing, in milliseconds. */
const PATIENCE_MS = 5_000;

/** How long a job may run before it yields to other jobs, in milliseconds. */
const TURN_MS = 50;

export interface OpenStream {
  readonly connection: SqliteConnection;
  isClosed: boolean;
  /** Whether a job of the stream is in progress. */
  isBusy: boolean;
  /** The number of frames in the logs of attached databases when the open transaction began, by SQLite file. */
  readonly attachedLogs: Map<string, number>;
}

/** Runs the requests of one job in order, and lets other jobs run between statements. */
export class JobRun {
  read = 0;
  written = 0;
  /** Whether any statement may have committed changes. */
  hasCommitted = false;
  /** The size of the results so far, in characters of JSON. */
  #size = 0;
  readonly #noteCommit: () => void;
  #since = performance.now();
  readonly #stream: OpenStream;
  readonly #rights: Rights;
  readonly #job: Turn;

  /** @param noteCommit Called after each statement that may have committed changes. */
  constructor(stream: OpenStream, rights: Rights, job: Turn, noteCommit: () => void) {
    this.#noteCommit = noteCommit;
    this.#stream = stream;
    this.#rights = rights;
    this.#job = job;
    stream.connection.change = () => job.change();
  }

  /** Runs the tasks of a pipeline in order, and returns the JSON of their results. */
  async pipeline(tasks: readonly Task[]): Promise<string[]> {
    const results: string[] = [];
    for (const task of tasks)
      results.push(
        await this.#answer(task).then(succeededJson, (thrown) => failedJson(this.#counted(errorJsonOf(thrown)))),
      );
    return results;
  }

  /** Runs a batch for a cursor, and returns one text with the entries of the cursor as lines of JSON. */
  async cursor(batch: Batch): Promise<string[]> {
    const entries: string[] = [];
    await this.#batch(batch, (step, outcome) => {
      if ("error" in outcome) entries.push(entryJson.stepError(step, outcome.error));
      else {
        const { cols, rows } = outcome.result;
        entries.push(entryJson.stepBegin(step, cols));
        this.#size += cols.length;
        for (const row of rows) entries.push(entryJson.row(row));
        entries.push(entryJson.stepEnd(outcome.result));
      }
    });
    return [entryLines(entries)];
  }

  async #answer(task: Task): Promise<string> {
    if (task.type === "stored") return task.text;
    const { connection } = this.#stream;
    switch (task.type) {
      case "close":
        this.#stream.isClosed = true;
        this.#job.guard(() => connection.rollBack());
        return responseJson.close;
      case "execute":
        return responseJson.execute(this.#counted(resultJson(await this.#execute(task.stmt))));
      case "batch": {
        const results: (string | null)[] = task.batch.steps.map(() => null);
        const errors = [...results];
        await this.#batch(task.batch, (step, outcome) => {
          if ("error" in outcome) errors[step] = outcome.error;
          else results[step] = this.#counted(resultJson(outcome.result));
        });
        return responseJson.batch(results, errors);
      }
      case "statements":
        return this.#statements(task.statements);
      case "sequence":
        await this.#sequence(task.sql ?? "");
        return responseJson.sequence;
      case "describe":
        return responseJson.describe(this.#counted(this.#job.guard(() => this.#describe(task.sql ?? ""))));
      case "get_autocommit":
        return responseJson.autocommit(!connection.isTransaction);
    }
  }

  #counted(text: string): string {
    this.#size += text.length;
    return text;
  }

  #assertRoom(): void {
    if (this.#size > MOST_RESPONSE) throw new SqlFailure(TOO_LARGE, "RESPONSE_TOO_LARGE");
  }

  async #execute(statement: Statement): Promise<StatementResult> {
    this.#assertRoom();
    const { connection } = this.#stream;
    const result = await this.#patiently(() =>
      connection.execute({ ...statement, sql: statement.sql ?? "" }, this.#rights),
    );
    this.read += result.read;
    this.written += result.written;
    return result;
  }

  async #batch(
    { steps }: Batch,
    report: (step: number, outcome: { result: StatementResult } | { error: string }) => void,
  ): Promise<void> {
    const succeeded = new Set<number>();
    const holds = (condition: Condition): boolean => {
      switch (condition.type) {
        case "ok":
          return succeeded.has(condition.step);
        // A skipped step also counts as failed, as in the service but not in Hrana 3.
        case "error":
          return !succeeded.has(condition.step);
        case "is_autocommit":
          return !this.#stream.connection.isTransaction;
        case "not":
          return !holds(condition.cond);
        case "and":
          return condition.conds.every(holds);
        case "or":
          return condition.conds.some(holds);
      }
    };
    for (const [index, { condition, stmt }] of steps.entries()) {
      if (condition && !holds(condition)) continue;
      try {
        report(index, { result: await this.#execute(stmt) });
        succeeded.add(index);
      } catch (thrown) {
        report(index, { error: this.#counted(errorJsonOf(thrown)) });
      }
    }
  }

  async #statements(statements: readonly Statement[]): Promise<string> {
    const { connection } = this.#stream;
    // As in libSQL's own server, nothing runs if a statement cannot be parsed.
    for (const { sql } of statements) this.#assertParsed(sql ?? "");
    const results = statements.map(() => "null");
    let hasFailed = false;
    for (const [index, statement] of statements.entries()) {
      if (hasFailed) break;
      const result = await this.#execute(statement).then(plainResultJson, (thrown) => {
        hasFailed = true;
        return plainErrorJson(failureOf(thrown));
      });
      results[index] = this.#counted(result);
    }
    if (!hasFailed && connection.isTransaction) throw new SqlFailure(NOT_INTERACTIVE, "SQL_TRANSACTION_OPEN");
    return `[${results.join()}]`;
  }

  #assertParsed(sql: string): void {
    // SQLite runs some pragmas while it prepares them.
    if (/\bpragma\b/i.test(sql)) return;
    try {
      this.#job.guard(() => this.#stream.connection.single(sql, this.#rights));
    } catch (thrown) {
      if (["SQL_PARSE_ERROR", "SQL_MANY_STATEMENTS"].includes(failureOf(thrown).code)) throw thrown;
    }
  }

  async #sequence(sql: string): Promise<void> {
    const { connection } = this.#stream;
    for (let start = 0, at = nextStatement(sql, 0); at < sql.length; at = nextStatement(sql, start)) {
      const { end, written } = await this.#patiently(() => {
        const prepared = connection.prepare(sql, at, this.#rights, { start });
        return { ...connection.run(prepared, [], false), end: prepared.end };
      });
      this.written += written;
      start = end;
    }
  }

  #describe(sql: string): string {
    this.#assertRoom();
    const { connection } = this.#stream;
    const prepared = connection.single(sql, this.#rights, true);
    const { text, statement } = prepared;
    return descriptionJson({
      parameters: sqlParameterNames(text).map((name) => name ?? null),
      columns: statement.columns(),
      isExplain: /^explain\b/i.test(text),
      isReadOnly: connection.isReadOnly(prepared),
    });
  }

  /** Retries a statement while another stream is writing, and lets other jobs run between attempts. */
  async #patiently<T extends Pick<ExecutionResult, "commits">>(work: () => T): Promise<T> {
    for (const until = performance.now() + PATIENCE_MS; ; await pause(5)) {
      await this.#turn();
      const { isChanging } = this.#job;
      try {
        const result = this.#job.guard(work);
        if (result.commits) this.#committed();
        return result;
      } catch (thrown) {
        if (isReadOnlySqlFailure(thrown) && this.#stream.connection.isReader) throw new MustRunElsewhere();
        if (isBusySqlFailure(thrown) && performance.now() <= until) {
          if (!isChanging) this.#job.unchange();
          continue;
        }
        // A statement such as INSERT OR FAIL may fail and still commit changes.
        this.#committed();
        throw thrown;
      }
    }
  }

  #committed(): void {
    if (!this.#job.isChanging) return;
    this.hasCommitted = true;
    this.#noteCommit();
  }

  async #turn(): Promise<void> {
    if (performance.now() - this.#since < TURN_MS) return;
    await moment();
    this.#since = performance.now();
  }
}

/** Returns the error of a statement. Rethrows an error that ends the job. Any other error is a bug. */
function failureOf(thrown: unknown): SqlFailure {
  if (!(thrown instanceof SqlFailure) || thrown.endsStream) throw thrown;
  return thrown;
}

const errorJsonOf = (thrown: unknown): string => errorJson(failureOf(thrown));
