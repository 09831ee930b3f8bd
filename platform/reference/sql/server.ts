import { setImmediate as moment } from "node:timers/promises";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { name, version } from "../../package.json";
import type { VerifiedTokens } from "../credentials/sql-token-check";
import { refuse } from "../messages";
import type { Contents } from "../operations/contents";
import { isDatabaseHost } from "../operations/hostnames";
import { ApiError, asRefusal, messageOf } from "../refusal";
import type { SeedContents } from "../seed/insert";
import type { Store } from "../store/store";
import { clockNow, clockReading } from "../time/clock";
import { grantSqlAccess, type Visitor } from "./access";
import { Batons, type ContinuedStream } from "./batons";
import { DatabaseRows } from "./database-rows";
import { Dumps } from "./dumps";
import { SqlFailure } from "./engine/failure";
import type { Task } from "./engine/jobs";
import type { Folder } from "./folder";
import { Gate } from "./gate";
import {
  contentOfResult,
  cursorJson,
  entryJson,
  entryLines,
  errorJson,
  failedJson,
  pipelineJson,
  refusalJson,
} from "./hrana-json";
import { WELCOME } from "./messages";
import { Pool } from "./pool/pool";
import { BatchBody, CursorBody, ExecuteBody, PipelineBody, readBody, readStatementsBody } from "./protocol";
import { RowSnapshots } from "./row-snapshots";
import { type Admission, Runner, type Work } from "./runner";
import { type Link, Session } from "./session";
import { StoredSql } from "./stored-sql";
import { filledBatch, tasksOf } from "./tasks";
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
  /** Sent in place of `text`, while its end is still being written. */
  readonly stream?: ReadableStream<Uint8Array>;
  readonly type: string;
  readonly time: Date;
}

const JSON_TYPE = "application/json";
const TEXT_TYPE = "text/plain";

/** Interval, in milliseconds, at which usage figures are stored and files of unrestorable databases are removed. */
const PURGE_MS = 60_000;

/** How long a statement may continue while all rows are about to be replaced, in milliseconds. */
const GRACE_MS = 100;

/** WebSocket's close code for a server that begins anew. */
const SERVICE_RESTART = 1012;

type Route = (admitted: Admission, request: SqlRequest) => Promise<Pick<SqlAnswer, "text" | "stream" | "type">>;

/**
 * Serves SQL over HTTP and over WebSockets for all databases of the store (Hrana 1 to 3 and libSQL's first HTTP API, in
 * JSON).
 */
export class SqlServer {
  readonly #store: Store;
  readonly #folder: Folder;
  readonly #pool = new Pool();
  readonly #gate = new Gate();
  readonly #rows: DatabaseRows;
  readonly #transfers: Transfers;
  readonly #dumps: Dumps;
  /** At most 10,000 tokens, as `checkSqlToken` makes sure. */
  readonly #verified: VerifiedTokens = new Map();
  readonly #batons = new Batons();
  readonly #runner: Runner;
  /** One for each open WebSocket. */
  readonly #sessions = new Set<Session>();
  /** Saves, replaces and resets the rows of all databases. */
  readonly snapshots: RowSnapshots;
  readonly #purging: NodeJS.Timeout;
  #isClosed = false;

