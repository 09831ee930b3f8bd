import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Organization } from "../credentials/membership";
import { SQL } from "../faults/faults";
import type { Services } from "../services";
import type { SqlServer } from "../sql/server";
import type { DatabaseRow } from "../store/schema";
import { errorIn, type PlatformCaller } from "./caller";
import { shellLine } from "./shell-line";

/** A value of a row, in the form of the protocol. */
export type SqlValue =
  | { readonly type: "null" }
  | { readonly type: "integer" | "text"; readonly value: string }
  | { readonly type: "float"; readonly value: number | null }
  | { readonly type: "blob"; readonly base64: string };

export interface ConsoleResult {
  readonly cols: readonly { readonly name: string; readonly decltype: string | null }[];
  readonly rows: readonly (readonly SqlValue[])[];
  readonly affected_row_count: number;
  readonly query_duration_ms: number;
}

interface StatementError {
  readonly message: string;
  readonly code: string;
}

/** A statement with its result or its error. A statement after an error does not run, and has neither. */
export interface RunStatement {
  readonly statement: string;
  readonly result?: ConsoleResult;
  readonly error?: StatementError;
}

export interface SqlOutcome {
  readonly status: ContentfulStatusCode;
  /** The reason why no statement ran. */
  readonly message?: string;
  readonly request?: string;
  readonly statements: readonly RunStatement[];
  /** Whether the statements have left a transaction open, which ends with their stream. */
  readonly isRolledBack?: boolean;
}

interface ConsoleScript {
  readonly script: string;
  readonly writes: boolean;
  /** IP address of the browser. */
  readonly address: string;
  /** Identifies the form. It is another one each time that the page is rendered. */
  readonly form: string | undefined;
}

/** How many outcomes are kept for forms that are sent again. */
const MOST_KEPT = 10;

/** The page needs a token only while somebody uses it, so its tokens expire soon. */
const EXPIRATION = "1h";

const PIPELINE = "/v3/pipeline";

/**
 * Runs statements in databases over the protocol of clients, with SQL-engine tokens that the page mints through the
 * platform's own operation. The tokens are kept only in memory, and are replaced when they are refused, for example
 * after a rotation.
 */
export class SqlConsole {
  /** SQL-engine tokens by DbId and access: at most two for each database. */
  readonly #tokens = new Map<string, string>();
  /** At most `MOST_KEPT`, by form and statements. */
  readonly #kept = new Map<string, Promise<SqlOutcome>>();
  readonly #sql: SqlServer;
  readonly #caller: PlatformCaller;
  readonly #journal: Services["journal"];

  constructor(sql: SqlServer, caller: PlatformCaller, { journal }: Pick<Services, "journal">) {
    this.#sql = sql;
    this.#caller = caller;
    this.#journal = journal;
  }

  /**
   * Runs statements. If a form is sent again, returns its outcome without running the statements again: without the
   * page's script, a double click or a reload sends a form twice.
   */
  run(organization: Organization, database: DatabaseRow, wanted: ConsoleScript): Promise<SqlOutcome> {
    const { form, script, writes } = wanted;
    if (form === undefined) return this.#run(organization, database, wanted);
    const key = JSON.stringify([form, database.id, script, writes]);
    const known = this.#kept.get(key);
    if (known) return known;
    const outcome = this.#run(organization, database, wanted);
    this.#kept.set(key, outcome);
    const [oldest = ""] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT) this.#kept.delete(oldest);
    const forget = () => this.#kept.delete(key);
    outcome.then(({ message }) => message !== undefined && forget(), forget);
    return outcome;
  }

  async #run(organization: Organization, database: DatabaseRow, wanted: ConsoleScript): Promise<SqlOutcome> {
    const statements = statementsIn(wanted.script);
    const body = pipelineOf(statements);
    const request = shellLine({
      method: "POST",
      path: `/sql/${database.id}${PIPELINE}`,
      body,
      authorization: "Bearer $DATABASE_TOKEN",
    });
    for (let attempt = 1; ; attempt += 1) {
      const began = performance.now();
      const minted = await this.#token(organization, database, wanted.writes ? "full-access" : "read-only");
      if (typeof minted !== "string") return { ...minted, statements: [] };
      const { status, text, time } = await this.#sql.answer({
        named: { id: database.id },
        authorization: `Bearer ${minted}`,
        method: "POST",
        path: PIPELINE,
        address: wanted.address,
        body: async () => Buffer.from(JSON.stringify(body)),
      });
      if (status === 401 && attempt === 1) {
        this.#tokens.clear();
        continue;
      }
      this.#journal.record({
        time: time.toISOString(),
        operation: SQL,
        method: "POST",
        path: `/sql/${database.id}${PIPELINE}`,
        status,
        began,
      });
      const answer = JSON.parse(String(text));
      if (status !== 200) return { status, message: String(answer.message), request, statements: [] };
      const [answered, transaction] = answer.results;
      const isRolledBack = transaction.response?.is_autocommit === false;
      return { status, request, statements: resultsOf(statements, answered), isRolledBack };
    }
  }

  async #token(
    organization: Organization,
    { id, name }: DatabaseRow,
    authorization: "full-access" | "read-only",
  ): Promise<string | { readonly status: ContentfulStatusCode; readonly message: string; readonly request: string }> {
    const key = `${id} ${authorization}`;
    const known = this.#tokens.get(key);
    if (known !== undefined) return known;
    const { status, body, request } = await this.#caller.call(organization, {
      operation: "createDatabaseToken",
      params: { organizationSlug: organization.slug, databaseName: name },
      query: { expiration: EXPIRATION, authorization },
    });
    if (status !== 200) return { status, message: errorIn(body), request };
    const { jwt } = body as { readonly jwt: string };
    this.#tokens.set(key, jwt);
    return jwt;
  }
}

