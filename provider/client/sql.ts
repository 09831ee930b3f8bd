import type { HttpStream, RowsResult } from "@libsql/hrana-client";
import { messageOf, Refusal, type RefusalKind } from "../../kit/refusal";
import { shorten, textWithoutTokens } from "./http/answer";
import type { HttpConnection, Limits } from "./http/client";
import { databaseRedirected, REFERENCE_WITHOUT_SQL, refusedByDatabase } from "./messages";

/** A database to connect to. */
export interface SqlAddress {
  readonly DbId: string;
  readonly Hostname: string;
}

/** The token, and the key of an encrypted database, with which a database is opened. */
export interface SqlCredential {
  /** Returns a token that is valid long enough for one request. */
  token(): Promise<string>;
  readonly encryptionKey?: string | undefined;
}

/** The code of the refusal of a reference API whose databases have no tables. */
export const WITHOUT_SQL = "without-sql";

/** A database into which SQL goes over HTTP. */
export interface SqlDatabase {
  /**
   * Returns the result of a query. With `write`, it waits for the transaction that writes at present.
   *
   * @throws StatementRefused, or Refusal if the database did not answer.
   */
  query(statement: string, mode?: "read" | "write"): Promise<SqlRows>;
  /**
   * Runs statements in one transaction and one request, without enforcing foreign keys, so that a table can be replaced.
   *
   * @throws StatementRefused after which none of them is in effect, or Refusal.
   */
  transact(statements: readonly SqlText[]): Promise<void>;
}

type Hrana = typeof import("@libsql/hrana-client");

interface SqlRows {
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** A statement with its arguments. */
export type SqlText = string | { readonly sql: string; readonly args: (string | number)[] };

/** Thrown if a database refuses a statement. */
export class StatementRefused extends Error {
  constructor(
    /** The number of the statement, from 0; `undefined` if the database refuses the transaction itself. */
    readonly index: number | undefined,
    readonly reason: string,
  ) {
    super(reason);
  }
}

/** Opens databases of the platform, at their hostnames or at the address of the reference API. */
export class SqlConnection {
  #health: ReturnType<HttpConnection["referenceHealth"]> | undefined;

  /** @param isPublic Whether the platform is the public service, and so no reference API. */
  constructor(
    private readonly connection: Pick<HttpConnection, "request" | "referenceHealth">,
    private readonly baseUrl: string,
    private readonly isPublic: boolean,
  ) {}

  /** Opens a database. Sends at most one request: to a reference API, for the path of its databases. */
  async open(
    { DbId, Hostname }: SqlAddress,
    { token, encryptionKey }: SqlCredential,
    limits: Limits,
  ): Promise<SqlDatabase> {
    const health = await this.#referenceHealth(limits);
    if (health && health.sql === undefined)
      throw new Refusal("conflict", { ...REFERENCE_WITHOUT_SQL, code: WITHOUT_SQL });
    const url = health?.sql ? new URL(health.sql.replace("{DbId}", DbId), this.baseUrl).href : `https://${Hostname}`;
    const hrana = await import("@libsql/hrana-client");
    const hide = (text: string) => textWithoutTokens(text, encryptionKey);
    const send = (request: Request) => this.#fetch(request, { origin: new URL(url).origin, hide }, limits);
    const openStream = async () => hrana.openHttp(url, await token(), send, encryptionKey).openStream();
    return databaseOf(hrana, openStream, hide);
  }

  async #referenceHealth(limits: Limits) {
    if (this.isPublic) return undefined;
    this.#health ??= this.connection.referenceHealth(limits);
    try {
      return await this.#health;
    } catch (failure) {
      this.#health = undefined;
      throw failure;
    }
  }

