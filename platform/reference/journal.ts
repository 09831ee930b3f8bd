import type { Operation } from "../contract/api";
import type { Caller } from "./credentials/caller";

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
    this.kept.push({ ...entry, path: clean(path), ...(caller && { caller: shownOf(caller) }) });
  }

  entries(): readonly JournalEntry[] {
    return [...this.kept];
  }

  clear(): void {
    this.kept = [];
  }
}

/** Without the credentials that a caller may have put where a name belongs, however often their letters are escaped. */
function clean(text: string): string {
  const plain = unescaped(text);
  const shown = plain.replace(/[\w-]{8,}\.[\w-]+\.[\w-]{20,}/g, "[credential]");
  return shown === plain ? text : shown;
}

function unescaped(text: string): string {
  const once = text.replace(/%([0-7][0-9a-f])/gi, (_escape, code) => String.fromCharCode(Number.parseInt(code, 16)));
  return once === text ? text : unescaped(once);
}

const shownOf = ({ user, token, group }: Caller): NonNullable<JournalEntry["caller"]> => ({
  user: clean(user.username),
  token: { id: token.id, name: clean(token.name) },
  ...(group && { group: clean(group.name) }),
});
