import { ApiError, asRefusal } from "../refusal";
import type { Visitor } from "./access";
import { SqlFailure } from "./engine/failure";
import type { Task } from "./engine/jobs";
import type { Gate } from "./gate";
import { contentOfResult, errorJson, messageJson, responseJson } from "./hrana-json";
import {
  CURSOR_NOT_OPEN,
  cursorIsOpen,
  HELLO_MISSING,
  HELLO_REFUSED,
  idInUse,
  idUnknown,
  requestTooNew,
  SOCKET_CLOSED,
  STREAM_CLOSED,
  STREAM_NOT_OPEN,
  TOO_MANY_STREAMS,
} from "./messages";
import { type ClientMessage, readMessage, type SocketRequest } from "./protocol";
import type { Admission, Runner, Work } from "./runner";
import { StoredSql } from "./stored-sql";
import { type Stream, streamExpired } from "./streams";
import { filledBatch, tasksOf } from "./tasks";

/** Close codes of WebSocket (RFC 6455, section 7.4.1). */
const INVALID_DATA = 1007;
const POLICY_VIOLATION = 1008;

/** The maximum number of streams of a socket, including those that could not be opened and were not closed. */
const MOST_SLOTS = 1_000;

/** The size above which no further entries are put into one response to `fetch_cursor`, in characters of JSON. */
const MOST_FETCHED = 1024 * 1024;

/** The version in which a request was introduced. Others are in every version. */
const SINCE: Readonly<Record<string, number>> = {
  sequence: 2,
  describe: 2,
  store_sql: 2,
  close_sql: 2,
  get_autocommit: 3,
  open_cursor: 3,
  fetch_cursor: 3,
  close_cursor: 3,
};

/** A violation of the protocol, after which the socket is closed. */
export class ProtocolViolation extends Error {
  constructor(
    readonly closeCode: number,
    message: string,
  ) {
    super(message);
  }
}

/** A message to the client, after which the socket may have to be closed. */
export interface SocketReply {
  readonly text: string;
  readonly close?: ProtocolViolation;
}

/** The answer to a request that ran SQL, with the status that it would have over HTTP. */
export interface RequestOutcome {
  readonly status: ApiError["status"];
  readonly time: Date;
  readonly text: string;
}

/** The functions of a socket that its session calls. */
export interface Link {
  /** Resolves when the client has received enough of the earlier messages for another one. */
  room(): Promise<void>;
  /** Runs a request on a database, and returns the message with its response; `undefined` if there is none. */
  exchange(
    request: { readonly id: number; readonly type: string },
    work: () => Promise<RequestOutcome>,
  ): Promise<string | undefined>;
  close(code: number, reason: string): void;
}

interface Settings {
  readonly place: Omit<Visitor, "authorization">;
  readonly version: number;
  readonly link: Link;
  readonly runner: Runner;
  /** Requests pass it before they are admitted. */
  readonly gate: Gate;
  readonly admit: (visitor: Visitor, seen: { time: Date }) => Promise<Admission>;
  readonly ended: () => void;
}

/** A stream by the id that the client has chosen. Its requests run in the order of their arrival. */
interface Slot {
  /** `undefined` until the stream is open, and if it could not be opened. */
  stream: Stream | undefined;
  /** The number of requests that have not begun. */
  waiting: number;
  last: Promise<unknown>;
  isClosing: boolean;
  cursorId: number | undefined;
}

/** The results of a batch that the client fetches in parts. */
interface Cursor {
  readonly slot: Slot;
  /** Lines of JSON; `undefined` until the cursor is open, and if it could not be opened. */
  entries: string | undefined;
  offset: number;
}

type OnStream = Extract<SocketRequest, { stream_id: number }>;

/** The greeting of a client: who sends the requests after it, and the DbId of the database that the socket is for. */
type Greeting = Promise<{ readonly visitor: Visitor; database: string }>;

type SessionState =
  /** The client has not sent its `hello`. */
  { readonly is: "new" } | { readonly is: "greeted"; readonly greeting: Greeting } | { readonly is: "ended" };

/**
 * The session of a WebSocket (Hrana over WebSocket): its streams, cursors and stored SQL. Every request is admitted
 * anew, as over HTTP, so that a token or a database that is no longer valid is refused at once.
 */