  async #fetch(
    request: Request,
    { origin, hide }: { readonly origin: string; readonly hide: (text: string) => string },
    limits: Limits,
  ): Promise<Response> {
    const url = new URL(request.url);
    // The token is for this database alone.
    if (url.origin !== origin) throw new Refusal("unreadable", { answer: databaseRedirected({ origin: url.origin }) });
    const headers = Object.fromEntries(request.headers);
    const { status, text } = await this.connection.request(
      url,
      { method: "POST", headers, body: await request.text() },
      limits,
    );
    if (status >= 200 && status < 300) return new Response(text, { status, headers: JSON_TYPE });
    const reason = `HTTP ${status}: ${shorten(hide(text))}`;
    throw new Refusal(KINDS[status] ?? (status < 500 ? "invalid" : "unavailable"), {
      answer: refusedByDatabase({ reason }),
      status,
      uncertain: status >= 500,
    });
  }
}

const JSON_TYPE = { "content-type": "application/json" };
const KINDS: Readonly<Record<number, RefusalKind>> = {
  401: "unauthenticated",
  403: "forbidden",
  404: "absent",
  429: "throttled",
};

/**
 * The statements of each database go to it in one request, with those that begin and end the transaction.
 *
 * @param hide Removes credentials from what the database answers.
 */
function databaseOf(hrana: Hrana, openStream: () => Promise<HttpStream>, hide: (text: string) => string): SqlDatabase {
  const reasonOf = (failure: unknown) => shorten(hide(messageOf(failure)));
  const statementRefused = (failure: unknown, index: number | undefined) =>
    new StatementRefused(index, reasonOf(failure));

  function fail(failure: unknown): never {
    if (failure instanceof Refusal) throw failure;
    if (failure instanceof hrana.ResponseError) throw statementRefused(failure, undefined);
    const answer = refusedByDatabase({ reason: reasonOf(failure) });
    throw new Refusal("unreadable", { answer, uncertain: true, cause: failure });
  }

  async function batch(statements: readonly SqlText[], isMigration: boolean): Promise<readonly RowsResult[]> {
    const { BatchCond } = hrana;
    const stream = await openStream();
    const steps = stream.batch(false);
    const before = isMigration ? steps.step() : undefined;
    const unchecked = before && settle(before.run("PRAGMA foreign_keys=off"));
    // Otherwise, a table that is replaced could take the rows along that refer to it.
    const begin = before ? steps.step().condition(BatchCond.ok(before)) : steps.step();
    const begun = settle(begin.run("BEGIN IMMEDIATE"));
    let last = begin;
    const results = statements.map((statement) => {
      const step = steps.step().condition(BatchCond.ok(last));
      last = step;
      return settle(step.query(typeof statement === "string" ? statement : [statement.sql, [...statement.args]]));
    });
    const commit = steps.step().condition(BatchCond.ok(last));
    const committed = settle(commit.run("COMMIT"));
    settle(
      steps
        .step()
        .condition(BatchCond.not(BatchCond.ok(commit)))
        .run("ROLLBACK"),
    );
    if (isMigration) settle(steps.step().run("PRAGMA foreign_keys=on"));
    const executed = steps.execute();
    stream.closeGracefully();
    await executed.catch(fail);
    const outcomes = await Promise.all(results);
    const failed = outcomes.findIndex(({ failure }) => failure !== undefined);
    if (failed >= 0) throw statementRefused(outcomes[failed]?.failure, failed);
    const failure = (await unchecked)?.failure ?? (await begun).failure ?? (await committed).failure;
    if (failure !== undefined) throw statementRefused(failure, undefined);
    return outcomes.flatMap(({ result }) => result ?? []);
  }

  return {
    async query(statement, mode = "read") {
      if (mode === "write") return rowsOf((await batch([statement], false))[0]);
      const stream = await openStream();
      const answer = settle(stream.query(statement));
      stream.closeGracefully();
      const { result, failure } = await answer;
      return failure === undefined ? rowsOf(result) : fail(failure);
    },
    transact: async (statements) => void (await batch(statements, true)),
  };
}

/** Waits also for what fails, because the answers to all steps come together. */
const settle = <Result>(step: Promise<Result>): Promise<{ readonly result?: Result; readonly failure?: unknown }> =>
  step.then(
    (result) => ({ result }),
    (failure: unknown) => ({ failure }),
  );

const rowsOf = ({ columnNames = [], rows = [] }: Partial<RowsResult> = {}): SqlRows => ({
  columns: columnNames.map(String),
  rows,
});
