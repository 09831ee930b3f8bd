import {
  appendFileSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { code } from "../../../values/code";
import { beginCommitList, COMMITS, type Commit, commitLine, commitsIn, EVER, lastCommitIn } from "./commit-list";
import type { SqliteConnection } from "./connection";
import { FILE, LOG } from "./database-files";
import { NOT_KEPT, SqlFailure } from "./failure";
import { fitsHistory, partsIn, pruneParts, removeHistoryFolder, UNFINISHED } from "./history-parts";
import { type LogState, logIndexFile, logStateIn } from "./log-index";

/** The folder of the completed parts of the history. Each part is a numbered subfolder. */
const PAST = "past";

/** When the write-ahead log has this many frames (4 KiB each), it is copied to a new part of the history. */
const FRAMES = 1_000;

/** When the log has this many frames, the engine ends transactions that prevent a checkpoint. */
const MOST_FRAMES = 16 * FRAMES;

/** The header sizes in SQLite's write-ahead log, in bytes. */
const LOG_HEADER = 32;
const FRAME_HEADER = 24;
/** The byte offsets of the page size in the header of a log, and of the number of pages in that of a frame. */
const PAGE_SIZE_AT = 8;
const DATABASE_PAGES_AT = 4;

/** How many bytes of a file are copied at once. */
const CHUNK = 1024 * 1024;

/** The permissions of a copied SQLite file. */
const PRIVATE = 0o600;

/**
 * The past states of a database, stored in numbered parts. Each part consists of a copy of the SQLite file, a copy of
 * the write-ahead log, and the number of frames in the log at each commit. The file together with the log's frames up
 * to a commit is one past state.
 */
export class History {
  readonly #folder: string;
  #index: number | undefined;
  #file: number | undefined;
  #last: Commit = { at: EVER, frames: 0 };
  #salt = 0n;
  /**
   * The number of frames that the last checkpoint left in the log. Frames stay there while a statement in another
   * database reads them through ATTACH.
   */
  #rest = 0;

  constructor(folder: string) {
    this.#folder = folder;
    this.resume();
  }

  /** Continues the list of commits. */
  resume(): void {
    if (!existsSync(join(this.#folder, COMMITS))) beginCommitList(this.#folder, { at: EVER, frames: 0 });
    this.#last = lastCommitIn(this.#folder);
    this.#rest = 0;
    const { frames, salt } = this.#log();
    this.#salt = salt;
    if (frames < this.#last.frames) this.#beginAnew({ at: this.#last.at, frames });
  }

  /** Records the time of the latest commit, and the number of frames in the log after the commit. */
  mark(at: string): void {
    const { frames, salt } = this.#log();
    const isRestarted = frames < this.#last.frames || (salt !== this.#salt && this.#last.frames > 0);
    this.#salt = salt;
    if (frames === this.#last.frames && !isRestarted) return;
    try {
      if (isRestarted) this.#beginAnew({ at, frames });
      else appendFileSync(join(this.#folder, COMMITS), commitLine({ at, frames }));
    } catch {
      this.#forget();
    }
    this.#last = { at, frames };
  }

  get isLong(): boolean {
    return this.#last.frames - this.#rest >= FRAMES;
  }

  /** Whether the log has reached `MOST_FRAMES`. */
  get isOverlong(): boolean {
    return this.#last.frames >= MOST_FRAMES;
  }

  get isEmpty(): boolean {
    return this.#last.frames === 0;
  }

  /**
   * Copies the database's file, log and list of commits to a new part of the history, then checkpoints the log. If they
   * are too large for the history, deletes the past states instead. No connection of this process may be in a
   * transaction. Does nothing while another process is writing.
   */
  putAside(connection: SqliteConnection): void {
    if (!lockForWriting(connection)) return;
    this.#last = lastCommitIn(this.#folder);
    const past = join(this.#folder, PAST);
    try {
      if (fitsHistory(this.#folder)) this.#copyTo(past);
      else removeHistoryFolder(past);
      beginCommitList(this.#folder, this.#last);
    } catch {
      this.#forget();
    }
    connection.own("rollback");
    try {
      connection.own("pragma wal_checkpoint(truncate)");
    } catch {
      // On a full disk, the log stays as it is, and is written back later.
    }
    this.mark(this.#last.at);
    this.#rest = this.#last.frames;
  }

  #copyTo(past: string): void {
    const part = join(past, UNFINISHED);
    rmSync(part, { recursive: true, force: true });
    mkdirSync(part, { recursive: true });
    this.#copyFile(join(part, FILE));
    for (const name of [LOG, COMMITS])
      copyFileSync(join(this.#folder, name), join(part, name), constants.COPYFILE_FICLONE);
    renameSync(part, join(past, String(Math.max(0, ...partsIn(past).map(Number)) + 1)));
    pruneParts(past);
  }

  /**
   * Starts a new list of commits after the log was restarted. If the restart erased past states that had not been
   * copied yet, all earlier past states are deleted too. Otherwise, the history would have a gap, and `copy` could
   * copy a state that is older than requested.
   */
  #beginAnew(commit: Commit): void {
    const past = join(this.#folder, PAST);
    const newest = partsIn(past).at(-1);
    const kept = newest === undefined ? undefined : commitLine(lastCommitIn(join(past, newest)));
    if (kept !== commitLine(this.#last) && commitsIn(this.#folder).length > 1) removeHistoryFolder(past);
    beginCommitList(this.#folder, commit);
    this.#rest = 0;
  }

  /**
   * Deletes all past states if writing them failed, for example because the disk is full. The rows are not affected.
   */
  #forget(): void {
    try {
      removeHistoryFolder(join(this.#folder, PAST));
      writeFileSync(join(this.#folder, COMMITS), "");
    } catch (thrown) {
      console.error(thrown);
    }
  }

  close(): void {
    for (const each of [this.#index, this.#file]) if (each !== undefined) closeSync(each);
  }

  /**
   * Copies the open SQLite file. Reads it through a descriptor that stays open: closing any descriptor of the file would
   * release the locks that SQLite holds for this process, and another process could then remove the log.
   */
  #copyFile(to: string): void {
    for (const _ of this.#copyFileInSteps(to));
  }

  *#copyFileInSteps(to: string): Iterable<undefined> {
    this.#file ??= openSync(join(this.#folder, FILE), "r");
    const copy = openSync(to, "w", PRIVATE);
    try {
      const bytes = Buffer.allocUnsafe(CHUNK);
      for (let at = 0; ; yield) {
        const read = readSync(this.#file, bytes, 0, CHUNK, at);
        if (read === 0) return;
        writeAt(copy, bytes.subarray(0, read), at);
        at += read;
      }
    } finally {
      closeSync(copy);
    }
  }

  /**
   * Copies the latest state of the database that was committed at or before `at` to the folder `to`.
   *
   * @throws SqlFailure if the state is no longer kept.
   */
  copyPast({ at, to, durable }: { at: string; to: string; durable: boolean }): void {
    const { part, frames } = pastStateAt(this.#folder, at);
    const copy = beginCopy(to);
    if (part === this.#folder) this.#copyFile(join(copy, FILE));
    else copyFileSync(join(part, FILE), join(copy, FILE), constants.COPYFILE_FICLONE);
    applyLog(join(copy, FILE), { log: join(part, LOG), frames, durable });
    endCopy(copy, to);
  }

  /**
   * Copies the current state of the database to the folder `to`, in steps between which others may write.
   *
   * @param reader Reads in a transaction meanwhile, so that SQLite leaves alone what is being copied: it neither restarts
   *   the log nor writes later frames back to the file. The transaction stays open.
   */
  *copyInSteps({ to, durable }: { to: string; durable: boolean }, reader: SqliteConnection): Iterable<undefined> {
    reader.own("begin");
    reader.own(code`select 1 from sqlite_schema`);
    const { frames, writtenBack } = this.#log();
    const copy = beginCopy(to);
    yield* this.#copyFileInSteps(join(copy, FILE));
    // A transaction that needs no frame of the log does not keep SQLite from restarting it.
    const needed = writtenBack < frames ? frames : 0;
    applyLog(join(copy, FILE), { log: join(this.#folder, LOG), frames: needed, durable });
    endCopy(copy, to);
  }

  /** Copies the current state of the database to a new SQLite file, without its history. */
  save(to: string): void {
    const { frames } = this.#log();
    this.#copyFile(to);
    applyLog(to, { log: join(this.#folder, LOG), frames, durable: false });
  }

  #log(): LogState {
    this.#index ??= openSync(logIndexFile(join(this.#folder, FILE)), "r");
    return logStateIn(this.#index);
  }
}

/** Creates an empty folder for an incomplete copy, and returns its path. */
function beginCopy(to: string): string {
  const copy = `${to}.part`;
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  return copy;
}

function endCopy(copy: string, to: string): void {
  beginCommitList(copy, { at: EVER, frames: 0 });
  rmSync(to, { recursive: true, force: true });
  renameSync(copy, to);
}

/** Writes all bytes. If the disk is almost full, one write may write only some of them without an error. */
function writeAt(file: number, bytes: Uint8Array, position: number): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, position + at);
}

/** Writes the first frames of a write-ahead log into a copy of its SQLite file, as a checkpoint does. */
function applyLog(
  file: string,
  { log, frames, durable }: { readonly log: string; readonly frames: number; readonly durable: boolean },
): void {
  if (frames === 0 && !durable) return;
  const to = openSync(file, "r+");
  try {
    if (frames > 0) writeFrames(to, log, frames);
    if (durable) fsyncSync(to);
  } finally {
    closeSync(to);
  }
}

/** @param frames How many frames to write. They must be committed, because their checksums are not compared. */
function writeFrames(to: number, log: string, frames: number): void {
  const from = openSync(log, "r");
  try {
    const header = Buffer.alloc(LOG_HEADER);
    readSync(from, header, 0, LOG_HEADER, 0);
    const size = header.readUInt32BE(PAGE_SIZE_AT);
    const frame = Buffer.alloc(FRAME_HEADER + size);
    let pages = 0;
    for (let index = 0; index < frames; index += 1) {
      const read = readSync(from, frame, 0, frame.length, LOG_HEADER + index * frame.length);
      if (read < frame.length) throw new Error(`${log} has fewer than ${frames} frames`);
      writeAt(to, frame.subarray(FRAME_HEADER), (frame.readUInt32BE(0) - 1) * size);
      // Only the last frame of a commit states the size of the database.
      pages = frame.readUInt32BE(DATABASE_PAGES_AT) || pages;
    }
    ftruncateSync(to, pages * size);
  } finally {
    closeSync(from);
  }
}

/** Copies a database that nobody has open to a new SQLite file, without its history. */
export function saveClosedWithoutHistory(folder: string, to: string): void {
  const log = join(folder, LOG);
  copyFileSync(join(folder, FILE), to, constants.COPYFILE_FICLONE);
  chmodSync(to, PRIVATE);
  // A process that was killed leaves the log.
  if (!existsSync(log)) return;
  copyFileSync(log, `${to}-wal`, constants.COPYFILE_FICLONE);
  const copy = new DatabaseSync(to);
  try {
    // Without waiting for the disk.
    copy.exec("pragma synchronous = off; pragma wal_checkpoint(truncate)");
  } finally {
    copy.close();
  }
}

function pastStateAt(folder: string, at: string): { part: string; frames: number } {
  const parts = [...partsIn(join(folder, PAST)).map((name) => join(folder, PAST, name)), folder];
  const part = parts.findLast((each) => commitsIn(each).some((commit) => commit.at <= at));
  const commit = part === undefined ? undefined : commitsIn(part).findLast((each) => each.at <= at);
  if (part === undefined || commit === undefined) {
    const [first] = parts.flatMap(commitsIn);
    throw new SqlFailure(first?.at ?? at, NOT_KEPT);
  }
  return { part, frames: commit.frames };
}

/**
 * Returns whether a transaction prevents the checkpoint of an overlong write-ahead log.
 *
 * @param since The number of frames in the log when the transaction began.
 */
export const isHistoryHeldUp = (frames: number, since: number): boolean =>
  frames >= MOST_FRAMES && frames - since >= FRAMES;

/** Deletes the past states of a closed database. */
export function forgetHistory(folder: string): void {
  removeHistoryFolder(join(folder, PAST));
  beginCommitList(folder, { at: EVER, frames: 0 });
}

/**
 * Begins a write transaction, which keeps other processes from writing. Returns `false` if another process is writing.
 */
function lockForWriting(connection: SqliteConnection): boolean {
  try {
    connection.own("begin immediate");
    return true;
  } catch {
    return false;
  }
}
