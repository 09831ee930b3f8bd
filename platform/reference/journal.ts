import type { Operation } from "../contract/api";
import type { Caller } from "./caller";

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
}

const KEPT = 10_000;

/** The last requests to this process, in the order in which they were answered. */
export class Journal {
  private kept: JournalEntry[] = [];

  record({ path, caller, ...entry }: Omit<JournalEntry, "caller"> & { caller?: Caller }): void {
    if (this.kept.length >= KEPT) this.kept.shift();
    this.kept.push({ ...entry, path: withoutCredential(path), ...(caller && { caller: shownOf(caller) }) });
  }

  entries(): readonly JournalEntry[] {
    return [...this.kept];
  }

  clear(): void {
    this.kept = [];
  }
}

/** A caller may have put one where a name belongs. */
const withoutCredential = (path: string): string => path.replace(/[\w-]{8,}\.[\w-]+\.[\w-]{20,}/g, "[credential]");

const shownOf = ({ user, token, group }: Caller): NonNullable<JournalEntry["caller"]> => ({
  user: user.username,
  token,
  ...(group && { group: group.name }),
});
