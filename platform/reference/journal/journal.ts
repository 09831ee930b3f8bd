import type { Operation } from "../../contract/api";
import type { Caller } from "../credentials/caller";
import { withoutCredentials } from "../credentials/redact";
import type { FiredFault } from "../faults/faults";

/** One request, as it was answered. Never a credential. */
export interface JournalEntry {
  readonly time: string;
  /** Absent where no operation has this method and path. */
  readonly operation?: Operation;
  /** `-` where the request could not be read. */
  readonly method: string;
  /** Without its query; `-` where the request could not be read. */
  readonly path: string;
  /** 0 when the connection ended without an answer. */
  readonly status: number;
  /** Absent when the request had no valid credential. */
  readonly caller?: {
    readonly user: string;
    readonly token: { readonly id: string; readonly name: string };
    readonly group?: string;
  };
  /** The rule because of which it was answered so; without its `body` where that is an object. */
  readonly fault?: FiredFault;
}

/** Told of each request, with the milliseconds from its arrival to its answer. */
type Listener = (entry: JournalEntry, duration: number) => void;

interface Recorded extends Omit<JournalEntry, "caller" | "operation"> {
  readonly operation?: Operation | undefined;
  readonly caller?: Caller;
  /** When the request arrived, as `performance.now()` tells it. */
  readonly began: number;
}

const KEPT = 10_000;

/** The last requests to this process, in the order in which they were answered. */
export class Journal {
  #kept: JournalEntry[] = [];
  #count = 0;
  readonly #listener: Listener | undefined;
  readonly #key: string | undefined;

  /** @param key Of this server's own routes; hidden like a credential. */
  constructor(listener?: Listener, key?: string) {
    this.#listener = listener;
    this.#key = key;
  }

  record(recorded: Recorded): void {
    if (this.#kept.length >= KEPT) this.#kept.shift();
    this.#kept.push(this.log(recorded));
    this.#count += 1;
  }

  /** Tells the listener alone. */
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

  /** Another number whenever the entries are others. */
  version(): number {
    return this.#count;
  }

  clear(): void {
    this.#kept = [];
    this.#count += 1;
  }
}

/** Without a body of the caller's own, which may hold credentials. */
function shownRule(fault: FiredFault): FiredFault {
  const { body, ...rule } = fault;
  return typeof body === "object" ? rule : fault;
}

const shownOf = ({ user, token, group }: Caller, key?: string): NonNullable<JournalEntry["caller"]> => ({
  user: withoutCredentials(user.username, key),
  token: { id: token.id, name: withoutCredentials(token.name, key) },
  ...(group && { group: withoutCredentials(group.name, key) }),
});
