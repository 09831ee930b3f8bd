import { existsSync } from "node:fs";
import * as z from "zod";
import { refuse } from "../messages";
import type { Contents, Figures } from "../operations/contents";
import { findAnyDatabase } from "../operations/database";
import { startOfWindow } from "../operations/recovery";
import type { SeedContents } from "../seed/insert";
import { jsonIn } from "../store/columns";
import { StoreFailure, WrongData } from "../store/failure";
import type { DatabaseRow, State } from "../store/schema";
import type { Store } from "../store/store";
import { isNotKeptSqlFailure, SqlFailure } from "./engine/failure";
import type { Measurement, Target } from "./engine/jobs";
import type { Folder } from "./folder";
import type { Gate } from "./gate";
import { type Generation, USAGE } from "./generation";
import { seedNotLoaded, USAGE_NOT_STORABLE, usageChanged } from "./messages";
import type { Pool } from "./pool/pool";

/** The maximum size of a database, in pages, for jobs that do not run client statements, such as loading a dump. */
const PAGES = 2 ** 31;

const count = z.int().min(0);
const UsageFigures = z.record(z.string(), z.object({ rows_read: count, rows_written: count, storage_bytes: count }));

/** A database whose files do not exist yet. If `parent` is present, the rows are copied from the parent. */
interface MissingDatabase {
  readonly rows: Generation;
  readonly id: string;
  readonly name: string;
  readonly parent: { readonly id: string; readonly at: string } | undefined;
}

/**
 * The rows of all databases. The files of a database are created on first use, and kept until the database can no
 * longer be restored.
 */
export class DatabaseRows implements Contents, SeedContents {
  readonly #folder: Folder;
  readonly #pool: Pool;
  readonly #gate: Gate;
  /** The folder that each uploaded dump was loaded into. */
  readonly #loaded = new WeakMap<File, string>();

  constructor(folder: Folder, pool: Pool, gate: Gate) {
    this.#folder = folder;
    this.#pool = pool;
    this.#gate = gate;
    folder.rows.figures = figuresIn(folder.readUsage() ?? "{}", usageChanged({ file: USAGE }));
  }