  constructor(store: Store, folder: Folder) {
    this.#pool.start();
    this.#store = store;
    this.#folder = folder;
    this.#rows = new DatabaseRows(this.#folder, this.#pool, this.#gate);
    this.#transfers = new Transfers(this.#folder, this.#pool, this.#rows);
    const parts = { folder, pool: this.#pool, rows: this.#rows };
    this.#dumps = new Dumps(parts);
    this.#runner = new Runner(parts, (stream) => this.#batons.expire(stream));
    const runAlone = (reason: string, work: () => Promise<void>) => this.#runAlone(reason, work);
    this.snapshots = new RowSnapshots({ ...parts, store, gate: this.#gate, runAlone });
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
  purge(): Promise<void> {
    return this.#gate.pass(async () => this.#rows.purge(this.#store, await this.#store.read(clockNow)));
  }

  /** Ends all streams and WebSockets for a reason, and runs `work` while no request reads or changes rows. */
  async #runAlone(reason: string, work: () => Promise<void>): Promise<void> {
    const open = this.#gate.close();
    try {
      // Also ends transactions that others may be waiting for.
      this.#runner.streams.endIdle(reason);
      const emptied = this.#gate.emptied();
      // Repeatedly, because a request that has passed the gate may send another job.
      const stop = setInterval(() => this.#pool.stop(new SqlFailure(reason, "STREAM_EXPIRED")), GRACE_MS);
      await emptied.finally(() => clearInterval(stop));
      this.#runner.streams.endIdle(reason);
      // Lets the answers of the requests that have just ended reach the WebSockets first.
      await moment();
      for (const session of this.#sessions) session.disconnect(SERVICE_RESTART, reason);
      await this.#transfers.clear();
      await work();
    } finally {
      open();
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#purging);
    this.#runner.streams.clear();
    this.#batons.clear();
    this.#pool.killAll();
    this.#rows.save();
    await this.snapshots.close();
    await this.#folder.close();
  }

  /**
   * Begins the session of a WebSocket.
   *
   * @param version The version of the protocol (Hrana).
   */
  openSession(place: Omit<Visitor, "authorization">, version: number, link: Link): Session {
    const session: Session = new Session({
      place,
      version,
      link,
      runner: this.#runner,
      gate: this.#gate,
      admit: (visitor, seen) => this.#admit(visitor, seen),
      ended: () => this.#sessions.delete(session),
    });
    this.#sessions.add(session);
    return session;
  }

  /** Handles a request over HTTP. Errors are returned in the form that the protocol defines. */
  async answer(request: SqlRequest): Promise<SqlAnswer> {
    const seen = { time: new Date() };
    try {
      const plain = PLAIN[`${request.method} ${request.path}`];
      if (plain !== undefined) return { status: 200, text: plain, type: TEXT_TYPE, ...seen };
      return { status: 200, ...(await this.#gate.pass(() => this.#answer(request, seen))), ...seen };
    } catch (thrown) {
      const refusal = asRefusal(thrown);
      if (!refusal) throw thrown;
      const { status, message, code } = refusal;
      return { status, text: refusalJson(message, code), type: JSON_TYPE, ...seen };
    }
  }

  async #answer(request: SqlRequest, seen: { time: Date }): Promise<Pick<SqlAnswer, "text" | "stream" | "type">> {
    const respond = this.#routeOf(request);
    if (!respond) throw REPLICATION.test(request.path) ? refuse.noReplicas() : refuse.noSuchPath();
    return respond(await this.#admit(request, seen), request);
  }

  /**
   * Checks what a request may do in its database, and creates the files of the database if there are none yet.
   *
   * @param seen Receives the time of the platform's clock.
   */
  async #admit(visitor: Visitor, seen: { time: Date }): Promise<Admission> {
    const { missing, others, ...admitted } = await this.#store.read(async (state) => {
      const clock = await clockReading(state);
      const { now } = clock;
      seen.time = now;
      const admission = await grantSqlAccess(state, visitor, { now, verified: this.#verified, folder: this.#folder });
      const missing = await this.#rows.missing(state, admission.database);
      const others: (typeof missing)[] = [];
      for (const each of admission.attachable) others.push(await this.#rows.missing(state, each));
      return { ...admission, ...clock, missing, others };
    });
    const now = admitted.now.toISOString();
    await this.#rows.make(missing, now);
    for (const each of others) await this.#rows.makeIfKept(each, now);
    return admitted;
  }

  #routeOf({ method, path }: SqlRequest): Route | undefined {
    const transfer = this.#transfers.route(method, path);
    return transfer ? (admitted, { body }) => transfer({ admitted, body }) : this.#routes[`${method} ${path}`];
  }

  readonly #routes: Readonly<Record<string, Route>> = {
    "POST /": async (admitted, { body }) => {
      const statements = await readStatementsBody(body);
      return this.#once(admitted, () => [{ type: "statements", statements }, { type: "close" }]);
    },
    "POST /v1/execute": async (admitted, { body }) => {
      const { stmt } = await readBody(ExecuteBody, body);
      return this.#once(admitted, (stored) => tasksOf([{ type: "execute", stmt }, { type: "close" }], stored));
    },
    "POST /v1/batch": async (admitted, { body }) => {
      const { batch } = await readBody(BatchBody, body);
      return this.#once(admitted, (stored) => tasksOf([{ type: "batch", batch }, { type: "close" }], stored));
    },
    "POST /v2/pipeline": (admitted, request) => this.#pipeline(admitted, request),
    "POST /v3/pipeline": (admitted, request) => this.#pipeline(admitted, request),
    "POST /v3/cursor": (admitted, request) => this.#cursor(admitted, request),
    "GET /dump": async (admitted) => ({
      text: "",
      stream: await this.#dumps.read(admitted).catch(refuseFailedJob),
      type: TEXT_TYPE,
    }),
  };

  /** Runs one task on a stream of its own, as the first versions of the protocol require. */
  async #once(
    admitted: Admission,
    tasks: (stored: StoredSql) => readonly Task[],
  ): Promise<Pick<SqlAnswer, "text" | "type">> {
    const { texts } = await this.#onStream(null, admitted, (stored) => ({
      kind: "pipeline",
      tasks: tasks(stored),
    })).catch(refuseFailedJob);
    const content = contentOfResult(texts[0] ?? "");
    if ("response" in content) return { text: content.response, type: JSON_TYPE };
    const { message, code } = JSON.parse(content.error) as { readonly message: string; readonly code: string };
    throw new ApiError(400, message, code);
  }

  async #pipeline(admitted: Admission, { body }: SqlRequest): Promise<Pick<SqlAnswer, "text" | "type">> {
    const { baton, requests } = await readBody(PipelineBody, body);
    const { texts, next } = await this.#onStream(baton, admitted, (stored) => ({
      kind: "pipeline",
      tasks: tasksOf(requests, stored),
    })).catch(stoppedAs((error) => requests.map(() => failedJson(error))));
    return { text: pipelineJson(next, texts), type: JSON_TYPE };
  }

  async #cursor(admitted: Admission, { body }: SqlRequest): Promise<Pick<SqlAnswer, "text" | "type">> {
    const { baton, batch } = await readBody(CursorBody, body);
    const { texts, next } = await this.#onStream(baton, admitted, (stored) => ({
      kind: "cursor",
      batch: filledBatch(batch, stored.reader()),
    })).then(
      ({ texts, next }) => ({ texts: [...texts, entryLines([entryJson.end])], next }),
      stoppedAs((error) => [entryLines([failedJson(error)])]),
    );
    return { text: cursorJson(next, texts.join("")), type: TEXT_TYPE };
  }

  /** Runs work on the stream that a baton identifies, or on a new stream. Returns the baton for the next request. */
  async #onStream(
    baton: string | null | undefined,
    admitted: Admission,
    work: (stored: StoredSql) => Work,
  ): Promise<{ texts: readonly string[]; next: string | undefined }> {
    const { id } = admitted.database;
    const fresh = (): ContinuedStream => ({
      stream: this.#runner.streams.create(id, { endsWithSocket: false }),
      texts: new StoredSql(),
    });
    const continued = baton === null || baton === undefined ? fresh() : this.#batons.take(baton, id);
    let isOpen = false;
    try {
      const { texts, open } = await this.#runner.run(continued.stream, admitted, () => work(continued.texts));
      isOpen = open;
      return { texts, next: open ? this.#batons.issue(continued) : undefined };
    } finally {
      if (!isOpen) this.#batons.forget(continued.stream);
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
  "GET /version": `${name} ${version}`,
};

/**
 * Matches the paths at which replicas ask for changes and send their own: embedded replicas of libSQL (HTTP and gRPC), and
 * `@tursodatabase/sync`.
 */
const REPLICATION = /^\/(?:sync|export|info|pull-updates|wal_log\.ReplicationLog|proxy\.Proxy)(?:\/|$)/;

/** Rethrows an error. A job that failed becomes a response with the status 400, or 403 if the job was not allowed. */
function refuseFailedJob(thrown: unknown): never {
  if (!(thrown instanceof SqlFailure)) throw thrown;
  throw new ApiError(thrown.code === "BLOCKED" ? 403 : 400, thrown.message, thrown.code);
}

/**
 * Returns an error handler for jobs that fail as a whole, for example because they were stopped. The handler puts the
 * error into the response body. A job that was not allowed becomes a response with the status 403, after which clients
 * do not send a `ROLLBACK` that would fail.
 */
const stoppedAs =
  (textsOf: (error: string) => readonly string[]) =>
  (thrown: unknown): { texts: readonly string[]; next: undefined } => {
    if (!(thrown instanceof SqlFailure) || thrown.code === "BLOCKED") return refuseFailedJob(thrown);
    return { texts: textsOf(errorJson({ message: thrown.message, code: thrown.code })), next: undefined };
  };
