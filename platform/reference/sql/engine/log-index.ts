import { closeSync, openSync, readSync, statSync } from "node:fs";

/** The byte offsets in the index of SQLite's write-ahead log. */
const FRAMES_AT = 16;
const SALTS_AT = 32;
const WRITTEN_BACK_AT = 96;

export interface LogState {
  /** The number of committed frames in the log. */
  readonly frames: number;
  /** The number of frames, from the first one, that the SQLite file has as well. */
  readonly writtenBack: number;
  /** Changes whenever SQLite restarts the log. */
  readonly salt: bigint;
}

/** The path of the index of a SQLite file's log. SQLite keeps the index in memory that its processes share. */
export const logIndexFile = (file: string): string => `${file}-shm`;

/** Reads the state of the log from its open index. */
export function logStateIn(index: number): LogState {
  const bytes = Buffer.alloc(WRITTEN_BACK_AT + 4);
  readSync(index, bytes, 0, bytes.length, 0);
  const count = (at: number) => new Uint32Array(bytes.buffer, bytes.byteOffset + at, 1)[0] ?? 0;
  return { frames: count(FRAMES_AT), writtenBack: count(WRITTEN_BACK_AT), salt: bytes.readBigUInt64LE(SALTS_AT) };
}

/** One entry for each database that a transaction in this process has attached, until the process ends. */
const open = new Map<string, { readonly index: number; readonly inode: bigint }>();

/**
 * Returns the number of committed frames in the log of a SQLite file, which another process may be using. Keeps the
 * index open: closing it would release the locks that SQLite holds on the index for this process.
 */
export function framesInLog(file: string): number {
  const path = logIndexFile(file);
  const inode = statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
  if (inode === undefined) return 0;
  const known = open.get(file);
  if (known?.inode === inode) return logStateIn(known.index).frames;
  if (known) closeSync(known.index);
  const index = openSync(path, "r");
  open.set(file, { index, inode });
  return logStateIn(index).frames;
}
