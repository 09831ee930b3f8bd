import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The file that lists the commits in a write-ahead log. Each line has the time of a commit and the number of frames in
 * the log after the commit.
 */
export const COMMITS = "commits";

/** Used when the creation time of a database is unknown. This instant is earlier than any real one. */
export const EVER = "0001-01-01T00:00:00.000Z";

export interface Commit {
  readonly at: string;
  readonly frames: number;
}

/** Starts the list of commits for a new part of the history. */
export function beginCommitList(folder: string, commit: Commit): void {
  writeFileSync(join(folder, COMMITS), commitLine(commit));
}

export const commitLine = ({ at, frames }: Commit): string => `${at} ${frames}\n`;

export function commitsIn(folder: string): Commit[] {
  return readFileSync(join(folder, COMMITS), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [at = EVER, frames = "0"] = line.split(" ");
      return { at, frames: Number(frames) };
    });
}

export const lastCommitIn = (folder: string): Commit => commitsIn(folder).at(-1) ?? { at: EVER, frames: 0 };
