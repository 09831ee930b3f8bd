import { randomUUID } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { cp, mkdir, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { DataLock } from "../store/data-lock";
import { isStoreBusyFailure, storeFailureReason, storeStartReason } from "../store/failure";
import { cannotOpen } from "../store/messages";
import { COMMITS } from "./engine/commit-list";
import { FILE } from "./engine/database-files";
import { alreadyServed, folderOfOthers, folderUnusable } from "./messages";

const DATABASES = "databases";
const DUMPS = "dumps";
const SEEDED = "seeded";
/** The file with the usage figures. */
export const USAGE = "usage.json";

/** How long a folder may belong to a database that is still being created, in milliseconds. */
const NEW_MS = 60_000;

/** The folder of a swap of all rows has a name that begins with `SWAP`. In it are the old rows and the new ones. */
const SWAP = "swap-";
const OLD = "old";
const NEW = "new";

/** The names of the files and folders that a swap replaces. */
const SWAPPED = [DATABASES, DUMPS, USAGE];

/** Names of incomplete folders begin with `LOADING` or end with `PART`. */
const LOADING = "loading-";
const PART = ".part";

/** The names of the files of a spare folder, and their maximum size in bytes. */
const SPARE_FILES = [FILE, COMMITS];
const SPARE_BYTES = 1024 * 1024;

/** The folder for all database files. Each database has a subfolder named after its DbId. */
export class Folder {
  readonly #root: string;
  readonly #lock: DatabaseSync;
  readonly #dataLock: DataLock | undefined;
  /** Whether the files are kept when this process ends. */
  readonly isDurable: boolean;
  /**
   * The paths of folders of databases that have been replaced. At most as many as databases that a swap has put in their
   * place. They are used again, because ext4 takes up to ten times as long to create a file while others were removed in
   * the last minute.
   */
  readonly #spares: string[] = [];
  readonly #removeAtExit = () => rmSync(this.#root, { recursive: true, force: true });

  /**
   * @param root The folder. By default, a temporary folder that is removed when the server stops.
   * @param dataLock The lock on the data. Needed if a server with a different folder could open the same data.
   * @throws Error if another server uses the folder, or if the folder cannot be used.
   */
  constructor(root: string | undefined, dataLock?: DataLock) {
    this.isDurable = root !== undefined;
    this.#root = root ?? mkdtempSync(join(tmpdir(), "dbplatform-sql-"));
    this.#dataLock = dataLock;
    for (const name of [DATABASES, DUMPS, SEEDED]) mkdirSync(join(this.#root, name), { recursive: true, mode: 0o700 });
    this.#lock = lockOfFolder(this.#root);
    this.#removeUnfinished();
    if (!this.isDurable) process.once("exit", this.#removeAtExit);
  }

  /** Removes the folders that were still incomplete when an earlier server ended. */
  #removeUnfinished(): void {
    for (const name of ["", DATABASES, DUMPS, SEEDED])
      for (const each of readdirSync(join(this.#root, name)))
        if (each.startsWith(LOADING) || each.endsWith(PART))
          rmSync(join(this.#root, name, each), { recursive: true, force: true });
  }

  /**
   * Checks that no other server serves the databases. Must be called before rows are read or written.
   *
   * @throws ApiError if another server now serves the databases.
   * @throws StoreFailure if the lock on the data was lost and PostgreSQL cannot be reached.
   */
  async assertHeld(): Promise<void> {
    await this.#dataLock?.assertHeld();
  }

  of(id: string): string {
    return join(this.#root, DATABASES, id);
  }

  /** Returns the folder into which the uploaded dump with this id was loaded. */
  ofDump(id: string): string {
    return join(this.#root, DUMPS, id);
  }

  /** Returns an unused path for a temporary folder, such as one into which a dump is loaded. */
  ofLoading(): string {
    return join(this.#root, `${LOADING}${randomUUID()}`);
  }

  /** The folder above those of all databases. */
  get databases(): string {
    return join(this.#root, DATABASES);
  }

  /** Creates a folder without rows, which `prepareSwap` expects, and returns the paths in it. */
  createPrepared(): {
    readonly path: string;
    readonly databases: string;
    readonly dumps: string;
    readonly usage: string;
  } {
    const path = this.ofLoading();
    const [databases, dumps] = [join(path, DATABASES), join(path, DUMPS)];
    for (const each of [databases, dumps]) mkdirSync(each, { recursive: true, mode: 0o700 });
    return { path, databases, dumps, usage: join(path, USAGE) };
  }

  /** Creates the folder of a database. Its files may exist, with any content, so they must be written whole. */
  createToOverwrite(folder: string): void {
    const spare = this.#spares.pop();
    if (spare === undefined) mkdirSync(folder, { mode: 0o700 });
    else renameSync(spare, folder);
  }

  /**
   * Makes a folder with other rows ready for `swapIn`.
   *
   * @param prepared The folder that `createPrepared` has created, with a file for the usage.
   * @param id A UUID, by which a later start finishes or undoes the swap.
   */
  prepareSwap(prepared: string, id: string): void {
    const swap = this.#swapOf(id);
    mkdirSync(`${swap}${PART}`, { mode: 0o700 });
    mkdirSync(join(`${swap}${PART}`, OLD), { mode: 0o700 });
    renameSync(prepared, join(`${swap}${PART}`, NEW));
    renameSync(`${swap}${PART}`, swap);
  }

  /** Replaces all rows, except the seeded ones, by the prepared ones. */
  swapIn(id: string): void {
    const swap = this.#swapOf(id);
    for (const name of SWAPPED) {
      const [own, old, fresh] = [join(this.#root, name), join(swap, OLD, name), join(swap, NEW, name)];
      if (!existsSync(fresh)) continue;
      this.#clearAway(own, old);
      renameSync(fresh, own);
    }
  }

  /** Takes `swapIn` back, even if it was interrupted. */
  swapBack(id: string): void {
    const swap = this.#swapOf(id);
    for (const name of SWAPPED) {
      const [own, old, fresh] = [join(this.#root, name), join(swap, OLD, name), join(swap, NEW, name)];
      if (!existsSync(fresh)) renameSync(own, fresh);
      if (!existsSync(old)) continue;
      rmSync(own, { recursive: true, force: true });
      renameSync(old, own);
    }
  }

  /** Moves a file or folder to `old`. If an interrupted swap has done so, the start has created an empty folder since. */
  #clearAway(own: string, old: string): void {
    if (existsSync(old)) rmSync(own, { recursive: true, force: true });
    else if (existsSync(own)) renameSync(own, old);
  }

  /** Removes what a swap has left. Afterwards, it can be neither finished nor undone. */
  async endSwap(id: string): Promise<void> {
    const part = `${this.#swapOf(id)}${PART}`;
    renameSync(this.#swapOf(id), part);
    const old = join(part, OLD, DATABASES);
    // Otherwise, databases that are created between two loads would leave more and more spares.
    const most = (await this.ids()).length;
    for (const each of existsSync(old) ? await readdir(old) : [])
      if (this.#spares.length < most) await this.#keepSpare(join(old, each));
    await this.remove(part);
  }

  /** Keeps the folder of a closed database for `createToOverwrite`, unless its file is missing or large. */
  async #keepSpare(old: string): Promise<void> {
    const { size = SPARE_BYTES + 1 } = statSync(join(old, FILE), { throwIfNoEntry: false }) ?? {};
    if (size > SPARE_BYTES) return;
    for (const each of await readdir(old))
      if (!SPARE_FILES.includes(each)) await rm(join(old, each), { recursive: true });
    const spare = this.ofLoading();
    renameSync(old, spare);
    this.#spares.push(spare);
  }

  /**
   * Finishes or undoes the swaps that were in progress when an earlier server ended.
   *
   * @param committed The id of the swap that belongs to the records.
   */
  async settleSwaps(committed: string | undefined): Promise<void> {
    for (const name of readdirSync(this.#root)) {
      const id = name.startsWith(SWAP) ? name.slice(SWAP.length) : undefined;
      if (id === undefined) continue;
      if (id === committed) this.swapIn(id);
      else this.swapBack(id);
      await this.endSwap(id);
    }
  }

  #swapOf(id: string): string {
    return join(this.#root, `${SWAP}${id}`);
  }

  async rename(from: string, to: string): Promise<void> {
    await rename(from, to);
  }

  /**
   * Replaces the folder of a database that has not been used. Returns `false` if the database has been used. Runs
   * synchronously, because rows that a request wrote during the replacement would be lost.
   */
  replaceEmpty(folder: string, by: string): boolean {
    const old = `${folder}${PART}`;
    renameSync(folder, old);
    if (readdirSync(old).length > 0) {
      renameSync(old, folder);
      return false;
    }
    renameSync(by, folder);
    rmSync(old, { recursive: true });
    return true;
  }

  /** Returns the folder with the seeded rows of a database, which a reset restores. */
  ofSeed(id: string): string {
    return join(this.#root, SEEDED, id);
  }

  hasSeed(id: string): boolean {
    return existsSync(this.ofSeed(id));
  }

  /**
   * Creates the folder of a database if it does not exist yet. The new folder is a copy of `seeded` if that folder
   * exists, and empty otherwise.
   */
  async ensure(folder: string, seeded?: string): Promise<void> {
    if (existsSync(folder)) return;
    if (seeded !== undefined && existsSync(seeded)) await this.copy(seeded, folder);
    else await mkdir(folder, { recursive: true, mode: 0o700 });
  }

  /** Copies the folder of a closed database. The copy appears only when it is complete. */
  async copy(from: string, to: string): Promise<void> {
    const part = `${to}${PART}`;
    await cp(from, part, { recursive: true, force: true });
    await rename(part, to);
  }

  /** Reads a file that an earlier server wrote, such as the usage figures. */
  read(name: string): string | undefined {
    const path = join(this.#root, name);
    return existsSync(path) ? readFileSync(path, "utf8") : undefined;
  }

  /** Replaces the whole file at once, so that an interruption or a full disk leaves the old text intact. */
  write(name: string, text: string): void {
    if (!this.isDurable || !existsSync(this.#root)) return;
    const part = join(this.#root, `${name}${PART}`);
    writeFileSync(part, text);
    renameSync(part, join(this.#root, name));
  }

  /** Lists the DbIds of all databases that have files. */
  ids(): Promise<string[]> {
    return readdir(join(this.#root, DATABASES));
  }

  /** Returns whether the folder of a database was created or changed within the last minute. */
  isNew(id: string): boolean {
    const { mtimeMs = 0 } = statSync(this.of(id), { throwIfNoEntry: false }) ?? {};
    return Date.now() - mtimeMs < NEW_MS;
  }

  async remove(folder: string): Promise<void> {
    await rm(folder, { recursive: true, force: true });
  }

  async close(): Promise<void> {
    for (const spare of this.#spares) await this.remove(spare).catch(console.error);
    this.#lock.close();
    await this.#dataLock?.close();
    if (this.isDurable) return;
    process.off("exit", this.#removeAtExit);
    this.#removeAtExit();
  }
}

/** Locks the folder for this process. The operating system releases the lock however the process ends. */
function lockOfFolder(root: string): DatabaseSync {
  const lock = new DatabaseSync(join(root, "lock"), { timeout: 0 });
  try {
    lock.exec("begin exclusive");
    return lock;
  } catch (cause) {
    lock.close();
    throw new Error(
      isStoreBusyFailure(cause)
        ? alreadyServed({ place: root })
        : cannotOpen({ place: root, reason: storeStartReason(cause) }),
      { cause },
    );
  }
}

/** Name of the file that contains the id of the data that the folder belongs to. */
const OWNER = "data";

/** Files that may already be in the folder if a server was killed while it was setting up the folder. */
const OF_START = [OWNER, "lock", "lock-journal"];

class FolderOfOthers extends Error {}

/**
 * Creates the folder for the database files, or checks that an existing folder belongs to the data with this id.
 * Without this check, a server with other data would treat the files in the folder as leftovers, and delete them.
 *
 * @param place Path or address of the data, which must not contain credentials.
 * @throws Error if the folder belongs to other data, contains files of another program, or cannot be used.
 */
export function claimFolder(folder: string, { id, place }: { readonly id: string; readonly place: string }): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, OWNER);
    const owner = existsSync(file) ? readFileSync(file, "utf8") : "";
    if (owner === id) return;
    const isNew = owner === "" && readdirSync(folder).every((name) => OF_START.includes(name));
    if (!isNew) throw new FolderOfOthers(folderOfOthers({ folder, place }));
    writeFileSync(file, id);
  } catch (cause) {
    throw cause instanceof FolderOfOthers
      ? cause
      : new Error(folderUnusable({ folder, reason: storeFailureReason(cause) }), { cause });
  }
}
