import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Figures } from "../operations/contents";
import { foldersReachDisk, reachDisk } from "../store/disk";

/** The name of the file with the usage figures. */
export const USAGE = "usage.json";

/**
 * The rows of all databases and dumps, which a load or a reset replaces as a whole. The store names the generation that
 * belongs to its records, so one commit replaces both.
 */
export class Generation {
  /** "first" or a UUID. */
  readonly name: string;
  readonly path: string;
  /** The folder above those of all databases. */
  readonly databases: string;
  readonly dumps: string;
  /** The file with the usage figures. */
  readonly usage: string;
  /** The usage of the databases: one entry for each that has been used, until its files are removed. */
  figures = new Map<string, Figures>();
  /** One entry for each database whose files are being created. */
  readonly making = new Map<string, Promise<void>>();
  /** DbIds of databases whose files are known to exist: one for each, until they are removed. */
  readonly #known = new Set<string>();

  /** @param root The folder with all generations. */
  constructor(root: string, name: string) {
    this.name = name;
    this.path = join(root, name);
    this.databases = join(this.path, "databases");
    this.dumps = join(this.path, "dumps");
    this.usage = join(this.path, USAGE);
  }

  async create(): Promise<void> {
    for (const each of [this.databases, this.dumps]) await mkdir(each, { recursive: true, mode: 0o700 });
  }

  of(id: string): string {
    return join(this.databases, id);
  }

  /** Returns the folder into which the uploaded dump with this id was loaded. */
  ofDump(id: string): string {
    return join(this.dumps, id);
  }

  /** Returns whether a database has files. */
  has(id: string): boolean {
    if (this.#known.has(id)) return true;
    const exists = existsSync(this.of(id));
    if (exists) this.#known.add(id);
    return exists;
  }

  /** Called before the files of a database are removed. */
  forget(id: string): void {
    this.#known.delete(id);
    this.figures.delete(id);
  }

  /** Resolves when a power cut loses neither these files nor the folders of this generation that lead to them. */
  async reachDisk(files: readonly string[]): Promise<void> {
    await reachDisk(files);
    const folders = [...files.map(dirname), this.databases, this.dumps, this.path];
    await foldersReachDisk([...new Set(folders)]);
  }
}
