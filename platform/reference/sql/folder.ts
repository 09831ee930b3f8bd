import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cp, mkdir, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { alreadyServed } from "./messages";

const DATABASES = "databases";
const DUMPS = "dumps";
const SEEDED = "seeded";

/**
 * The database files: in a folder beside the data file, or in a temporary folder that is removed when the server stops.
 * Each database has a subfolder named after its DbId.
 */
export class Folder {
  readonly #root: string;
  readonly #lock: DatabaseSync;
  /** Whether the files are kept when this process ends. */
  readonly isDurable: boolean;
  readonly #removeAtExit = () => rmSync(this.#root, { recursive: true, force: true });

  /** @param data The path of the data file, or `:memory:`. */
  constructor(data: string) {
    this.isDurable = data !== ":memory:";
    this.#root = this.isDurable ? `${data}-sql` : mkdtempSync(join(tmpdir(), "dbplatform-sql-"));
    for (const name of [DATABASES, DUMPS, SEEDED]) mkdirSync(join(this.#root, name), { recursive: true, mode: 0o700 });
    this.#lock = lockOf(this.#root);
    if (!this.isDurable) process.once("exit", this.#removeAtExit);
  }

  of(id: string): string {
    return join(this.#root, DATABASES, id);
  }

  /** Returns the folder of the database that an uploaded dump was loaded into, by the id of the dump. */
  ofDump(id: string): string {
    return join(this.#root, DUMPS, id);
  }

  /** Returns a new folder to load a dump into. */
  ofLoading(): string {
    return join(this.#root, DUMPS, `loading-${randomUUID()}`);
  }

  async rename(from: string, to: string): Promise<void> {
    await rename(from, to);
  }

  /** Returns the folder with the seeded rows of a database, which a reset restores. */
  ofSeed(id: string): string {
    return join(this.#root, SEEDED, id);
  }

  /** Creates a database folder that does not exist yet, as a copy of the folder `seeded` if that exists. */
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

  /** Reads a file that an earlier server has written, such as usage figures. */
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

  /** Removes everything but the seeded rows. */
  async clear(): Promise<void> {
    for (const name of [DATABASES, DUMPS]) {
      await this.remove(join(this.#root, name));
      await mkdir(join(this.#root, name), { recursive: true, mode: 0o700 });
    }
  }

  close(): void {
    this.#lock.close();
    if (this.isDurable) return;
    process.off("exit", this.#removeAtExit);
    this.#removeAtExit();
  }
}

/** Locks the folder for this process. The operating system releases the lock however the process ends. */
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
