import { closeSync, openSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FILE = /^pulumi-dbplatform-(\d+)-\d+$/;

/**
 * Returns whether no process that serves this engine has asked before. The engine starts a process for each provider,
 * and they share only its address, so the first one leaves an empty file. The engine may kill that process, so a later
 * run removes the file. If no file can be written, each process counts as the first one.
 */
export function isFirstOfRun(engineAddress: string): boolean {
  const port = engineAddress.slice(engineAddress.lastIndexOf(":") + 1);
  const folder = tmpdir();
  try {
    closeSync(openSync(join(folder, `pulumi-dbplatform-${process.ppid}-${port}`), "wx"));
  } catch (failure) {
    return (failure as NodeJS.ErrnoException).code !== "EEXIST";
  }
  removeLeftovers(folder);
  return true;
}

/** Removes the files of engines that no longer run. A file that cannot be removed belongs to another user. */
function removeLeftovers(folder: string): void {
  for (const name of unlessFailed(() => readdirSync(folder)) ?? []) {
    const [, pid] = FILE.exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) unlessFailed(() => rmSync(join(folder, name), { force: true }));
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (failure) {
    return (failure as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

function unlessFailed<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