export class Session {
  readonly #settings: Settings;
  readonly #texts = new StoredSql();
  /** At most `MOST_SLOTS`, by the id that the client has chosen. */
  readonly #slots = new Map<number, Slot>();
  /** At most one for each stream. */
  readonly #cursors = new Map<number, Cursor>();
  #state: SessionState = { is: "new" };

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /**
   * Handles a message, and returns the reply; `undefined` if there is none. Messages must be passed in the order of
   * their arrival. Replies may come in another order.
   *
   * @throws ProtocolViolation if the message violates the protocol.
   */
  receive(text: string): Promise<SocketReply | undefined> {
    const message = messageIn(text);
    if (message.type === "hello") return this.#greet(message.jwt);
    if (this.#state.is !== "greeted") throw violation(HELLO_MISSING);
    const { request_id: id, request } = message;
    this.#assertInVersion(request.type, SINCE[request.type]);
    const { greeting } = this.#state;
    return this.#answer(greeting, id, request).then(
      (text) => (text === undefined ? undefined : { text }),
      async (thrown) => {
        // After a refused `hello`, the protocol wants messages to be ignored.
        if (await isRefused(greeting)) return undefined;
        throw thrown;
      },
    );
  }

  /** Ends all streams. Requests that have not begun fail. */
  end(): void {
    if (this.#state.is === "ended") return;
    this.#state = { is: "ended" };
    for (const { stream } of this.#slots.values()) if (stream) void this.#settings.runner.end(stream, SOCKET_CLOSED);
    this.#slots.clear();
    this.#cursors.clear();
    this.#texts.clear();
    this.#settings.ended();
  }

  /** Ends the session, and closes its socket. */
  disconnect(code: number, reason: string): void {
    this.#settings.link.close(code, reason);
    this.end();
  }

  #assertInVersion(requestType: string, since = 1): void {
    if (since > this.#settings.version) throw violation(requestTooNew({ requestType, protocol: `hrana${since}` }));
  }

  #greet(jwt: string | null | undefined): Promise<SocketReply> {
    if (this.#state.is === "greeted") this.#assertInVersion("hello", 2);
    const { place, gate, admit } = this.#settings;
    const authorization = jwt === null || jwt === undefined ? undefined : `Bearer ${jwt}`;
    const visitor = { ...place, authorization };
    const admitted = gate.pass(() => admit(visitor, { time: new Date() }));
    const greeting = admitted.then(({ database }) => ({ visitor, database: database.id }));
    this.#state = { is: "greeted", greeting };
    return greeting.then(
      () => ({ text: messageJson.helloOk }),
      (thrown) => ({
        text: messageJson.helloError(failureOf(thrown).error),
        close: violation(HELLO_REFUSED),
      }),
    );
  }

  #answer(greeting: Greeting, id: number, request: SocketRequest): Promise<string | undefined> {
    switch (request.type) {
      case "open_stream":
        return this.#openStream(greeting, id, request.stream_id);
      case "close_stream":
        return this.#closeStream(greeting, id, request.stream_id);
      case "store_sql":
        return this.#reply(greeting, id, responseJson.storeSql, () => this.#texts.store(request.sql_id, request.sql));
      case "close_sql":
        return this.#reply(greeting, id, responseJson.closeSql, () => this.#texts.remove(request.sql_id));
      case "open_cursor":
        return this.#openCursor(greeting, id, request);
      case "fetch_cursor":
        return this.#fetchCursor(greeting, id, request);
      case "close_cursor":
        return this.#closeCursor(greeting, id, request.cursor_id);
      default:
        return this.#run(greeting, id, request);
    }
  }

  /** Does what needs no database at once, and replies when the client has been greeted. */
  #reply(greeting: Greeting, id: number, response: string, work: () => void): Promise<string> {
    const text = () => messageJson.succeeded(id, response);
    try {
      work();
    } catch (thrown) {
      const { error } = failureOf(thrown);
      return greeting.then(() => messageJson.failed(id, error));
    }
    return greeting.then(text);
  }

