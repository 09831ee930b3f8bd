import {
  chmodSync,
  closeSync,
  constants,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as moment, setTimeout as wait } from "node:timers/promises";
import { StoreFailure, storeFailureReason, WrongData } from "../store/failure";
import type { State } from "../store/schema";
import { changeSetting, findSetting } from "../store/settings";
import type { Store } from "../store/store";
import { clockNow } from "../time/clock";
import { type DatabaseRows, figuresIn } from "./database-rows";
import { COMMITS, commitLine, EVER } from "./engine/commit-list";
import { FILE } from "./engine/database-files";
import { SqlFailure } from "./engine/failure";
import type { Folder } from "./folder";
import type { Gate } from "./gate";
import type { Generation } from "./generation";
import { rowsDamaged, SERVER_RESET, SNAPSHOT_LOADED } from "./messages";
import type { Pool } from "./pool/pool";

/** The sizes in bytes of the files with rows in a snapshot, by the id of the database or dump. */
export interface SavedRows {
  readonly databases: Readonly<Record<string, number>>;
  readonly dumps: Readonly<Record<string, number>>;
}

/** The files of the rows in the folder of a snapshot. Their names have no endings, which `.gitignore` might list. */
const partsOf = (folder: string) => ({
  databases: join(folder, "rows"),
  dumps: join(folder, "dumps"),
  usage: join(folder, "usage.json"),
});

/** How often copies of databases that were created meanwhile are looked for. */
const ATTEMPTS = 3;

/** How long to wait until PostgreSQL is asked again, in milliseconds. */
const PAUSE_MS = 1_000;

/** Files up to this size in bytes are copied at once, which is faster, and others while other work continues. */
const SMALL = 1024 * 1024;
const SMALL_AT_ONCE = 50;

interface Parts {
  readonly store: Store;
  readonly folder: Folder;
  readonly pool: Pool;
  readonly gate: Gate;
  readonly rows: DatabaseRows;
  /** Ends all streams and WebSockets for a reason, and runs `work` while no request reads or changes rows. */
  readonly runAlone: (reason: string, work: () => Promise<void>) => Promise<void>;
}

type ReplaceRecords = (state: State) => Promise<void>;

