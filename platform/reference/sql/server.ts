import type { ContentfulStatusCode } from "hono/utils/http-status";
import { version } from "../../../package.json";
import type { VerifiedTokens } from "../credentials/sql-token-check";
import { refuse } from "../messages";
import type { Contents } from "../operations/contents";
import { ApiError, asRefusal, messageOf } from "../refusal";
import type { SeedContents } from "../seed/insert";
import type { Store } from "../store/store";
import { type ClockReading, clockNowIn, clockReadingIn } from "../time/clock";
import { type Admission, admitSqlRequest, assertUnrestricted, isDatabaseHost, type Visitor } from "./access";
import { DatabaseRows } from "./database-rows";
import { SqlFailure } from "./engine/failure";
import type { Folder } from "./folder";
import {
  cursorJson,
  errorJson,
  failedJson,
  firstResult,
  linesJson,
  pipelineJson,
  refusalJson,
  resultsJson,
} from "./hrana-json";
import { STREAM_LOST, WELCOME } from "./messages";
import { Pool } from "./pool/pool";
import { BatchBody, CursorBody, ExecuteBody, PipelineBody, readSqlBody, type StreamRequest } from "./protocol";
import { type Stream, Streams, streamExpired } from "./streams";
import { batchOf, tasksOf } from "./tasks";
import { Transfers } from "./transfers";

export interface SqlRequest extends Visitor {
  readonly method: string;
  /** The path after the database's address, such as `/v2/pipeline`. */
  readonly path: string;
  readonly body: () => Promise<Buffer>;
}

export interface SqlAnswer {
  readonly status: ContentfulStatusCode;
  readonly text: string | Buffer;
  readonly type: string;
  readonly time: Date;
}

const JSON_TYPE = "application/json";
const TEXT_TYPE = "text/plain";

/** Interval, in milliseconds, at which usage figures are stored and files of unrestorable databases are removed. */
const PURGE_MS = 60_000;

type Admitted = Admission & ClockReading;

type Route = (admitted: Admitted, request: SqlRequest) => Promise<Pick<SqlAnswer, "text" | "type">>;

/** Serves SQL over HTTP for all databases of the store (Hrana 1 to 3, JSON). */
export class SqlServer {
  readonly #store: Store;
  readonly #folder: Folder;
  readonly #pool = new Pool();
  readonly #rows: DatabaseRows;
  readonly #transfers: Transfers;
  /** At most 10,000 tokens, as `checkSqlToken` makes sure. */
  readonly #verified: VerifiedTokens = new Map();
  readonly #streams = new Streams(({ id, database }) => void this.#pool.end(this.#folder.of(database), id));
  readonly #purging: NodeJS.Timeout;
  #isClosed = false;

