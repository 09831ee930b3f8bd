import type { Operation } from "../../contract/api";
import type { Caller } from "../credentials/caller";
import { withoutCredentials } from "../credentials/redact";
import type { FiredFault } from "../faults/faults";

/** One answered request. Never contains a credential. */
export interface JournalEntry {
  readonly time: string;
  /** Absent if no operation has this method and path. */
  readonly operation?: Operation;
  /** `-` for an unreadable request. */
  readonly method: string;
  /** Without the query; `-` for an unreadable request. */
  readonly path: string;
  /** 0 if the connection ended without a response. */
  readonly status: number;
  /** Absent when the request had no valid credential. */
  readonly caller?: {
    readonly user: string;
    readonly token: { readonly id: string; readonly name: string };
    readonly group?: string;
  };
  /** The fault rule that was applied; without its `body` if that is an object. */
  readonly fault?: FiredFault;
}

/** Receives each request, with the milliseconds from its arrival to its response. */
type Listener = (entry: JournalEntry, duration: number) => void;

interface Recorded extends Omit<JournalEntry, "caller" | "operation"> {
  readonly operation?: Operation | undefined;
  readonly caller?: Caller;
  /** Arrival of the request, as a value of `performance.now()`. */
  readonly began: number;
}

const KEPT = 10_000;

/** The latest requests to this process, in the order of their responses. */
export class Journal {
  #kept: JournalEntry[] = [];
  #count = 0;
  readonly #listener: Listener | undefined;
  readonly #key: string | undefined;

  /** @param key Key of this server's own routes; hidden like a credential. */
  constructor(listener?: Listener, key?: string) {
    this.#listener = listener;
    this.#key = key;
  }

  record(recorded: Recorded): void {
    if (this.#kept.length >= KEPT) this.#kept.shift();
    this.#kept.push(this.log(recorded));
    this.#count += 1;
  }

  /** Passes the request to the listener without keeping it. */
  log({ time, operation, method, path, status, caller, fault, began }: Recorded): JournalEntry {
    const entry = {
      time,
      ...(operation && { operation }),
      method,
      path: withoutCredentials(path, this.#key),
      status,
      ...(caller && { caller: shownOf(caller, this.#key) }),
      ...(fault && { fault: shownRule(fault) }),
    };
    this.#listener?.(entry, performance.now() - began);
    return entry;
  }

  entries(): readonly JournalEntry[] {
    return [...this.#kept];
  }

  /** Returns a number that changes with the entries. */
  version(): number {
    return this.#count;
  }

  clear(): void {
    this.#kept = [];
    this.#count += 1;
  }
}

/** Removes a custom body, which may hold credentials. */
function shownRule(fault: FiredFault): FiredFault {
  const { body, ...rule } = fault;
  return typeof body === "object" ? rule : fault;
}

const shownOf = ({ user, token, group }: Caller, key?: string): NonNullable<JournalEntry["caller"]> => ({
  user: withoutCredentials(user.username, key),
  token: { id: token.id, name: withoutCredentials(token.name, key) },
  ...(group && { group: withoutCredentials(group.name, key) }),
});
