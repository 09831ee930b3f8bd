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
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { DataLock } from "../store/data-lock";
import { foldersReachDisk } from "../store/disk";
import { isStoreBusyFailure, StoreFailure, storeFailureReason, storeStartReason, WrongData } from "../store/failure";
import { cannotOpen } from "../store/messages";
import type { State } from "../store/schema";
import { findSetting } from "../store/settings";
import { COMMITS } from "./engine/commit-list";
import { FILE } from "./engine/database-files";
import { Generation, USAGE } from "./generation";
import { alreadyServed, folderOfOthers, folderUnusable, rowsMissing, swapUnfinished } from "./messages";

const ROWS = "rows";
const SEEDED = "seeded";

/** The generation of a store that names none. */
const FIRST = "first";

/** The files and folders in which versions without generations kept all rows, and how the folders of their swaps begin. */
const EARLIER = ["dumps", USAGE, "databases"];
const EARLIER_SWAP = "swap-";

/** How long a folder may belong to a database that is still being created, in milliseconds. */
const NEW_MS = 60_000;

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
   * The paths of folders of databases that have been replaced. At most as many as there were databases afterwards. They
   * are used again, because ext4 takes up to ten times as long to create a file while others were removed in the last
   * minute.
   */
  readonly #spares: string[] = [];
  #current: Generation;
  /** The generation that is about to replace the current one. */
  #next: Generation | undefined;
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
    for (const name of [ROWS, SEEDED]) mkdirSync(join(this.#root, name), { recursive: true, mode: 0o700 });
    this.#lock = lockOfFolder(this.#root);
    this.#current = this.#generation(FIRST);
    if (!this.isDurable) process.once("exit", this.#removeAtExit);
  }

  #generation(name: string): Generation {
    return new Generation(join(this.#root, ROWS), name);
  }

  /**
   * Opens the generation that the store names. Removes all others, and the folders that were still incomplete when an
   * earlier server ended.
   *
   * @throws WrongData if the generation is missing, although there are others.
   */
  async open(name = FIRST): Promise<void> {
    this.#current = this.#generation(name);
    const rows = join(this.#root, ROWS);
    const others = readdirSync(rows).filter((each) => each !== name);
    if (others.length > 0 && !existsSync(this.#current.path))
      throw new WrongData(rowsMissing({ folder: rows, named: name, others }));
    if (name === FIRST) this.#moveEarlierRows();
    for (const each of others) await this.remove(join(rows, each));
    await this.#current.create();
    for (const folder of [this.#root, this.#current.databases, this.#current.dumps, join(this.#root, SEEDED)])
      for (const each of readdirSync(folder))
        if (each.startsWith(LOADING) || each.endsWith(PART)) await this.remove(join(folder, each));
  }

  /** Moves the rows of an earlier version into the first generation. If the move was interrupted, completes it. */
  #moveEarlierRows(): void {
    const found = readdirSync(this.#root);
    if (found.some((each) => each.startsWith(EARLIER_SWAP)))
      throw new WrongData(swapUnfinished({ folder: this.#root }));
    const earlier = EARLIER.filter((each) => found.includes(each) && !existsSync(join(this.#current.path, each)));
    if (earlier.length > 0) mkdirSync(this.#current.path, { recursive: true, mode: 0o700 });
    for (const each of earlier) renameSync(join(this.#root, each), join(this.#current.path, each));
  }

  /** The rows that requests to the databases read and write. */
  get rows(): Generation {
    return this.#current;
  }

  /**
   * Returns the rows that belong to the records of a transaction, or `undefined` if they have been replaced since it
   * began to read. They are not the current ones yet if it follows the transaction that has replaced the records.
   */
  async rowsIn(state: State): Promise<Generation | undefined> {
    const name = (await findSetting(state, "rows")) ?? FIRST;
    return [this.#current, this.#next].find((each) => each?.name === name);
  }

  /**
   * Creates a generation that a store can name. It gets its name when it is complete, so that a backup which was made
   * before has none of that name.
   *
   * @param fill Writes its rows, and returns the paths of all files in it. They reach the disk first.
   * @throws StoreFailure if the disk is full.
   */
  async make(fill: (incomplete: Generation) => Promise<readonly string[]>): Promise<Generation> {
    const next = this.#generation(randomUUID());
    const incomplete = this.#generation(`${next.name}${PART}`);
    try {
      await incomplete.create();
      const files = await fill(incomplete);
      if (this.isDurable) await incomplete.reachDisk(files);
      renameSync(incomplete.path, next.path);
      if (this.isDurable) await foldersReachDisk([dirname(next.path)]);
    } catch (thrown) {
      for (const each of [incomplete, next]) await this.drop(each).catch(console.error);
      throw (thrown as NodeJS.ErrnoException).code === "ENOSPC" ? new StoreFailure("full", thrown) : thrown;
    }
    next.figures = incomplete.figures;
    this.#next = next;
    return next;
  }

  /** Makes a generation the current one, and returns the one before it. */
  use(next: Generation): Generation {
    const before = this.#current;
    this.#current = next;
    this.#next = undefined;
    return before;
  }

  /** Removes a generation whose databases are closed. Keeps some of its folders for `createToOverwrite`. */
  async drop({ path, databases }: Generation): Promise<void> {
    // Otherwise, databases that are created between two loads would leave more and more spares.
    const most = (await this.ids()).length;
    for (const each of await readdir(databases).catch(() => []))
      if (this.#spares.length < most) await this.#keepSpare(join(databases, each));
    await this.remove(path);
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
    return this.#current.of(id);
  }

  /** Returns an unused path for a temporary folder, such as one into which a dump is loaded. */
  ofLoading(): string {
    return join(this.#root, `${LOADING}${randomUUID()}`);
  }

  /** Creates the folder of a database. Its files may exist, with any content, so they must be written whole. */
  createToOverwrite(folder: string): void {
    const spare = this.#spares.pop();
    if (spare === undefined) mkdirSync(folder, { mode: 0o700 });
    else renameSync(spare, folder);
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

  /** Reads the usage figures that an earlier server wrote. */
  readUsage(): string | undefined {
    const { usage } = this.#current;
    return existsSync(usage) ? readFileSync(usage, "utf8") : undefined;
  }

  /** Replaces the usage figures at once, so that an interruption or a full disk leaves the old text intact. */
  writeUsage(text: string): void {
    const { path, usage } = this.#current;
    if (!this.isDurable || !existsSync(path)) return;
    writeFileSync(`${usage}${PART}`, text);
    renameSync(`${usage}${PART}`, usage);
  }

  /** Lists the DbIds of all databases that have files. */
  ids(): Promise<string[]> {
    return readdir(this.#current.databases);
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