  #openStream(greeting: Greeting, id: number, streamId: number): Promise<string> {
    if (this.#slots.has(streamId)) throw violation(idInUse({ opened: "stream", openedId: streamId }));
    if (this.#slots.size >= MOST_SLOTS) throw violation(TOO_MANY_STREAMS);
    const last = Promise.resolve();
    const slot: Slot = { stream: undefined, waiting: 0, last, isClosing: false, cursorId: undefined };
    this.#slots.set(streamId, slot);
    return enqueue(slot, () =>
      replyTo(id, async () => {
        const { database } = await greeting;
        if (this.#state.is === "ended") throw streamExpired(SOCKET_CLOSED);
        const { streams } = this.#settings.runner;
        slot.stream = streams.create(database, { endsWithSocket: true });
        streams.keep(slot.stream, false);
        return responseJson.openStream;
      }),
    );
  }

  #closeStream(greeting: Greeting, id: number, streamId: number): Promise<string> {
    const slot = this.#slotOf(streamId);
    this.#slots.delete(streamId);
    if (slot.cursorId !== undefined) this.#cursors.delete(slot.cursorId);
    slot.isClosing = true;
    return enqueue(slot, () =>
      replyTo(id, async () => {
        await greeting;
        const { stream } = slot;
        if (stream) await this.#settings.runner.end(stream, STREAM_CLOSED);
        return responseJson.closeStream;
      }),
    );
  }

  #slotOf(streamId: number): Slot {
    const slot = this.#slots.get(streamId);
    if (!slot) throw violation(idUnknown({ opened: "stream", openedId: streamId }));
    return slot;
  }

  #run(
    greeting: Greeting,
    id: number,
    request: Exclude<OnStream, { type: "open_stream" | "close_stream" | "open_cursor" }>,
  ): Promise<string | undefined> {
    const slot = this.#slotOf(request.stream_id);
    let task: Task | undefined;
    try {
      [task] = tasksOf([request], this.#texts);
    } catch (thrown) {
      const { error } = failureOf(thrown);
      return greeting.then(() => messageJson.failed(id, error));
    }
    const tasks = task ? [task] : [];
    // If only `close_stream` follows, the stream is closed in the same job, so that changes can be committed together.
    const work = (): Work => ({
      kind: "pipeline",
      tasks: slot.isClosing && slot.waiting === 1 ? [...tasks, { type: "close" }] : tasks,
    });
    return this.#exchange(slot, greeting, { id, type: request.type }, work, ([result = ""]) => {
      const content = contentOfResult(result);
      return "response" in content
        ? messageJson.succeeded(id, content.response)
        : messageJson.failed(id, content.error);
    });
  }

  /** Runs work on a stream after the earlier requests on the stream. */
  #exchange(
    slot: Slot,
    greeting: Greeting,
    request: { readonly id: number; readonly type: string },
    work: () => Work,
    textOf: (texts: readonly string[]) => string,
  ): Promise<string | undefined> {
    const { link, runner, gate, admit } = this.#settings;
    return enqueue(slot, async () => {
      const greeted = await greeting;
      await link.room();
      return link.exchange(request, async () => {
        const seen = { time: new Date() };
        try {
          const { texts } = await gate.pass(async () => {
            const admitted = await admit(greeted.visitor, seen);
            // The hostname can belong to another database by now, for which later streams are opened.
            greeted.database = admitted.database.id;
            if (!slot.stream) throw new ApiError(400, STREAM_NOT_OPEN, "STREAM_NOT_OPEN");
            return runner.run(slot.stream, admitted, work);
          });
          return { status: 200, text: textOf(texts), ...seen };
        } catch (thrown) {
          const { error, status } = failureOf(thrown);
          return { status, text: messageJson.failed(request.id, error), ...seen };
        }
      });
    });
  }

  #openCursor(
    greeting: Greeting,
    id: number,
    request: Extract<SocketRequest, { type: "open_cursor" }>,
  ): Promise<string | undefined> {
    const { stream_id: streamId, cursor_id: cursorId } = request;
    const slot = this.#slotOf(streamId);
    if (slot.cursorId !== undefined) throw violation(cursorIsOpen({ openedId: streamId }));
    if (this.#cursors.has(cursorId)) throw violation(idInUse({ opened: "cursor", openedId: cursorId }));
    const cursor: Cursor = { slot, entries: undefined, offset: 0 };
    this.#cursors.set(cursorId, cursor);
    slot.cursorId = cursorId;
    let batch: ReturnType<typeof filledBatch>;
    try {
      batch = filledBatch(request.batch, this.#texts.reader());
    } catch (thrown) {
      const { error } = failureOf(thrown);
      return greeting.then(() => messageJson.failed(id, error));
    }
    return this.#exchange(
      slot,
      greeting,
      { id, type: request.type },
      () => ({ kind: "cursor", batch }),
      ([entries]) => {
        cursor.entries = entries;
        return messageJson.succeeded(id, responseJson.openCursor);
      },
    );
  }

  #fetchCursor(
    greeting: Greeting,
    id: number,
    { cursor_id, max_count }: Extract<SocketRequest, { type: "fetch_cursor" }>,
  ): Promise<string> {
    const cursor = this.#cursorOf(cursor_id);
    return enqueue(cursor.slot, async () => {
      await greeting;
      await this.#settings.link.room();
      return replyTo(id, async () => {
        const { entries, isDone } = nextEntries(cursor, max_count);
        return responseJson.fetchCursor(entries, isDone);
      });
    });
  }

  #closeCursor(greeting: Greeting, id: number, cursorId: number): Promise<string> {
    const { slot } = this.#cursorOf(cursorId);
    this.#cursors.delete(cursorId);
    slot.cursorId = undefined;
    return enqueue(slot, async () => {
      await greeting;
      return messageJson.succeeded(id, responseJson.closeCursor);
    });
  }

  #cursorOf(cursorId: number): Cursor {
    const cursor = this.#cursors.get(cursorId);
    if (!cursor) throw violation(idUnknown({ opened: "cursor", openedId: cursorId }));
    return cursor;
  }
}

