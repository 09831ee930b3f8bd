import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import {
  type Stack as AutomationStack,
  type Deployment,
  LocalWorkspace,
  PulumiCommand,
  type PulumiFn,
} from "@pulumi/pulumi/automation";
import { isolated, makeFolders } from "../../tools/isolation";
import { linkModules } from "../../tools/project";
import { root } from "../../tools/run";
import { AT_ONCE } from "../goals";
import { USAGE_FILE, type Usage } from "../plugin/usage";

export interface StackOptions {
  readonly folder: string;
  readonly bin: string;
  /** Either an inline program, or a file in a project folder that the language host runs. */
  readonly program: PulumiFn | { readonly folder: string; readonly main: string };
  readonly plugin: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly config?: Readonly<Record<string, string>>;
  /**
   * Whether the engine writes a checkpoint after each change, as it does by default. Otherwise, the engine writes the
   * state once at the end.
   */
  readonly checkpoints: boolean;
}

export interface Run {
  /** How long the CLI process ran, in seconds. */
  readonly seconds: number;
  readonly plugin: Usage;
}

/**
 * A stack that the real engine runs, with all its files in one temporary folder. Methods throw if their command fails.
 */
export class MeasuredStack {
  readonly #folder: string;
  #stack: AutomationStack | undefined;
  #seconds = 0;

  private constructor(private readonly options: StackOptions) {
    this.#folder = mkdtempSync(join(options.folder, "stack-"));
  }

  static async create(options: StackOptions): Promise<MeasuredStack> {
    const stack = new MeasuredStack(options);
    await stack.#open();
    return stack;
  }

  async #open(): Promise<void> {
    makeFolders(this.#folder);
    const { program, plugin, config = {} } = this.options;
    const workDir = join(this.#folder, "project");
    linkModules(workDir);
    const plugins = { providers: [{ name: "dbplatform", path: plugin }] };
    const options = {
      pulumiCommand: this.#timed(await PulumiCommand.get({ root: dirname(this.options.bin) })),
      envVars: this.#environment,
    };
    const settings = { name: "bench", runtime: "nodejs", plugins };
    if (typeof program === "function") {
      const args = { stackName: "dev", projectName: "bench", program };
      const projectSettings = settings as never;
      this.#stack = await LocalWorkspace.createStack(args, { ...options, workDir, projectSettings });
    } else {
      cpSync(program.folder, workDir, { recursive: true });
      const projectSettings = { ...settings, main: program.main } as never;
      this.#stack = await LocalWorkspace.createStack({ stackName: "dev", workDir }, { ...options, projectSettings });
    }
    // The Automation API calls these methods after each run. The original methods would start three CLI processes.
    this.#stack.info = async () => undefined;
    this.#stack.outputs = async () => ({});
    for (const [key, value] of Object.entries(config)) await this.#stack.setConfig(key, { value });
  }

  get #environment(): Record<string, string> {
    return {
      ...this.options.environment,
      ...(this.options.checkpoints ? {} : { PULUMI_EXPERIMENTAL: "1", PULUMI_SKIP_CHECKPOINTS: "true" }),
      // Sets the parallelism that the engine uses by default on machines with at least four cores.
      PULUMI_PARALLEL: String(AT_ONCE),
      [USAGE_FILE]: this.#usageFile,
      // Uses the same home folder for all stacks, so that a plugin finds the files from its previous run, as it would
      // on a user's machine.
      HOME: this.options.folder,
      ...isolated(this.#folder),
      // Includes the root folder of the package `@pulumi/pulumi`, which contains the dynamic provider's executable.
      PATH: [
        this.options.bin,
        join(root, "node_modules/.bin"),
        join(root, "node_modules/@pulumi/pulumi"),
        process.env.PATH,
      ].join(delimiter),
    };
  }

  get #usageFile(): string {
    return join(this.#folder, "usage");
  }

  up = (): Promise<Run> => this.#measure((stack, options) => stack.up(options));
  preview = (): Promise<Run> => this.#measure((stack, options) => stack.preview({ ...options, expectNoChanges: true }));
  refresh = (): Promise<Run> => this.#measure((stack, options) => stack.refresh({ ...options, expectNoChanges: true }));
  destroy = (): Promise<Run> => this.#measure((stack, options) => stack.destroy(options));

  state = (): Promise<Deployment> => this.#automation.exportStack();

  set program(program: PulumiFn) {
    this.#automation.workspace.program = program;
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #automation(): AutomationStack {
    if (!this.#stack) throw new Error("the stack is not open");
    return this.#stack;
  }

  async #measure(work: (stack: AutomationStack, options: { color: "never" }) => Promise<unknown>): Promise<Run> {
    rmSync(this.#usageFile, { force: true });
    await work(this.#automation, { color: "never" });
    return { seconds: this.#seconds, plugin: this.#usage() };
  }

  #usage(): Usage {
    if (!existsSync(this.#usageFile)) return { seconds: 0, peakMegabytes: 0 };
    const lines = readFileSync(this.#usageFile, "utf8").trim().split("\n");
    const usages: Usage[] = lines.map((line) => JSON.parse(line));
    return {
      seconds: usages.reduce((sum, { seconds }) => sum + seconds, 0),
      peakMegabytes: Math.max(...usages.map(({ peakMegabytes }) => peakMegabytes)),
    };
  }

  /** Makes the command record how long its most recent process ran. */
  #timed(command: PulumiCommand): PulumiCommand {
    // Every CLI call goes through the method `run`, which the type `PulumiCommand` does not declare.
    const running = command as PulumiCommand & { run: (...given: unknown[]) => Promise<unknown> };
    const run = running.run.bind(command);
    running.run = async (...given) => {
      const begun = performance.now();
      try {
        return await run(...given);
      } finally {
        this.#seconds = (performance.now() - begun) / 1000;
      }
    };
    return running;
  }
}
