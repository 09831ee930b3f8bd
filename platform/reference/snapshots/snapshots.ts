import { mkdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import * as z from "zod";
import { version } from "../../package.json";
import type { Signer } from "../credentials/signer";
import { NOTHING_SAVED, refuse } from "../messages";
import { messageOf } from "../refusal";
import { describeIssue, formProblem } from "../requests/form-problem";
import { hasRowsFolder } from "../sql/place";
import type { SavedRows } from "../sql/row-snapshots";
import type { SqlServer } from "../sql/server";
import { checkedRows, isInstant } from "../store/columns";
import { reachDisk } from "../store/disk";
import { StoreFailure, WrongData } from "../store/failure";
import { MIGRATIONS, migrateTables, type Tables } from "../store/migrate";
import { isPostgres, MEMORY } from "../store/open";
import type { State } from "../store/schema";
import type { Store } from "../store/store";
import { clockNow } from "../time/clock";
import { MANIFEST, SnapshotFolder } from "./folder";
import { type Records, readRecords, recordsText, replaceRecords, TABLES } from "./records";

/** A saved state of the platform. */
export interface Snapshot {
  readonly name: string;
  /** When it was saved, by the machine's clock (RFC 3339). */
  readonly savedAt: string;
  /** The time that the platform's clock showed (RFC 3339). */
  readonly now: string;
  /** The number of live databases. */
  readonly databases: number;
  /** Whether it contains the rows of the databases, which only a server with the option `sql` saves. */
  readonly rows: boolean;
  /** The version of this package that has saved it. */
  readonly version: string;
}

/** The version of the layout of a snapshot's folder. */
const FORMAT = 1;

/** The file with all records, one row per line. */
const RECORDS = "records.json";

const sizes = z.record(z.string().regex(/^[\w-]+$/), z.int().min(0));

const Manifest = z.object({
  format: z.literal(FORMAT),
  version: z.string(),
  savedAt: z.string(),
  now: z.string().refine(isInstant),
  databases: z.int(),
  /** The migrations that had run on the data. */
  migrations: z.array(z.string()).min(1),
  rows: z.object({ databases: sizes, dumps: sizes }).optional(),
});

type Manifest = z.output<typeof Manifest>;

const TablesOfFile = z.record(z.string(), z.array(z.record(z.string(), z.unknown())));

interface Place {
  readonly store: Store;
  readonly signer: Signer;
  readonly sql: SqlServer | undefined;
  /** The path or address of the data. */
  readonly data: string;
  /** The folder of the snapshots, if the user has chosen one. */
  readonly folder: string | undefined;
}

/** Saves the state of the platform under names, and loads it again (docs/decisions/store.md). */
export class Snapshots {
  readonly #place: Place;
  /** Opened when it is first needed. */
  #opened: SnapshotFolder | undefined;
  /** The latest save, load, deletion or reset. They run one after another. */
  #turn: Promise<unknown> = Promise.resolve();
  /** The records that were used last, and the state of their file. */
  #kept: { readonly file: string; readonly records: Records } | undefined;

  constructor(place: Place) {
    this.#place = place;
  }

  /** @throws ApiError if there is no folder for snapshots. */
  get #folder(): SnapshotFolder {
    this.#opened ??= folderOf(this.#place);
    if (!this.#opened) throw refuse.snapshotsWithoutFolder();
    return this.#opened;
  }

  list(): Promise<Snapshot[]> {
    return this.#list().catch(refuseUnusableFolder);
  }

  async #list(): Promise<Snapshot[]> {
    this.#opened ??= folderOf(this.#place);
    const folder = this.#opened;
    if (!folder) return [];
    const found = await Promise.all(
      folder.names().map(async (name) => {
        const { success, data } = Manifest.safeParse(await readJson(join(folder.find(name), MANIFEST)));
        return success ? [snapshotOfManifest(name, data)] : [];
      }),
    );
    return found.flat();
  }

  /** @throws ApiError if the name is invalid or in use, or if this server cannot save the rows. */
  save(name: string, { replace = false }: { readonly replace?: boolean | undefined } = {}): Promise<Snapshot> {
    return this.#inFolder(async () => {
      this.#folder.assertFree(name, replace);
      await this.#assertOwnRows();
      const part = this.#folder.begin(name);
      try {
        const manifest = await this.#write(part);
        await this.#folder.publish(part, name, replace);
        return snapshotOfManifest(name, manifest);
      } catch (thrown) {
        await rm(part, { recursive: true, force: true });
        throw thrown;
      }
    });
  }

  async #write(folder: string): Promise<Manifest> {
    const { store, signer, sql } = this.#place;
    const read = async (state: State) => ({
      now: (await clockNow(state)).toISOString(),
      records: await readRecords(state, signer),
    });
    const begin = () => {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { mode: 0o700 });
      return folder;
    };
    const saved: Saved = sql ? await sql.snapshots.save(begin, read) : await store.transaction("all", read);
    const { records, now, rows } = saved;
    const manifest: Manifest = {
      format: FORMAT,
      version,
      savedAt: new Date().toISOString(),
      now,
      databases: records.databases.filter(({ deleted_at }) => deleted_at === null).length,
      migrations: [...MIGRATIONS],
      ...(rows && { rows }),
    };
    const [file, list] = [join(folder, RECORDS), join(folder, MANIFEST)];
    await writeFile(file, recordsText(records), { mode: 0o600 });
    await writeFile(list, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    if (this.#folder.isDurable) await reachDisk([...(sql?.snapshots.filesIn(folder, rows) ?? []), file, list]);
    this.#kept = { file: fingerprint(file), records };
    return manifest;
  }

  /** @throws ApiError if there is no such snapshot, or if this server cannot load it. Nothing has changed then. */
  load(name: string): Promise<Snapshot> {
    return this.#inFolder(async () => {
      const { store, signer, sql } = this.#place;
      const folder = this.#folder.find(name);
      await this.#assertOwnRows();
      const manifest = await readManifest(name, folder);
      const records = await this.#recordsOf(name, folder, manifest);
      const replace = (state: State) => replaceRecords(state, records, signer);
      try {
        if (sql) {
          const databases = records.databases.map(({ id }) => id);
          const prepared = await sql.snapshots.prepare(folder, manifest.rows, { databases, now: manifest.now });
          await sql.snapshots.load(prepared, replace);
        } else await store.transaction("all", replace);
      } catch (thrown) {
        throw thrown instanceof WrongData ? refuse.snapshotUnusable({ name, reason: thrown.message }) : thrown;
      }
      return snapshotOfManifest(name, manifest);
    });
  }

  async #recordsOf(name: string, folder: string, { migrations }: Manifest): Promise<Records> {
    const path = join(folder, RECORDS);
    try {
      const file = fingerprint(path);
      if (this.#kept?.file === file) return this.#kept.records;
      const tables: Tables = TablesOfFile.parse(JSON.parse(await readFile(path, "utf8")), { error: describeIssue });
      const migrated = await migrateTables(tables, { last: migrations.at(-1) ?? "", wanted: TABLES });
      const records = migrated as unknown as Records;
      for (const rows of Object.values(migrated)) checkedRows(rows);
      if (records.organizations.length === 0 || records.users.length === 0) throw new Error(NOTHING_SAVED);
      this.#kept = { file, records };
      return records;
    } catch (thrown) {
      const reason = thrown instanceof z.ZodError ? formProblem(thrown, RECORDS) : messageOf(thrown);
      throw refuse.snapshotUnusable({ name, reason: `${RECORDS}: ${reason}` });
    }
  }

  /** @throws ApiError if there is no such snapshot. */
  delete(name: string): Promise<void> {
    return this.#inFolder(async () => this.#folder.remove(name));
  }

  #inFolder<T>(work: () => Promise<T>): Promise<T> {
    return this.inTurn(work).catch(refuseUnusableFolder);
  }

  /** Runs `work` when nothing else replaces the state of the platform. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  /** A server without SQL would separate the records from rows that it does not know. */
  async #assertOwnRows(): Promise<void> {
    const { store, sql, data } = this.#place;
    if (!sql && (await hasRowsFolder(store, data))) throw refuse.rowsElsewhere();
  }

  async close(): Promise<void> {
    await this.#place.sql?.snapshots.close();
    await this.#turn;
    this.#opened?.close();
  }
}

