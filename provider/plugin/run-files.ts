import { closeSync, existsSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// The engine starts a process for each provider. These processes share only the engine's address, so they tell each
// other by empty files, which exist while the process that has left them runs.

const left = new Set<string>();
process.once("exit", () => {
  for (const file of left) rmSync(file, { force: true });
});

function fileOf(engineAddress: string, note: string): string {
  const port = engineAddress.slice(engineAddress.lastIndexOf(":") + 1);
  return join(tmpdir(), `pulumi-dbplatform-${process.ppid}-${port}${note}`);
}

/** Returns whether this call has left the file. If no file can be written, each process counts as the first one. */
function leave(file: string): boolean {
  try {
    closeSync(openSync(file, "wx"));
  } catch (failure) {
    return (failure as NodeJS.ErrnoException).code !== "EEXIST";
  }
  left.add(file);
  return true;
}

/** Returns whether no process that serves this engine has asked before. */
export const isFirstOfRun = (engineAddress: string): boolean => leave(fileOf(engineAddress, ""));

/** A set of short texts that all processes share that serve the same engine. */
export class NotesOfRun {
  readonly #own = new Set<string>();

  constructor(
    private readonly engineAddress: string,
    private readonly subject: string,
  ) {}

  add(text: string): void {
    this.#own.add(text);
    leave(this.#fileOf(text));
  }

  has(text: string): boolean {
    return this.#own.has(text) || existsSync(this.#fileOf(text));
  }

  #fileOf(text: string): string {
    return fileOf(this.engineAddress, `-${this.subject}-${encodeURIComponent(text)}`);
  }
}