  /** Returns what a SQL job needs to open a database, such as its folder and its maximum size. */
  target(id: string, now: string, pages = PAGES, rows = this.#folder.rows): Target {
    return { folder: rows.of(id), now, pages, durable: this.#folder.isDurable };
  }

  /**
   * Starts at this database and goes up through its ancestors until one has files. Returns the databases without files,
   * oldest first.
   */
  async missing(state: State, database: DatabaseRow, rows = this.#folder.rows): Promise<MissingDatabase[]> {
    const found: MissingDatabase[] = [];
    for (let row: DatabaseRow | undefined = database; row && !rows.has(row.id); ) {
      const { id, name, parent_id, branched_at }: DatabaseRow = row;
      const parent: MissingDatabase["parent"] =
        parent_id === null || branched_at === null ? undefined : { id: parent_id, at: branched_at };
      found.unshift({ rows, id, name, parent });
      row = parent === undefined ? undefined : await findAnyDatabase(state, parent.id);
    }
    return found;
  }

  /** @throws ApiError if the rows that a database copies are no longer kept for its point in time. */
  async make(missing: readonly MissingDatabase[], now: string): Promise<void> {
    await this.#folder.assertHeld();
    for (const each of missing)
      await this.#makeOnce(each, now).catch((thrown) => {
        throw isNotKeptSqlFailure(thrown) ? refuse.rowsNotKept({ name: each.name, since: thrown.message }) : thrown;
      });
  }

  #makeOnce(missing: MissingDatabase, now: string): Promise<void> {
    const { id, rows } = missing;
    const making = rows.making.get(id) ?? this.#make(missing, now).finally(() => rows.making.delete(id));
    rows.making.set(id, making);
    return making;
  }

  async #make({ rows, id, parent }: MissingDatabase, now: string): Promise<void> {
    // Another request that found the files missing may have created them, and rows may have been written since then.
    if (rows.has(id)) return;
    const seeded = this.#folder.ofSeed(id);
    if (!existsSync(seeded) && parent && existsSync(rows.of(parent.id)))
      await this.#copy(rows, parent.id, { id, at: parent.at, now });
    else await this.#folder.ensure(rows.of(id), seeded);
  }

  async #copy(rows: Generation, parent: string, { id, at, now }: { id: string; at: string | undefined; now: string }) {
    const target = this.target(parent, now, PAGES, rows);
    this.note(id, await this.#pool.run({ kind: "copy", ...target, at, to: rows.of(id) }), rows);
  }

  async copy(state: State, parent: DatabaseRow, { id, at, now }: Parameters<Contents["copy"]>[2]): Promise<void> {
    const instant = now.toISOString();
    const rows = await this.#rowsToChange(state);
    await this.make(await this.missing(state, parent, rows), instant);
    await this.#copy(rows, parent.id, { id, at, now: instant }).catch((thrown) => {
      throw isNotKeptSqlFailure(thrown)
        ? refuse.momentNotKept({ database: parent.name, since: thrown.message })
        : thrown;
    });
  }

  async clear(state: State, id: string): Promise<void> {
    const rows = await this.#folder.rowsIn(state);
    if (rows?.has(id)) await this.#remove(rows, id);
  }

  load(file: File, now: Date): Promise<void> {
    return this.#gate.pass(() => this.#load(file, now));
  }

  async #load(file: File, now: Date): Promise<void> {
    await this.#folder.assertHeld();
    const folder = this.#folder.ofLoading();
    await this.#folder.ensure(folder);
    const text = await file.text();
    const target = { ...this.target("", now.toISOString()), folder };
    const loaded = await this.#pool.run({ kind: "load", ...target, text }).then(
      () => undefined,
      (thrown: unknown) => ({ thrown }),
    );
    await this.#pool.release(folder);
    if (!loaded) return void this.#loaded.set(file, folder);
    await this.#folder.remove(folder);
    refuseDump(loaded.thrown);
  }

  async keepDump(state: State, file: File, id: string): Promise<void> {
    const folder = this.#loaded.get(file);
    if (folder === undefined) return;
    const kept = (await this.#rowsToChange(state)).ofDump(id);
    // An upload that was rolled back may have left a dump under this id.
    if (folder !== kept) await this.#folder.remove(kept);
    await this.#folder.rename(folder, kept).catch((cause: NodeJS.ErrnoException) => {
      // A load has removed the rows into which an earlier attempt of this transaction has moved the dump.
      throw cause.code === "ENOENT" ? refuse.uploadStopped() : cause;
    });
    // Remembers the dump's new folder. If the transaction is retried, the dump gets a new id and is moved again.
    this.#loaded.set(file, kept);
  }

  async createFrom(state: State, dumpId: string, databaseId: string): Promise<void> {
    await this.#folder.assertHeld();
    const rows = await this.#rowsToChange(state);
    const dump = rows.ofDump(dumpId);
    if (existsSync(dump)) await this.#folder.copy(dump, rows.of(databaseId));
  }

  /**
   * Returns the rows that a transaction may change.
   *
   * @throws StoreFailure if a server with another folder has replaced them.
   */
  async #rowsToChange(state: State): Promise<Generation> {
    const rows = await this.#folder.rowsIn(state);
    if (!rows) throw new StoreFailure("unavailable", undefined);
    return rows;
  }

  /** Runs the `sql` of a seeded database, and keeps the resulting rows for a reset. */
  async loadSeed({ id, name, text, now }: Parameters<SeedContents["loadSeed"]>[0]): Promise<void> {
    const folder = this.#folder.ofSeed(id);
    await this.#folder.remove(folder);
    await this.#folder.ensure(folder);
    await this.#pool.run({ kind: "load", ...this.target(id, now), folder, text }).catch((thrown) => {
      throw thrown instanceof SqlFailure
        ? new Error(seedNotLoaded({ name, line: thrown.line, reason: thrown.message }))
        : thrown;
    });
    await this.#pool.release(folder);
  }

  figuresOf(id: string): Figures | undefined {
    return this.#folder.rows.figures.get(id);
  }

  note(id: string, { read, written, bytes }: Measurement, { figures } = this.#folder.rows): void {
    const { rows_read, rows_written } = figures.get(id) ?? { rows_read: 0, rows_written: 0 };
    figures.set(id, { rows_read: rows_read + read, rows_written: rows_written + written, storage_bytes: bytes });
  }

  /**
   * Stores the usage figures, so that they survive a restart of the server. If storing them fails, for example because
   * the disk is full, only the figures are lost.
   */
  save(): void {
    try {
      this.#folder.writeUsage(this.figuresText());
    } catch (thrown) {
      console.error(thrown);
    }
  }

  /** Returns the usage figures of all databases as JSON. */
  figuresText(): string {
    const figures = Object.fromEntries(this.#folder.rows.figures);
    if (!UsageFigures.safeParse(figures).success) throw new WrongData(USAGE_NOT_STORABLE);
    return JSON.stringify(figures);
  }

  /**
   * Returns the folder of each database that has rows, by DbId, and whether all files exist. If not, the files of a copy
   * have yet to be created from those of its parent.
   */
  async folders(state: State): Promise<{ readonly folders: Map<string, string>; readonly isComplete: boolean }> {
    const folders = new Map<string, string>();
    let isComplete = true;
    for (const row of await state.selectFrom("databases").selectAll().execute()) {
      const [own, seeded] = [this.#folder.of(row.id), this.#folder.ofSeed(row.id)];
      if (this.#folder.rows.has(row.id)) folders.set(row.id, own);
      else if (existsSync(seeded)) folders.set(row.id, seeded);
      else if (this.#hasParentWithRows(await this.missing(state, row))) isComplete = false;
    }
    return { folders, isComplete };
  }

  #hasParentWithRows(missing: readonly MissingDatabase[]): boolean {
    return missing.some(
      ({ id, parent }) =>
        existsSync(this.#folder.ofSeed(id)) || (parent !== undefined && existsSync(this.#folder.of(parent.id))),
    );
  }

  /**
   * Creates the files of copies from those of their parents, where this has not been necessary yet. A copy stays empty if
   * the rows of its parent are no longer kept for its point in time.
   */
  async makeCopies(store: Store, now: Date): Promise<void> {
    const missing = await store.read(async (state) => {
      const found: MissingDatabase[][] = [];
      for (const row of await state.selectFrom("databases").selectAll().where("parent_id", "is not", null).execute())
        found.push(await this.missing(state, row));
      return found.filter((each) => this.#hasParentWithRows(each));
    });
    for (const chain of missing) await this.makeIfKept(chain, now.toISOString());
  }

  /** Creates the files of a database and its parents, unless the rows that it copies are no longer kept. */
  async makeIfKept(missing: readonly MissingDatabase[], now: string): Promise<void> {
    try {
      for (const each of missing) await this.#makeOnce(each, now);
    } catch (thrown) {
      if (!isNotKeptSqlFailure(thrown)) throw thrown;
    }
  }

  /** Removes the files of databases that do not exist or can no longer be restored. */
  async purge(store: Store, now: Date): Promise<void> {
    // Lists the folders first. If the store were read first, the folder of a database created in the meantime would be
    // removed.
    const ids = await this.#folder.ids();
    const isKept = await store.read(async (state) => {
      const rows = await state.selectFrom("databases").select(["id", "deleted_at"]).execute();
      const since = startOfWindow(now);
      return new Map(rows.map(({ id, deleted_at }) => [id, deleted_at === null || deleted_at >= since]));
    });
    // A folder without a record may belong to a transaction on PostgreSQL that is still creating the database.
    for (const id of ids)
      if (!(isKept.get(id.replace(/\.part$/, "")) ?? this.#folder.isNew(id))) await this.#remove(this.#folder.rows, id);
  }

  async #remove(rows: Generation, id: string): Promise<void> {
    rows.forget(id);
    await this.#pool.release(rows.of(id));
    await this.#folder.remove(rows.of(id));
  }
}

/**
 * Returns the figures in what `figuresText` returns.
 *
 * @throws WrongData with this message if the text is something else.
 */
export function figuresIn(text: string, otherwise: string): Map<string, Figures> {
  const { success, data } = UsageFigures.safeParse(jsonIn(text));
  if (!success) throw new WrongData(otherwise);
  return new Map(Object.entries(data));
}

/** Throws an API error that names the line if a statement of a dump failed. Rethrows any other error. */
function refuseDump(thrown: unknown): never {
  if (thrown instanceof SqlFailure && thrown.code === "STREAM_EXPIRED") throw refuse.uploadStopped();
  throw thrown instanceof SqlFailure ? refuse.dumpInvalid({ line: thrown.line ?? 1, reason: thrown.message }) : thrown;
}