/**
 * Returns a request that runs the statements, asks whether a transaction is open, and closes the stream. Several
 * statements are sent as a batch in which each requires the success of the one before, so that nothing runs after an
 * error.
 */
function pipelineOf(statements: readonly string[]) {
  const [sql, ...others] = statements;
  const first =
    others.length === 0
      ? { type: "execute", stmt: { sql } }
      : {
          type: "batch",
          batch: {
            steps: statements.map((each, index) => ({
              ...(index > 0 && { condition: { type: "ok", step: index - 1 } }),
              stmt: { sql: each },
            })),
          },
        };
  return { requests: [first, { type: "get_autocommit" }, { type: "close" }] };
}

/** The response to the first request of a pipeline. */
type PipelineAnswer =
  | { readonly type: "error"; readonly error: StatementError }
  | { readonly type: "ok"; readonly response: { readonly type: "execute"; readonly result: ConsoleResult } }
  | {
      readonly type: "ok";
      readonly response: {
        readonly type: "batch";
        readonly result: {
          readonly step_results: readonly (ConsoleResult | null)[];
          readonly step_errors: readonly (StatementError | null)[];
        };
      };
    };

function resultsOf(statements: readonly string[], answered: PipelineAnswer): RunStatement[] {
  // An error of the whole request, for example because it was stopped, is shown at the first statement.
  if (answered.type === "error")
    return statements.map((statement, index) => ({ statement, ...(index === 0 && { error: answered.error }) }));
  const { response } = answered;
  if (response.type === "execute") return [{ statement: statements[0] ?? "", result: response.result }];
  const { step_results, step_errors } = response.result;
  return statements.map((statement, index) => {
    const [result, error] = [step_results[index], step_errors[index]];
    return { statement, ...(result && { result }), ...(error && { error }) };
  });
}

const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'[^']*(?:''[^']*)*'?|"[^"]*(?:""[^"]*)*"?|`[^`]*(?:``[^`]*)*`?|\[[^\]]*\]?|[\w$\u0080-\uffff]+|\s+|[\s\S]/g;

const TRIGGER = /^(explain (query plan )?)?create (temp |temporary )?trigger /;

/**
 * Splits a script into its statements by the rule of SQLite's shell (`sqlite3_complete`): a semicolon ends a statement,
 * but within a trigger only after `END`. A script without any statement is returned whole, so that the server reports
 * the error.
 */
export function statementsIn(script: string): readonly string[] {
  const statements: string[] = [];
  let tokens: string[] = [];
  let start = 0;
  for (const { 0: token, index } of script.matchAll(TOKEN)) {
    if (/^(\s|--|\/\*)/.test(token)) continue;
    const isWithinTrigger =
      TRIGGER.test(`${tokens.slice(0, 6).join(" ")} `) && !(tokens.at(-2) === ";" && tokens.at(-1) === "end");
    if (token !== ";" || isWithinTrigger) {
      tokens.push(token.toLowerCase());
      continue;
    }
    if (tokens.length > 0) statements.push(script.slice(start, index).trim());
    tokens = [];
    start = index + 1;
  }
  if (tokens.length > 0) statements.push(script.slice(start).trim());
  return statements.length === 0 ? [script] : statements;
}
