import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { stringify } from "yaml";
import type { Operation } from "../../platform/contract/api";
import { root } from "../../tools/run";
import { adopt } from "../adopt/organization";
import { ReferenceProcess } from "./reference-process";
import { allGone, type RunningCommand } from "./running";
import { Stack } from "./stack";

export type Victim = "provider" | "engine" | "platform";

/**
 * When the crash happens: before the platform processes the requests, after it processes them but before it responds,
 * or after the engine receives the responses but before it saves the state.
 */
export type CrashMoment =
  | "before an operation starts"
  | "before a response is sent"
  | "before the engine saves the result";

export interface Declaration {
  readonly type: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly options?: Readonly<Record<string, unknown>>;
}

export type Program = Readonly<Record<string, Declaration>>;

/** Returns a reference to a resource or one of its outputs (`kept.dbId`) in a YAML program. */
export const outputOf = (path: string): string => `\${${path}}`;

export interface RecordedResource {
  /** Logical name. */
  readonly name: string;
  readonly id: string;
  readonly outputs?: Readonly<Record<string, unknown>>;
}

type Calls = Partial<Record<Operation, number>>;

interface Crash {
  readonly victim: Victim;
  readonly moment: CrashMoment;
  readonly calls: Calls;
  readonly later: Calls;
}

/** Makes the engine save the state only at the end of a run, so that a crash loses the results of all requests. */
const UNSAVED = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };
const UP = ["up", "--yes", "--skip-preview", "--parallel", "32"];
const SEEDED = /^(default|other|reference-.*)$/;
const MOST_RUNS = 12;

export class CrashScene {
  #program: Program = {};

  private constructor(
    readonly platform: ReferenceProcess,
    readonly stack: Stack,
  ) {}