  constructor(store: Store, folder: Folder) {
    this.#pool.start();
    this.#store = store;
    this.#folder = folder;
    this.#rows = new DatabaseRows(this.#folder, this.#pool);
    this.#transfers = new Transfers(this.#folder, this.#pool, this.#rows);
    this.#purging = setInterval(() => {
      this.#rows.save();
      void this.purge().catch(console.error);
    }, PURGE_MS).unref();
  }

  readonly isDatabaseHost = isDatabaseHost;

  get contents(): Contents & SeedContents {
    return this.#rows;
  }

  /** @throws ApiError if no process can run statements. */
  async assertStarted(): Promise<void> {
    await this.#pool.started().catch((cause: unknown) => {
      throw new ApiError(503, messageOf(cause), undefined, cause);
    });
  }

  /** Removes the rows of databases that can no longer be restored. */
  async purge(): Promise<void> {
    await this.#rows.purge(this.#store, await this.#store.read(clockNowIn));
  }

  /** Resets all databases to their seeded rows. */
  async reset(): Promise<void> {
    this.#streams.clear();
    this.#transfers.clear();
    await this.#rows.reset();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#purging);
    this.#streams.clear();
    this.#pool.killAll();
    this.#rows.save();
    await this.#folder.close();
  }

  /** Handles a request. Errors are returned in the form that the protocol defines. */
  async answer(request: SqlRequest): Promise<SqlAnswer> {
    const seen = { time: new Date() };
    try {
      return { status: 200, ...(await this.#answer(request, seen)), ...seen };
    } catch (thrown) {
      const refusal = asRefusal(thrown);
      if (!refusal) throw thrown;
      const { status, message, code } = refusal;
      return { status, text: refusalJson(message, code), type: JSON_TYPE, ...seen };
    }
  }

  async #answer(request: SqlRequest, seen: { time: Date }): Promise<Pick<SqlAnswer, "text" | "type">> {
    const plain = PLAIN[`${request.method} ${request.path}`];
    if (plain !== undefined) return { text: plain, type: TEXT_TYPE };
    const respond = this.#routeOf(request);
    if (!respond) throw refuse.noSuchPath();
    const { missing, ...admitted } = await this.#store.read(async (state) => {
      const clock = await clockReadingIn(state);
      const { now } = clock;
      seen.time = now;
      const admission = await admitSqlRequest(state, request, { now, verified: this.#verified, folder: this.#folder });
      const missing: Awaited<ReturnType<DatabaseRows["missing"]>> = [];
      for (const each of [admission.database, ...admission.attachable])
        missing.push(...(await this.#rows.missing(state, each)));
      return { ...admission, ...clock, missing };
    });
    await this.#rows.make(missing, admitted.now.toISOString());
    return respond(admitted, request);
  }

  #routeOf({ method, path }: SqlRequest): Route | undefined {
    const transfer = this.#transfers.route(method, path);
    return transfer ? (admitted, { body }) => transfer({ admitted, body }) : this.#routes[`${method} ${path}`];
  }

  readonly #routes: Readonly<Record<string, Route>> = {
    "POST /v1/execute": async (admitted, { body }) =>
      this.#once({ type: "execute", ...(await readSqlBody(ExecuteBody, body)) }, admitted),
    "POST /v1/batch": async (admitted, { body }) =>
      this.#once({ type: "batch", ...(await readSqlBody(BatchBody, body)) }, admitted),
    "POST /v2/pipeline": (admitted, request) => this.#pipeline(admitted, request),
    "POST /v3/pipeline": (admitted, request) => this.#pipeline(admitted, request),
    "POST /v3/cursor": (admitted, request) => this.#cursor(admitted, request),
    "GET /dump": async ({ database, rights, now }) => {
      assertUnrestricted(rights, "reads");
      const { text } = await this.#pool.run({ kind: "dump", ...this.#rows.target(database.id, now.toISOString()) });
      return { text, type: TEXT_TYPE };
    },
  };

  /** Runs one request on a stream of its own, as version 1 of the protocol requires. */
  #once(request: StreamRequest, admitted: Admitted): Promise<Pick<SqlAnswer, "text" | "type">> {
    return this.#onStream(null, admitted, async (stream, target) => {
      const tasks = tasksOf([request, { type: "close" }], stream.texts);
      const { text } = await this.#run({ kind: "pipeline", ...target, tasks }, stream, admitted).catch((thrown) => {
        throw thrown instanceof SqlFailure ? new ApiError(400, thrown.message, thrown.code) : thrown;
      });
      const result = firstResult(text);
      if ("response" in result) return { text: () => result.response, open: false, bound: false, type: JSON_TYPE };
      const { message, code } = JSON.parse(result.error) as { readonly message: string; readonly code: string };
      throw new ApiError(400, message, code);
    });
  }

  async #pipeline(admitted: Admitted, { body }: SqlRequest): Promise<Pick<SqlAnswer, "text" | "type">> {
    const { baton, requests } = await readSqlBody(PipelineBody, body);
    return this.#onStream(baton, admitted, async (stream, target) => {
      const tasks = tasksOf(requests, stream.texts);
      const { text, open, bound } = await this.#run({ kind: "pipeline", ...target, tasks }, stream, admitted).catch(
        stoppedAs((error) => resultsJson(requests.map(() => failedJson(error)))),
      );
      return { text: (next) => pipelineJson(next, text), open, bound, type: JSON_TYPE };
    });
  }

  async #cursor(admitted: Admitted, { body }: SqlRequest): Promise<Pick<SqlAnswer, "text" | "type">> {
    const { baton, batch } = await readSqlBody(CursorBody, body);
    return this.#onStream(baton, admitted, async (stream, target) => {
      const steps = batchOf(batch, stream.texts.reader());
      const { text, open, bound } = await this.#run(
        { kind: "cursor", ...target, batch: steps },
        stream,
        admitted,
      ).catch(stoppedAs((error) => linesJson([failedJson(error)])));
      return { text: (next) => cursorJson(next, text), open, bound, type: TEXT_TYPE };
    });
  }

  async #run(job: Parameters<Pool["run"]>[0], stream: Stream, { database }: Admitted) {
    const done = await this.#pool.run(job, stream);
    this.#rows.note(database.id, done);
    return done;
  }

  async #onStream(
    baton: string | null | undefined,
    { database, rights, pages, now, ahead }: Admitted,
    work: (
      stream: Stream,
      target: ReturnType<DatabaseRows["target"]> &
        Pick<Admitted, "rights" | "ahead"> & { stream: string; isNew: boolean },
    ) => Promise<{ text: (baton: string | undefined) => string; open: boolean; bound: boolean; type: string }>,
  ): Promise<Pick<SqlAnswer, "text" | "type">> {
    const target = this.#rows.target(database.id, now.toISOString(), pages);
    const stream = this.#streams.take(baton, database.id);
    if (stream.isBound && !this.#pool.has(target.folder, stream.id)) {
      this.#streams.forget(stream);
      throw streamExpired(STREAM_LOST);
    }
    try {
      const { id, isBound } = stream;
      const { text, open, bound, type } = await work(stream, { ...target, stream: id, isNew: !isBound, rights, ahead });
      if (!open) this.#streams.forget(stream);
      return { text: text(open ? this.#streams.keep(stream, bound) : undefined), type };
    } catch (thrown) {
      this.#streams.forget(stream);
      await this.#pool.end(target.folder, stream.id);
      throw thrown;
    }
  }
}

/**
 * Responses to requests that need no token. Clients probe a protocol version before they use it, and fall back to an
 * older version on 404.
 */
const PLAIN: Readonly<Record<string, string>> = {
  "GET /v2": WELCOME,
  "GET /v3": WELCOME,
  "GET /health": "",
  "GET /version": `dbplatform api ${version}`,
};

/**
 * Returns an error handler for jobs that fail as a whole, for example because they were stopped. The handler puts the
 * error into the response body.
 */
const stoppedAs =
  (text: (error: string) => string) =>
  (thrown: unknown): { text: string; open: boolean; bound: boolean } => {
    if (!(thrown instanceof SqlFailure)) throw thrown;
    return { text: text(errorJson({ message: thrown.message, code: thrown.code })), open: false, bound: false };
  };
