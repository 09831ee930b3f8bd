import type { Caller } from "../credentials/authorization";
import { redactCredentials } from "../credentials/redact";
import type { FiredFault, Operation } from "../faults/faults";

/** A recorded request. It never contains a credential. */
export interface JournalEntry {
  readonly time: string;
  /** Name of the operation, or `sql` for a request to a database; absent if no operation has this method and path. */
  readonly operation?: Operation;
  /** The HTTP method; `-` if the request could not be read. */
  readonly method: string;
  /** The path without the query; `-` if the request could not be read. */
  readonly path: string;
  /** The status of the response; 0 if the connection ended without a response. */
  readonly status: number;
  /** The user and the token of the request; absent if the request had no valid credential. */
  readonly caller?: {
    readonly user: string;
    readonly token: { readonly id: string; readonly name: string };
    readonly group?: string;
  };
  /**
   * The fault rule that was applied. If its `body` is an object, the body is omitted, because it may hold credentials.
   */
  readonly fault?: FiredFault;
}

/** Called for each request, with its journal entry and the milliseconds between its arrival and its response. */
type Listener = (entry: JournalEntry, duration: number) => void;

interface RecordedRequest extends Omit<JournalEntry, "caller" | "operation"> {
  readonly operation?: Operation | undefined;
  readonly caller?: Caller;
  /** When the request arrived, as returned by `performance.now()`. */
  readonly began: number;
}

/** The maximum number of requests in the journal. Beyond it, the oldest are dropped, so that memory stays bounded. */
const KEPT = 10_000;

/** Keeps the latest requests to this process, in the order of their responses. */
export class Journal {
  /** At most `KEPT` requests. */
  #kept: JournalEntry[] = [];
  #count = 0;
  readonly #listener: Listener | undefined;
  readonly #key: string | undefined;

  /** @param key Key for this server's own routes. The journal redacts this key like a credential. */
  constructor(listener?: Listener, key?: string) {
    this.#listener = listener;
    this.#key = key;
  }

  record(recorded: RecordedRequest): void {
    if (this.#kept.length >= KEPT) this.#kept.shift();
    this.#kept.push(this.log(recorded));
    this.#count += 1;
  }

  /** Passes a request to the listener without adding it to the journal. */
  log({ time, operation, method, path, status, caller, fault, began }: RecordedRequest): JournalEntry {
    const entry = {
      time,
      ...(operation && { operation }),
      method,
      path: redactCredentials(path, this.#key),
      status,
      ...(caller && { caller: shownCaller(caller, this.#key) }),
      ...(fault && { fault: shownFault(fault) }),
    };
    this.#listener?.(entry, performance.now() - began);
    return entry;
  }

  entries(): readonly JournalEntry[] {
    return [...this.#kept];
  }

  /** Returns a number that changes whenever the entries change. */
  version(): number {
    return this.#count;
  }

  clear(): void {
    this.#kept = [];
    this.#count += 1;
  }
}

/** Removes the rule's `body` if it is an object, because an object may contain credentials. */
function shownFault(fault: FiredFault): FiredFault {
  const { body, ...rule } = fault;
  return typeof body === "object" ? rule : fault;
}

const shownCaller = ({ user, token, group }: Caller, key?: string): NonNullable<JournalEntry["caller"]> => ({
  user: redactCredentials(user.username, key),
  token: { id: token.id, name: redactCredentials(token.name, key) },
  ...(group && { group: redactCredentials(group.name, key) }),
});