/** Codes of errors that the user can correct: the folder is read-only, or a file is in its place. */
const UNUSABLE = ["EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST"];

/** Rethrows an error. If the disk is full or the folder of the snapshots cannot be used, the error says so. */
function refuseUnusableFolder(thrown: unknown): never {
  const { code = "" } = thrown as NodeJS.ErrnoException;
  if (code === "ENOSPC") throw new StoreFailure("full", thrown);
  throw UNUSABLE.includes(code) ? refuse.snapshotsFolderUnusable({ reason: messageOf(thrown) }) : thrown;
}

/** Returns no folder for data in PostgreSQL, because a default would depend on where the server is started. */
function folderOf({ data, folder }: Place): SnapshotFolder | undefined {
  if (folder !== undefined) return new SnapshotFolder(resolve(folder));
  if (isPostgres(data)) return undefined;
  return new SnapshotFolder(data === MEMORY ? undefined : `${realpathSync(data)}-snapshots`);
}

interface Saved {
  readonly now: string;
  readonly records: Records;
  readonly rows?: SavedRows;
}

const snapshotOfManifest = (name: string, { savedAt, now, databases, rows, version }: Manifest): Snapshot => ({
  name,
  savedAt,
  now,
  databases,
  rows: rows !== undefined,
  version,
});

/** Identifies the content of a file without reading the file. */
function fingerprint(file: string): string {
  const { ino, mtimeNs, size } = statSync(file, { bigint: true });
  return [ino, mtimeNs, size].join(" ");
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch {
    return undefined;
  }
}

/** @throws ApiError if a newer version has saved the snapshot, or if the file is not as it was saved. */
async function readManifest(name: string, folder: string): Promise<Manifest> {
  const content = await readJson(join(folder, MANIFEST));
  const { format, version: savedBy = "" } = Object(content);
  if (format > FORMAT) throw refuse.snapshotNewer({ name, release: version, savedBy });
  const { data, error } = Manifest.safeParse(content, { error: describeIssue });
  if (error) throw refuse.snapshotUnusable({ name, reason: `${MANIFEST}: ${formProblem(error, MANIFEST)}` });
  if (data.migrations.some((each) => !MIGRATIONS.includes(each)))
    throw refuse.snapshotNewer({ name, release: version, savedBy });
  return data;
}
