import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { isolated, makeFolders } from "./isolation";
import { environmentFor, startReference, type Told, toldBy } from "./reference";

/** A platform, and a project with a home and a state of its own: nothing of it is left behind, however it ends. */
export class TemporaryProject {
  readonly #folder = mkdtempSync(join(tmpdir(), "dbplatform-stage-"));
  readonly #children = new Set<ChildProcess>();

  /** @param bin The folder with the Pulumi CLI. */
  constructor(private readonly bin: string) {
    makeFolders(this.#folder);
  }

  get project(): string {
    return join(this.#folder, "project");
  }

  /** @param seed Path of a file that says what there is at first. */
  platform(seed?: string): Promise<Told> {
    return toldBy(this.#kept(startReference(...(seed === undefined ? [] : ["--seed", seed]))));
  }

  /** Runs a program in the project, with everything that Pulumi and the provider need; gives its exit code. */
  run(platform: Told, [program = "", ...args]: readonly string[], input: "ignore" | "inherit"): Promise<number> {
    const env = {
      ...process.env,
      PATH: [this.bin, process.env.PATH].join(delimiter),
      ...isolated(this.#folder),
      ...environmentFor(platform),
    };
    const child = this.#kept(spawn(program, args, { cwd: this.project, env, stdio: [input, "inherit", "inherit"] }));
    return new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code) => resolve(code ?? 1));
    });
  }

  async clear(): Promise<void> {
    const ends = [...this.#children].map((child) => new Promise((resolve) => child.once("exit", resolve)));
    for (const child of this.#children) child.kill("SIGTERM");
    await Promise.all(ends);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #kept<Child extends ChildProcess>(child: Child): Child {
    this.#children.add(child);
    child.once("exit", () => this.#children.delete(child));
    child.once("error", () => this.#children.delete(child));
    return child;
  }
}