/** Saves the rows of all databases in snapshots, and replaces them by saved or seeded ones (docs/decisions/store.md). */
export class RowSnapshots {
  readonly #parts: Parts;
  #ending: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Saves all rows in the folder of a snapshot, together with what `work` reads.
   *
   * @param begin Returns the path of an empty folder. Called again if the transaction has to run again.
   * @param work Reads the records. Runs in the same transaction, in which nobody changes records or rows.
   */
  async save<T extends object>(
    begin: () => string,
    work: (state: State) => Promise<T>,
  ): Promise<T & { readonly rows: SavedRows }> {
    const { store, rows, folder } = this.#parts;
    await folder.assertHeld();
    for (let attempt = 1; ; attempt += 1) {
      await rows.makeCopies(store, await store.read(clockNow));
      const saved = await store.transaction("all", async (state) => {
        const { folders, isComplete } = await rows.folders(state);
        if (!isComplete && attempt < ATTEMPTS) return undefined;
        return { ...(await work(state)), rows: await this.#copyRows(state, folders, begin()) };
      });
      if (saved) return saved;
    }
  }

  /** Must run in a transaction that locks all data, because only then nobody changes rows within a transaction. */
  async #copyRows(state: State, databases: ReadonlyMap<string, string>, to: string): Promise<SavedRows> {
    const { gate, rows, folder } = this.#parts;
    const parts = partsOf(to);
    const dumps = await state.selectFrom("dumps").select("id").execute();
    const open = gate.close();
    try {
      const saved = {
        databases: await this.#copyAll([...databases], parts.databases),
        dumps: await this.#copyAll(
          dumps.map(({ id }) => [id, folder.rows.ofDump(id)]),
          parts.dumps,
        ),
      };
      await writeFile(parts.usage, rows.figuresText(), { mode: 0o600 });
      return saved;
    } catch (thrown) {
      throw thrown instanceof SqlFailure && thrown.code === "SQLITE_FULL" ? new StoreFailure("full", thrown) : thrown;
    } finally {
      open();
    }
  }

  /** @param from The folders of databases or dumps, by id. */
  async #copyAll(
    from: readonly (readonly [id: string, folder: string])[],
    to: string,
  ): Promise<Record<string, number>> {
    const { pool, folder } = this.#parts;
    if (from.length > 0) mkdirSync(to, { mode: 0o700 });
    await Promise.all(from.map(([id, each]) => pool.save(each, join(to, id), folder.isDurable)));
    const sizes = from.map(([id]) => [id, statSync(join(to, id), { throwIfNoEntry: false })?.size] as const);
    return Object.fromEntries(sizes.filter((each): each is [string, number] => each[1] !== undefined));
  }

  /** The files with rows in the folder of a snapshot. */
  filesIn(folder: string, rows: SavedRows | undefined): string[] {
    const { databases, dumps, usage } = partsOf(folder);
    if (!rows) return [];
    const within = (part: string, saved: Readonly<Record<string, number>>) =>
      Object.keys(saved).map((id) => join(part, id));
    return [usage, ...within(databases, rows.databases), ...within(dumps, rows.dumps)];
  }

  /**
   * Copies the rows of a snapshot to where they can replace all others.
   *
   * @param from The folder of the snapshot.
   * @param saved The rows in it; `undefined` if it was saved without SQL.
   * @param records What the snapshot says of the databases: their DbIds, and the time when it was saved (RFC 3339).
   * @throws WrongData if the rows are not as they were saved.
   */
  async prepare(
    from: string,
    saved: SavedRows | undefined,
    { databases, now }: { readonly databases: readonly string[]; readonly now: string },
  ): Promise<Generation> {
    const { folder } = this.#parts;
    await folder.assertHeld();
    const files = partsOf(from);
    const fill = async (next: Generation) => {
      const usage = saved ? await readFile(files.usage, "utf8") : "{}";
      next.figures = figuresIn(usage, rowsDamaged({ file: files.usage }));
      writeFileSync(next.usage, usage);
      const written = [
        next.usage,
        // Past states are not part of a snapshot, so the history begins when the snapshot was saved.
        ...(await copySaved(saved?.databases ?? {}, files.databases, next.databases, { folder, since: now })),
        ...(await copySaved(saved?.dumps ?? {}, files.dumps, next.dumps, { folder, since: EVER })),
      ];
      // Otherwise, the first request would copy the rows of this server's seed.
      for (const id of databases)
        if (saved?.databases[id] === undefined && folder.hasSeed(id)) mkdirSync(next.of(id), { mode: 0o700 });
      return written;
    };
    return folder.make(fill).catch((thrown) => {
      throw thrown.code === "ENOENT" ? new WrongData(rowsDamaged(missingFile(thrown))) : thrown;
    });
  }

  /**
   * Replaces all rows, and ends all streams.
   *
   * @param replaceRecords Replaces the records, in the same transaction.
   */
  load(next: Generation, replaceRecords: ReplaceRecords): Promise<void> {
    return this.#parts.runAlone(SNAPSHOT_LOADED, () => this.#replace(next, replaceRecords));
  }

  /**
   * Removes all rows, and ends all streams. Databases with seeded rows get them again when they are first used.
   *
   * @param replaceRecords Replaces the records, in the same transaction.
   */
  async reset(replaceRecords: ReplaceRecords): Promise<void> {
    const { folder } = this.#parts;
    await folder.assertHeld();
    const next = await folder.make(async () => []);
    await this.#parts.runAlone(SERVER_RESET, () => this.#replace(next, replaceRecords));
  }

  /** Until the commit, the files of the current rows stay as they are, so that nothing has to be undone. */
  async #replace(next: Generation, replaceRecords: ReplaceRecords): Promise<void> {
    const { store, folder } = this.#parts;
    try {
      await store.transaction("all", async (state) => {
        // Another server may have taken over the rows while these were prepared.
        await folder.assertHeld();
        await replaceRecords(state);
        await changeSetting(state, "rows", next.name);
      });
    } catch (thrown) {
      if (thrown instanceof StoreFailure || !(await this.#isNamed(next))) {
        await this.#drop(next);
        throw thrown;
      }
    }
    await this.#drop(folder.use(next));
  }

  /** Closes the databases of a generation, and removes it afterwards. */
  async #drop(rows: Generation): Promise<void> {
    const { folder, pool } = this.#parts;
    await pool.discard(rows.path);
    const earlier = this.#ending;
    this.#ending = folder.drop(rows).catch(console.error);
    await earlier;
  }

  /**
   * Returns whether these rows belong to the records. If a commit may or may not have succeeded, nobody may see the rows
   * before this is known, so it asks until the store answers.
   */
  async #isNamed({ name }: Generation): Promise<boolean> {
    for (;;)
      try {
        // Waits for the locks of a transaction whose commit may be still in progress.
        return name === (await this.#parts.store.transaction("all", (state) => findSetting(state, "rows")));
      } catch (thrown) {
        // Another program has stored a name that no rows can have.
        if (thrown instanceof WrongData) return false;
        if (this.#isClosed) throw thrown;
        console.error(storeFailureReason(thrown));
        await wait(PAUSE_MS);
      }
  }

  /** Stops waiting for a store that does not answer. The next start opens the rows that the store names. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#ending;
  }
}

/** Returns the name of the file that does not exist. */
const missingFile = (thrown: unknown): { file: string } => ({
  file: String((thrown as NodeJS.ErrnoException).path),
});

/**
 * Copies SQLite files into the folders of their databases, and returns the paths of all files in these folders.
 *
 * @param since When the histories of the databases begin (RFC 3339).
 * @throws WrongData if a file does not have the size that it had when it was saved.
 */
async function copySaved(
  sizes: Readonly<Record<string, number>>,
  from: string,
  to: string,
  { folder, since }: { readonly folder: Folder; readonly since: string },
): Promise<string[]> {
  const copies: string[] = [];
  let copied = 0;
  for (const [id, size] of Object.entries(sizes)) {
    const [file, copy] = [join(from, id), join(to, id, FILE)];
    if (statSync(file).size !== size) throw new WrongData(rowsDamaged({ file }));
    folder.createToOverwrite(join(to, id));
    const commits = join(to, id, COMMITS);
    if (size <= SMALL) writeOver(copy, readFileSync(file));
    else {
      await copyFile(file, copy, constants.COPYFILE_FICLONE);
      // A file that was checked in can be read-only.
      chmodSync(copy, 0o600);
    }
    writeOver(commits, commitLine({ at: since, frames: 0 }));
    copies.push(copy, commits);
    if (++copied % SMALL_AT_ONCE === 0) await moment();
  }
  return copies;
}

/**
 * Writes a file over an earlier one, if there is one. The earlier one is not emptied first, because closing a file that
 * was emptied waits until ext4 has begun to write it to the disk.
 */
function writeOver(path: string, content: string | Buffer): void {
  const file = openSync(path, constants.O_WRONLY | constants.O_CREAT, 0o600);
  try {
    writeFileSync(file, content);
    ftruncateSync(file, Buffer.byteLength(content));
  } finally {
    closeSync(file);
  }
}
