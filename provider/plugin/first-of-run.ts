import { closeSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Returns whether no process that serves this engine has asked before. The engine starts a process for each provider,
 * and they share only its address, so the first one leaves an empty file while it runs. If no file can be written, each
 * process counts as the first one.
 */
export function isFirstOfRun(engineAddress: string): boolean {
  const port = engineAddress.slice(engineAddress.lastIndexOf(":") + 1);
  const file = join(tmpdir(), `pulumi-dbplatform-${process.ppid}-${port}`);
  try {
    closeSync(openSync(file, "wx"));
  } catch (failure) {
    return (failure as NodeJS.ErrnoException).code !== "EEXIST";
  }
  process.once("exit", () => rmSync(file, { force: true }));
  return true;
}
