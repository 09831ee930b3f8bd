import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { root } from "./run";

export interface Platform {
  readonly url: string;
  readonly organization: string;
  readonly organizationId: string;
  readonly apiToken: string;
}

/** A platform, and a project with a home and a state of its own: nothing of it is left behind, however it ends. */
export class Stage {
  readonly #folder = mkdtempSync(join(tmpdir(), "dbplatform-stage-"));
  readonly #children = new Set<ChildProcess>();

  /** @param bin The folder with the Pulumi CLI. */
  constructor(private readonly bin: string) {
    for (const name of ["home", "state", "project"]) mkdirSync(join(this.#folder, name));
  }

  get project(): string {
    return join(this.#folder, "project");
  }

  /** @param seed Path of a file that says what there is at first. */
  async platform(seed?: string): Promise<Platform> {
    const own = seed === undefined ? [] : ["--seed", seed];
    const args = [join(root, "dist/dbplatform-api.js"), "serve", "--port", "0", "--json", ...own];
    const server = this.#start(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    if (!server.stdout) throw new Error("the reference API has no output");
    for await (const line of createInterface(server.stdout)) return JSON.parse(line);
    throw new Error("the reference API ended before it was ready");
  }

  /** Runs a program in the project, with everything that Pulumi and the provider need; gives its exit code. */
  run(platform: Platform, [program = "", ...args]: readonly string[], input: "ignore" | "inherit"): Promise<number> {
    const env = {
      ...process.env,
      PATH: [this.bin, process.env.PATH].join(delimiter),
      PULUMI_HOME: join(this.#folder, "home"),
      PULUMI_BACKEND_URL: `file://${join(this.#folder, "state")}`,
      PULUMI_CONFIG_PASSPHRASE: "stage",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
      DBPLATFORM_BASE_URL: platform.url,
      DBPLATFORM_ORGANIZATION: platform.organization,
      DBPLATFORM_API_TOKEN: platform.apiToken,
    };
    const child = this.#start(program, args, { cwd: this.project, env, stdio: [input, "inherit", "inherit"] });
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

  #start(program: string, args: readonly string[], options: SpawnOptions): ChildProcess {
    const child = spawn(program, args, options);
    this.#children.add(child);
    child.once("exit", () => this.#children.delete(child));
    child.once("error", () => this.#children.delete(child));
    return child;
  }
}
