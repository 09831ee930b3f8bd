import type { Operation } from "../contract/api";
import type { Caller } from "./credentials/caller";
import { withoutCredentials } from "./credentials/redact";
import type { FiredFault } from "./faults";

/** One request to the platform's own API, as it was answered. Never a credential. */
export interface JournalEntry {
  readonly time: string;
  /** Absent where no operation has this method and path. */
  readonly operation?: Operation;
  readonly method: string;
  readonly path: string;
  /** 0 when the connection ended without an answer. */
  readonly status: number;
  /** Absent when the request had no valid credential. */
  readonly caller?: {
    readonly user: string;
    readonly token: { readonly id: string; readonly name: string };
    readonly group?: string;
  };
  /** The rule because of which it was answered so. */
  readonly fault?: FiredFault;
}

/** Told of each request, with the milliseconds from its arrival to its answer. */
type Listener = (entry: JournalEntry, duration: number) => void;

interface Recorded extends Omit<JournalEntry, "caller"> {
  readonly caller?: Caller;
  /** When the request arrived, as `performance.now()` tells it. */
  readonly began: number;
}

const KEPT = 10_000;

/** The last requests to this process, in the order in which they were answered. */
export class Journal {
  private kept: JournalEntry[] = [];
  private count = 0;

  constructor(private readonly listener?: Listener) {}

  record({ time, operation, method, path, status, caller, fault, began }: Recorded): void {
    if (this.kept.length >= KEPT) this.kept.shift();
    const entry = {
      time,
      ...(operation && { operation }),
      method,
      path: withoutCredentials(path),
      status,
      ...(caller && { caller: shownOf(caller) }),
      ...(fault && { fault }),
    };
    this.kept.push(entry);
    this.count += 1;
    this.listener?.(entry, performance.now() - began);
  }

  entries(): readonly JournalEntry[] {
    return [...this.kept];
  }

  /** Another number whenever the entries are others. */
  version(): number {
    return this.count;
  }

  clear(): void {
    this.kept = [];
    this.count += 1;
  }
}

const shownOf = ({ user, token, group }: Caller): NonNullable<JournalEntry["caller"]> => ({
  user: withoutCredentials(user.username),
  token: { id: token.id, name: withoutCredentials(token.name) },
  ...(group && { group: withoutCredentials(group.name) }),
});