  static async open(program: Program): Promise<CrashScene> {
    const platform = await ReferenceProcess.start();
    const folder = mkdtempSync(join(tmpdir(), "dbplatform-crash-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeProgram(folder, {});
    const stack = await Stack.create({ environment: platform.environment, program: { folder } });
    onTestFinished(() => stack.remove());
    const scene = new CrashScene(platform, stack);
    scene.program = program;
    const { code, output } = await scene.up();
    if (code !== 0) throw new Error(output);
    return scene;
  }

  get program(): Program {
    return this.#program;
  }

  set program(program: Program) {
    this.#program = program;
    writeProgram(this.stack.project, program);
  }

  up = (...more: string[]) => this.stack.cli(...UP, ...more);

  /** Runs `up` and kills the provider, the engine or the platform at the given moment. */
  async crash({ victim, moment, calls, later }: Crash): Promise<void> {
    const hanging = moment === "before the engine saves the result" ? later : calls;
    const hang = moment === "before a response is sent" ? "after" : true;
    for (const [operation, times] of Object.entries(hanging))
      await this.platform.fault({ operation: operation as Operation, times, hang });
    const run = this.stack.begin(UP, moment === "before the engine saves the result" ? UNSAVED : {});
    await Promise.race([this.platform.hangs(hanging), run.ended().then(({ output }) => Promise.reject(output))]);
    const providers = run.providers();
    expect(providers.length).toBeGreaterThan(0);
    await this.#end(victim, run, providers);
    const { code } = await run.ended();
    expect(code).not.toBe(0);
    await allGone(providers);
    if (victim === "platform") await this.platform.run();
    else await this.platform.clearFaults();
  }

  /**
   * Runs `up` while the platform processes the given calls without responding. Once all of these calls hang, sends
   * `signal`, if given, to the CLI.
   */
  async hang(calls: Calls, signal?: NodeJS.Signals) {
    for (const [operation, times] of Object.entries(calls))
      await this.platform.fault({ operation: operation as Operation, times, hang: "after" });
    const run = this.stack.begin(UP);
    if (signal) {
      await this.platform.hangs(calls);
      run.signal(signal);
    }
    const begun = performance.now();
    const ended = await run.ended();
    return { ...ended, seconds: (performance.now() - begun) / 1000 };
  }

  async #end(victim: Victim, run: RunningCommand, providers: readonly number[]): Promise<void> {
    if (victim === "engine") run.signal("SIGKILL");
    else if (victim === "provider") for (const provider of providers) process.kill(provider, "SIGKILL");
    else await this.platform.kill();
  }

  /**
   * Recovers as a user would: unlocks the stack if `pulumi` was killed, then repeats `up` with the imports that the
   * error messages suggest. Returns the logical names of the imported resources.
   */
  async recover(victim?: Victim): Promise<string[]> {
    if (victim === "engine") expect(await this.stack.cli("cancel", "--yes")).toMatchObject({ code: 0 });
    const imported: string[] = [];
    for (let run = 0; run < MOST_RUNS; run++) {
      const { code, output } = await this.up();
      if (code === 0) return imported;
      // An update with imports deletes nothing. Repeating the update deletes the resources that the program no longer
      // declares.
      if (output.includes("this update also imports")) continue;
      const lines = importLines(output);
      expect(Object.keys(lines), output).not.toEqual([]);
      let program = { ...this.program };
      for (const [name, id] of Object.entries(lines)) {
        const declared = program[name] as Declaration;
        // A resource that already manages an object cannot import another, so a second resource imports the id.
        const slot = output.includes(`declare a second resource with \`import: "${id}"\``) ? `${name}Anew` : name;
        delete program[name];
        program[slot] = { ...declared, options: { ...declared.options, import: id } };
        program = JSON.parse(JSON.stringify(program).replaceAll(`\${${name}}`, `\${${slot}}`));
        imported.push(name);
      }
      this.program = program;
    }
    throw new Error("there is no end to it");
  }

  async recorded(): Promise<readonly RecordedResource[]> {
    const { deployment } = await this.stack.exportState();
    const resources: (Omit<RecordedResource, "name"> & { urn: string; type: string })[] = deployment.resources ?? [];
    return resources
      .filter(({ type }) => type.startsWith("dbplatform:"))
      .map(({ urn, ...resource }) => ({ ...resource, name: urn.split("::").at(-1) ?? urn }));
  }

  async ids(): Promise<Record<string, string>> {
    return Object.fromEntries((await this.recorded()).map(({ name, id }) => [name, id]));
  }

  async tokenOf(name: string): Promise<string> {
    const { outputs } = (await this.recorded()).find((resource) => resource.name === name) ?? {};
    return JSON.parse((outputs as { token: { plaintext: string } }).token.plaintext);
  }

  async databases(): Promise<Record<string, string>> {
    const { organization: organizationSlug } = this.platform.told;
    const { databases } = await this.platform.outside.listDatabases({ organizationSlug });
    return Object.fromEntries(databases.map(({ Name, DbId }) => [Name, DbId]));
  }

  /**
   * Returns the objects on the platform that are not in the stack's state, as `dbplatform adopt` reports them. Omits
   * seeded objects.
   */
  async unmanaged(): Promise<readonly { name: string; id: string }[]> {
    const { deployment } = await this.stack.exportState();
    const input = JSON.stringify({ version: 3, deployment });
    const types = ["Group", "Database", "ApiToken"].flatMap((type) => ["--type", type]);
    const { stdout, stderr } = await adopt(this.platform.environment, ["--unmanaged", "--json", ...types, "-"], {
      input,
    });
    if (stderr) throw new Error(stderr);
    const { unmanaged } = JSON.parse(stdout) as { unmanaged: { name: string; id: string }[] };
    return unmanaged.filter(({ name }) => !SEEDED.test(name));
  }

  async make(name: string): Promise<string> {
    const { organization: organizationSlug } = this.platform.told;
    const body = { name, group: "default" };
    return (await this.platform.outside.createDatabase({ organizationSlug, body })).database.DbId;
  }

  async delete(databaseId: string): Promise<void> {
    const { organizationId } = this.platform.told;
    await this.platform.outside.deleteDatabaseById({ organizationId, databaseId });
  }

  async revoke(tokenId: string): Promise<void> {
    const { organization: organizationSlug } = this.platform.told;
    await this.platform.outside.revokeApiToken({ organizationSlug, tokenId });
  }
}

export function writeProgram(folder: string, resources: Program): void {
  const plugins = { providers: [{ name: "dbplatform", path: root }] };
  const project = { name: "test", runtime: "yaml", plugins, resources };
  writeFileSync(join(folder, "Pulumi.yaml"), stringify(project, { aliasDuplicateObjects: false }));
}

/** Returns the ids that the error messages suggest for `import`, keyed by logical name. */
function importLines(output: string): Record<string, string> {
  const found: Record<string, string> = {};
  let name = "";
  let isError = false;
  for (const line of output.slice(output.indexOf("Diagnostics:")).split("\n")) {
    name = /^ {2}dbplatform:index:\w+ \((.+)\):$/.exec(line)?.[1] ?? name;
    const severity = /^ {4}(error|warning):/.exec(line)?.[1];
    if (severity !== undefined) isError = severity === "error";
    const id = /`import: "(.+?)"`/.exec(line)?.[1];
    if (id && name && isError) found[name] = id;
  }
  return found;
}
