import { closeSync, existsSync, openSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// The engine starts a process for each provider. These processes share only the engine's address, so they tell each
// other by empty files, which exist while the process that has left them runs. The engine may kill that process, so a
// later run removes the files of engines that no longer run.

/** Matches a file's name after the provider's name: the engine's process id and port, and perhaps a note. */
const FILE = /^(\d+)-\d+(-.+)?$/;

/** The files that this process has left: one for each note of a `NotesOfRun`, and one for the provider. */
const left = new Set<string>();
process.once("exit", () => {
  for (const file of left) rmSync(file, { force: true });
});

function runFile(provider: string, engineAddress: string, note: string): string {
  return fileOfEngine(provider, engineAddress.slice(engineAddress.lastIndexOf(":") + 1), note);
}

const fileOfEngine = (provider: string, port: string, note: string): string =>
  join(tmpdir(), `pulumi-${provider}-${process.ppid}-${port}${note}`);

/** Returns whether this call has left the file. If no file can be written, each process counts as the first one. */
function leaveRunFile(file: string): boolean {
  try {
    closeSync(openSync(file, "wx"));
  } catch (failure) {
    return (failure as NodeJS.ErrnoException).code !== "EEXIST";
  }
  left.add(file);
  return true;
}

/** Returns whether no process of this provider that serves this engine has asked before. */
export function isFirstByRunFile(provider: string, engineAddress: string): boolean {
  const isFirst = leaveRunFile(runFile(provider, engineAddress, ""));
  if (isFirst) removeStaleRunFiles(provider, tmpdir());
  return isFirst;
}

/** Removes the files of engines that no longer run. A file that cannot be removed belongs to another user. */
function removeStaleRunFiles(provider: string, folder: string): void {
  const ofProvider = `pulumi-${provider}-`;
  for (const name of tryOnRunFiles(() => readdirSync(folder)) ?? []) {
    const [, pid] = (name.startsWith(ofProvider) && FILE.exec(name.slice(ofProvider.length))) || [];
    if (pid !== undefined && !isEngineProcessRunning(Number(pid)))
      tryOnRunFiles(() => rmSync(join(folder, name), { force: true }));
  }
}

function isEngineProcessRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (failure) {
    return (failure as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

function tryOnRunFiles<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** A set of short texts that all processes of a provider share that serve the same engine. */
export class NotesOfRun {
  /** At most two entries for each object that a resource takes over. */
  readonly #own = new Set<string>();

  /** Diff asks for each resource, so this is put together once. */
  readonly #files: string;

  constructor(provider: string, engineAddress: string, subject: string) {
    this.#files = runFile(provider, engineAddress, `-${subject}-`);
  }

  add(text: string): void {
    this.#own.add(text);
    leaveRunFile(this.#fileOf(text));
  }

  has(text: string): boolean {
    return this.#own.has(text) || existsSync(this.#fileOf(text));
  }

  #fileOf(text: string): string {
    return this.#files + encodeURIComponent(text);
  }
}

/** No port: the preview and the update of one command have the same process, but different ports. */
const ANY_PORT = "0";

/** Longer than users wait before they confirm an update. A later process can have the id of an earlier one. */
const OLDEST_PREVIEW_MS = 60 * 60 * 1000;

/**
 * Short texts that the preview of a command leaves for the update of the same command. They are lost if the command has
 * no preview, or if the engine does not start the plugin itself.
 */
export class NotesOfPreview {
  readonly #provider: string;
  #isFirst = true;

  constructor(provider: string) {
    this.#provider = provider;
  }

  add(text: string): void {
    tryOnRunFiles(() => closeSync(openSync(this.#fileOf(text), "w")));
    if (this.#isFirst) removeStaleRunFiles(this.#provider, tmpdir());
    this.#isFirst = false;
  }

  has(text: string): boolean {
    const file = this.#fileOf(text);
    const written = tryOnRunFiles(() => statSync(file).mtimeMs);
    if (written === undefined) return false;
    left.add(file);
    return Date.now() - written < OLDEST_PREVIEW_MS;
  }

  #fileOf(text: string): string {
    return fileOfEngine(this.#provider, ANY_PORT, `-preview-${encodeURIComponent(text)}`);
  }
}
