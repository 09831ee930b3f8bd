import { execFileSync } from "node:child_process";

/** Returns the resident memory of a process in megabytes. */
export function residentMegabytes(pid: number | undefined): number {
  // `ps` reports kilobytes on both Linux and macOS.
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)]).toString()) / 1024;
}