const isRefused = (greeting: Greeting): Promise<boolean> =>
  greeting.then(
    () => false,
    () => true,
  );

const violation = (message: string): ProtocolViolation => new ProtocolViolation(POLICY_VIOLATION, message);

function messageIn(text: string): ClientMessage {
  try {
    return readMessage(text);
  } catch (thrown) {
    throw thrown instanceof ApiError ? new ProtocolViolation(INVALID_DATA, thrown.message) : thrown;
  }
}

/** Runs work after the earlier requests on a stream. */
function enqueue<Result>(slot: Slot, work: () => Promise<Result>): Promise<Result> {
  slot.waiting += 1;
  const result = slot.last.then(() => {
    slot.waiting -= 1;
    return work();
  });
  slot.last = result.catch(() => undefined);
  return result;
}

/** Returns the message with the response to a request, or with the error if `work` fails. */
async function replyTo(id: number, work: () => Promise<string>): Promise<string> {
  try {
    return messageJson.succeeded(id, await work());
  } catch (thrown) {
    return messageJson.failed(id, failureOf(thrown).error);
  }
}

/** Returns the status of a failure, and the JSON of its error. Rethrows an internal error. */
function failureOf(thrown: unknown): { status: ApiError["status"]; error: string } {
  // A job that was stopped has been answered by the database.
  if (thrown instanceof SqlFailure)
    return { status: 200, error: errorJson({ message: thrown.message, code: thrown.code }) };
  const refusal = asRefusal(thrown);
  if (!refusal) throw thrown;
  const { status, message, code } = refusal;
  return { status, error: errorJson({ message, code }) };
}

/** Takes the next entries of a cursor. */
function nextEntries(cursor: Cursor, maxCount: number): { entries: string[]; isDone: boolean } {
  const { entries: lines, offset: start } = cursor;
  if (lines === undefined) throw new ApiError(400, CURSOR_NOT_OPEN, "CURSOR_NOT_OPEN");
  const entries: string[] = [];
  while (entries.length < maxCount && cursor.offset < lines.length && cursor.offset - start < MOST_FETCHED) {
    const end = lines.indexOf("\n", cursor.offset);
    entries.push(lines.slice(cursor.offset, end));
    cursor.offset = end + 1;
  }
  return { entries, isDone: cursor.offset >= lines.length };
}
