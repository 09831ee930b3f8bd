import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cp, mkdir, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { DataLock } from "../store/postgres-lock";
import { alreadyServed } from "./messages";

const DATABASES = "databases";
const DUMPS = "dumps";
const SEEDED = "seeded";

/** The files of the databases. Each database has a folder, whose name is its DbId. */
export class Folder {
  readonly #root: string;
  readonly #lock: DatabaseSync;
  readonly #dataLock: DataLock | undefined;
  /** Whether the files must survive the end of this process. */
  readonly isDurable: boolean;
  readonly #removeAtExit = () => rmSync(this.#root, { recursive: true, force: true });

  /**
   * @param root The folder; by default a temporary folder, which is removed at the end.
   * @param dataLock The lock of data that servers without this folder can reach.
   */
  constructor(root: string | undefined, dataLock?: DataLock) {
    this.isDurable = root !== undefined;
    this.#root = root ?? mkdtempSync(join(tmpdir(), "dbplatform-sql-"));
    this.#dataLock = dataLock;
    for (const name of [DATABASES, DUMPS, SEEDED]) mkdirSync(join(this.#root, name), { recursive: true, mode: 0o700 });
    this.#lock = lockOf(this.#root);
    if (!this.isDurable) process.once("exit", this.#removeAtExit);
  }

  /**
   * Must be called before rows are read or written.
   *
   * @throws ApiError if another server serves the databases by now.
   */
  async assertHeld(): Promise<void> {
    await this.#dataLock?.assertHeld();
  }

  of(id: string): string {
    return join(this.#root, DATABASES, id);
  }

  /** The folder of a database that holds an uploaded dump. */
  ofDump(id: string): string {
    return join(this.#root, DUMPS, id);
  }

  /** The folder of a dump that is being loaded. */
  ofLoading(): string {
    return join(this.#root, DUMPS, `loading-${randomUUID()}`);
  }

  async rename(from: string, to: string): Promise<void> {
    await rename(from, to);
  }

  /** The folder of the state that a reset brings back. */
  ofSeed(id: string): string {
    return join(this.#root, SEEDED, id);
  }

  /** Creates the folder of a database that has none. A database that is in the seed begins with the seed's rows. */
  async ensure(folder: string, seeded?: string): Promise<void> {
    if (existsSync(folder)) return;
    if (seeded !== undefined && existsSync(seeded)) await this.copy(seeded, folder);
    else await mkdir(folder, { recursive: true, mode: 0o700 });
  }

  /** Copies the folder of a closed database. The copy appears only when it is complete. */
  async copy(from: string, to: string): Promise<void> {
    const part = `${to}.part`;
    await cp(from, part, { recursive: true, force: true });
    await rename(part, to);
  }

  /** Reads what was written at the end of an earlier server. */
  read(name: string): string | undefined {
    const path = join(this.#root, name);
    return existsSync(path) ? readFileSync(path, "utf8") : undefined;
  }

  write(name: string, text: string): void {
    if (this.isDurable && existsSync(this.#root)) writeFileSync(join(this.#root, name), text);
  }

  /** Lists the DbIds of all databases that have files. */
  ids(): Promise<string[]> {
    return readdir(join(this.#root, DATABASES));
  }

  async remove(folder: string): Promise<void> {
    await rm(folder, { recursive: true, force: true });
  }

  /** Removes everything but the seed. */
  async clear(): Promise<void> {
    for (const name of [DATABASES, DUMPS]) {
      await this.remove(join(this.#root, name));
      await mkdir(join(this.#root, name), { recursive: true, mode: 0o700 });
    }
  }

  async close(): Promise<void> {
    this.#lock.close();
    await this.#dataLock?.close();
    if (this.isDurable) return;
    process.off("exit", this.#removeAtExit);
    this.#removeAtExit();
  }
}

/** Locks the folder for this process. The operating system removes the lock when the process ends in any way. */
function lockOf(root: string): DatabaseSync {
  const lock = new DatabaseSync(join(root, "lock"), { timeout: 0 });
  try {
    lock.exec("begin exclusive");
    return lock;
  } catch {
    lock.close();
    throw new Error(alreadyServed(root));
  }
}
