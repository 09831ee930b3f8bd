import { execFile, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@grpc/grpc-js";
import {
  type Stack as AutomationStack,
  CommandError,
  type Deployment,
  LocalWorkspace,
  type PulumiFn,
} from "@pulumi/pulumi/automation";
import { getEngine, getMonitor } from "@pulumi/pulumi/runtime/settings";
import { isolated, makeFolders, pathWith } from "../../tools/isolation";
import { installExample, linkModules } from "../../tools/project";
import { root } from "../../tools/run";
import { Pulumi } from "./cli";
import { RunningCommand } from "./running";
import { leaksIn } from "./secrets";

export interface Run {
  readonly code: number;
  readonly output: string;
}

export interface StackOptions {
  readonly environment: Readonly<Record<string, string>>;
  /**
   * The program: a function, the name of an example, or a folder. Examples and folders run unchanged, with their
   * language host.
   */
  readonly program: PulumiFn | string | { readonly folder: string };
  /** Configuration values by key. A key with a dot is a path into an object. */
  readonly config?: Readonly<Record<string, string>>;
  readonly project?: string;
  /** Settings in Pulumi.yaml other than name, runtime and plugin. */
  readonly settings?: Record<string, unknown>;
}

export interface ShellOptions {
  /** Command-line options of bash; `-e` by default. */
  readonly options?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** A stack on the real engine with its own home folder, project folder and file backend. */
export class Stack {
  readonly #folder = mkdtempSync(join(tmpdir(), "dbplatform-stack-"));
  readonly #changed: Record<string, string> = {};
  readonly #begun: RunningCommand[] = [];
  readonly #connections: Client[] = [];
  #shown = "";
  #stack: AutomationStack | undefined;

  private constructor(readonly options: StackOptions) {}

  static async create(options: StackOptions): Promise<Stack> {
    const stack = new Stack(options);
    await stack.#open();
    return stack;
  }

  get folder(): string {
    return this.#folder;
  }

  get environment(): Record<string, string> {
    return {
      ...this.options.environment,
      HOME: this.#folder,
      ...isolated(this.#folder),
      PATH: pathWith(Pulumi.bin),
      ...this.#changed,
    };
  }

  get project(): string {
    const { program } = this.options;
    return typeof program === "object" ? program.folder : join(this.#folder, "project");
  }

  async #open(): Promise<void> {
    makeFolders(this.#folder);
    const { program, project = "test", config = {}, settings = {} } = this.options;
    const workDir = this.project;
    const workspace = { workDir, pulumiCommand: await Pulumi.command(), envVars: this.environment };
    if (typeof program !== "function") {
      if (typeof program === "string") installExample(program, workDir);
      this.#stack = await LocalWorkspace.createStack({ stackName: "dev", workDir }, workspace);
    } else {
      linkModules(workDir);
      const plugins = { providers: [{ name: "dbplatform", path: root }] };
      const projectSettings = { name: project, runtime: "nodejs", plugins, ...settings } as never;
      this.#stack = await LocalWorkspace.createStack(
        { stackName: "dev", projectName: project, program: this.#connected(program) },
        { ...workspace, projectSettings },
      );
    }
    // Replaces methods that the Automation API calls after each run, because they start three more CLI processes and no
    // test reads their results.
    this.#stack.info = async () => undefined;
    this.#stack.outputs = async () => ({});
    for (const [key, value] of Object.entries(config)) await this.#stack.setConfig(key, { value }, key.includes("."));
  }

  setEnvironment(variables: Readonly<Record<string, string>>): void {
    Object.assign(this.#changed, variables);
    Object.assign(this.#automation.workspace.envVars, variables);
  }

  set program(program: PulumiFn) {
    this.#automation.workspace.program = this.#connected(program);
  }

  /**
   * Tracks the connections of an inline program, so that they can be closed. Pulumi leaves the connections open and
   * caches them by address, so a program could use a dead connection when an engine gets the port of an earlier engine.
   * A process for each program would take half as long again.
   */
  #connected(program: PulumiFn): PulumiFn {
    return () => {
      for (const client of [getMonitor(), getEngine()]) if (client instanceof Client) this.#connections.push(client);
      return program();
    };
  }

  get #automation(): AutomationStack {
    if (!this.#stack) throw new Error("the stack is not open");
    return this.#stack;
  }

  up = (options: Parameters<AutomationStack["up"]>[0] = {}) =>
    this.#run((onOutput) => this.#automation.up({ ...options, onOutput, onError: onOutput, color: "never" }));

  /**
   * Runs an update that prepares the stack for the test.
   *
   * @throws Error with the whole output if the update fails.
   */
  async deploy(): Promise<void> {
    const { code, output } = await this.up();
    if (code !== 0) throw new Error(output);
  }

  preview = (options: Parameters<AutomationStack["preview"]>[0] = {}) =>
    this.#run((onOutput) => this.#automation.preview({ ...options, onOutput, onError: onOutput, color: "never" }));

  refresh = (options: Parameters<AutomationStack["refresh"]>[0] = {}) =>
    this.#run((onOutput) => this.#automation.refresh({ ...options, onOutput, onError: onOutput, color: "never" }));

  destroy = (options: Parameters<AutomationStack["destroy"]>[0] = {}) =>
    this.#run((onOutput) => this.#automation.destroy({ ...options, onOutput, onError: onOutput, color: "never" }));

  async outputs(): Promise<Record<string, unknown>> {
    const { name, workspace } = this.#automation;
    const outputs = await workspace.stackOutputs(name);
    return Object.fromEntries(Object.entries(outputs).map(([name, { value }]) => [name, value]));
  }

  exportState = (): Promise<Deployment> => this.#automation.exportStack();

  setConfig = (key: string, value: string, secret = false): Promise<void> =>
    this.#automation.setConfig(key, { value, secret });

  cli(...args: string[]): Promise<Run> {
    const all = [...args, "--non-interactive", "--color", "never"];
    return this.#execute(join(Pulumi.bin, "pulumi"), all, this.environment);
  }

  begin(args: readonly string[], environment: Readonly<Record<string, string>> = {}): RunningCommand {
    const all = [...args, "--non-interactive", "--color", "never"];
    const env = { ...this.environment, ...environment };
    const stdio = ["ignore", "pipe", "pipe"] as const;
    const running = new RunningCommand(
      spawn(join(Pulumi.bin, "pulumi"), all, { cwd: this.project, env, stdio: [...stdio] }),
    );
    this.#begun.push(running);
    return running;
  }

  shell(script: string, more: ShellOptions = {}): Promise<Run> {
    const { options = ["-e"], environment = {} } = more;
    const env = { ...this.environment, ...environment };
    return this.#execute("bash", ["--noprofile", "--norc", ...options, "-c", script], env);
  }

  /**
   * Returns the files of this stack that contain the string unencrypted. Searches the state, history, backups and
   * configuration.
   */
  filesWith = (text: string): string[] => this.#filesLike("-F", text);

  /**
   * Removes the stack.
   *
   * @throws Error if the output or a file contains a secret in plain text.
   */
  remove(): void {
    for (const running of this.#begun) running.signal("SIGKILL");
    const shown = [this.#shown, ...this.#begun.map(({ output }) => output)];
    const leaks = [...shown.flatMap(leaksIn), ...this.#leakingFiles()];
    rmSync(this.#folder, { recursive: true, force: true });
    if (leaks.length > 0) throw new Error(`secrets in plain:\n${leaks.join("\n")}`);
  }

  #leakingFiles(): string[] {
    return this.#filesLike("-E", "eyJ|s3cret").filter((file) => {
      return leaksIn(readFileSync(join(this.#folder, file), "utf8")).length > 0;
    });
  }

  #filesLike(kind: "-E" | "-F", pattern: string): string[] {
    const script = 'grep -rl "$KIND" -e "$PATTERN" . || true';
    const env = { ...process.env, KIND: kind, PATTERN: pattern };
    return execFileSync("sh", ["-c", script], { cwd: this.#folder, env }).toString().split("\n").filter(Boolean);
  }

  #execute(program: string, args: readonly string[], env: Record<string, string>): Promise<Run> {
    return new Promise((resolve) => {
      execFile(program, args, { cwd: this.project, env }, (failure, stdout, stderr) => {
        if (!args.some((argument) => argument.includes("--show-secrets"))) this.#shown += stdout + stderr;
        resolve({ code: Number(failure?.code ?? 0), output: stdout + stderr });
      });
    });
  }

  async #run(work: (onOutput: (text: string) => void) => Promise<unknown>): Promise<Run> {
    let output = "";
    try {
      await work((text) => {
        output += text;
      });
      return { code: 0, output };
    } catch (failure) {
      if (!(failure instanceof CommandError)) throw failure;
      const code = Number(/exit code (\d+)/.exec(failure.message)?.[1] ?? -1);
      return { code, output: output || failure.message };
    } finally {
      this.#shown += output;
      for (const connection of this.#connections.splice(0)) connection.close();
    }
  }
}
