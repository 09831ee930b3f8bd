import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { refuse } from "../messages";

/** The file that every complete snapshot has. */
export const MANIFEST = "snapshot.json";

/**
 * The names are also names of folders, on file systems that do not distinguish upper case as well, and on Windows, where
 * a folder cannot have the name of a device.
 */
const NAME = /^(?!(?:con|prn|aux|nul|com\d|lpt\d)$)[a-z0-9][a-z0-9_-]{0,63}$/;

/** The endings of folders that are incomplete or to be removed, and of those that are about to be replaced. */
const PART = ".part";
const REPLACED = ".replaced";

/** After this time, a folder that is incomplete is considered to be left by a process that was killed. */
const LEFT_MS = 3_600_000;

/** The folder with the snapshots. Each is a folder with the name of the snapshot. */
export class SnapshotFolder {
  #root: string | undefined;
  /** Whether the snapshots are kept when this process ends. */
  readonly isDurable: boolean;
  readonly #removeAtExit = () => {
    if (this.#root !== undefined) rmSync(this.#root, { recursive: true, force: true });
  };

  /** @param root The folder. By default, a temporary folder that is removed when the server stops. */
  constructor(root: string | undefined) {
    this.#root = root;
    this.isDurable = root !== undefined;
    if (root !== undefined && existsSync(root)) finishReplacements(root);
  }

  /** The names of all complete snapshots. */
  names(): string[] {
    const root = this.#root;
    if (root === undefined || !existsSync(root)) return [];
    return readdirSync(root)
      .filter((name) => NAME.test(name) && existsSync(join(root, name, MANIFEST)))
      .sort();
  }

  /**
   * Returns the path of a snapshot.
   *
   * @throws ApiError if the name is invalid, or if there is no such snapshot.
   */
  find(name: string): string {
    assertSnapshotName(name);
    const path = join(this.#root ?? "", name);
    if (this.#root === undefined || !existsSync(join(path, MANIFEST)))
      throw refuse.snapshotNotFound({ name, place: this.#root ?? "memory" });
    return path;
  }

  /**
   * @throws ApiError if the name is invalid or in use. A folder that is not a snapshot is never replaced.
   */
  assertFree(name: string, replace: boolean): void {
    assertSnapshotName(name);
    if (this.#root === undefined) return;
    const path = join(this.#root, name);
    if (!existsSync(path)) return;
    if (!existsSync(join(path, MANIFEST))) throw refuse.snapshotOfOthers({ folder: path });
    if (!replace) throw refuse.snapshotExists({ name });
  }

  /** Returns the path of a new folder for a snapshot that is not listed until `publish` is called. */
  begin(name: string): string {
    const root = this.#made();
    removeLeftovers(root);
    const path = join(root, `${name}.${randomUUID()}${PART}`);
    mkdirSync(path, { mode: 0o700 });
    return path;
  }

  /** Gives a complete snapshot its name, and removes the one that it replaces. */
  async publish(part: string, name: string, replace: boolean): Promise<void> {
    const path = join(this.#made(), name);
    const replaced = `${path}${REPLACED}`;
    // Another server that uses the folder may have been killed while it removed this.
    if (existsSync(path)) await rm(replaced, { recursive: true, force: true });
    this.assertFree(name, replace);
    if (!existsSync(path)) return renameSync(part, path);
    // A start after a crash in between finds one of the two, and finishes the replacement or takes it back.
    renameSync(path, replaced);
    renameSync(part, path);
    await rm(replaced, { recursive: true, force: true });
  }

  async remove(name: string): Promise<void> {
    const path = this.find(name);
    const part = `${path}.${randomUUID()}${PART}`;
    renameSync(path, part);
    await rm(part, { recursive: true });
  }

  #made(): string {
    if (this.#root === undefined) {
      this.#root = mkdtempSync(join(tmpdir(), "dbplatform-snapshots-"));
      process.once("exit", this.#removeAtExit);
    }
    mkdirSync(this.#root, { recursive: true, mode: 0o700 });
    return this.#root;
  }

  close(): void {
    if (this.isDurable) return;
    process.off("exit", this.#removeAtExit);
    this.#removeAtExit();
  }
}

/** @throws ApiError if a snapshot cannot have this name, for example because it leads to another folder. */
export function assertSnapshotName(name: string): void {
  if (!NAME.test(name)) throw refuse.snapshotName({ given: JSON.stringify(name) });
}

function finishReplacements(root: string): void {
  for (const each of readdirSync(root)) {
    if (!each.endsWith(REPLACED) || !NAME.test(each.slice(0, -REPLACED.length))) continue;
    const path = join(root, each.slice(0, -REPLACED.length));
    if (existsSync(path)) rmSync(join(root, each), { recursive: true, force: true });
    else renameSync(join(root, each), path);
  }
}

/** Removes what processes have left that were killed. Others may be saving snapshots in the same folder. */
function removeLeftovers(root: string): void {
  for (const each of readdirSync(root)) {
    if (!/^[a-z0-9_-]+\.[0-9a-f-]{36}\.part$/.test(each)) continue;
    const { mtimeMs = Date.now() } = statSync(join(root, each), { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > LEFT_MS) rmSync(join(root, each), { recursive: true, force: true });
  }
}
