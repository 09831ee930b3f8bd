import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished } from "vitest";
import { type Client, Connection } from "../../platform/client/client";
import type { Operation } from "../../platform/contract/api";
import type { Fault } from "../../platform/reference/faults";
import type { JournalEntry } from "../../platform/reference/journal";
import { root } from "../../tools/run";
import { SEED } from "./seed";

/** The reference API as a process of its own, which can be killed and started again on the same data and port. */
export class Platform {
  readonly #folder = mkdtempSync(join(tmpdir(), "dbplatform-platform-"));
  #process: ChildProcess | undefined;
  #first: { url: string; organization: string; organizationId: string; apiToken: string } | undefined;

  /** Ends with the test. */
  static async start(): Promise<Platform> {
    const platform = new Platform();
    onTestFinished(async () => {
      await platform.kill();
      rmSync(platform.#folder, { recursive: true, force: true });
    });
    writeFileSync(join(platform.#folder, "seed.yaml"), JSON.stringify(SEED));
    await platform.run();
    return platform;
  }

  async run(): Promise<void> {
    const files = ["--data", join(this.#folder, "platform.db"), "--seed", join(this.#folder, "seed.yaml")];
    const port = this.#first ? new URL(this.#first.url).port : "0";
    const command = [join(root, "dist/dbplatform-api.js"), "serve", "--json", "--port", port, ...files];
    const child = spawn(process.execPath, command, { stdio: ["ignore", "pipe", "ignore"] });
    this.#process = child;
    const [line] = await once(createInterface(child.stdout), "line");
    this.#first ??= JSON.parse(line);
  }

  /** As the machine's end would end it. */
  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (!child) return;
    const end = once(child, "exit");
    child.kill("SIGKILL");
    await end;
  }

  /** Address, organization and the token of an owner: those of the first start, which stay valid. */
  get told() {
    if (!this.#first) throw new Error("the platform was not started");
    return this.#first;
  }

  get environment(): Record<string, string> {
    const { url, organization, apiToken } = this.told;
    return { DBPLATFORM_BASE_URL: url, DBPLATFORM_ORGANIZATION: organization, DBPLATFORM_API_TOKEN: apiToken };
  }

  /** The operations with the credential of an owner. */
  get outside(): Client {
    const { url, apiToken } = this.told;
    const connection = new Connection({ baseUrl: url, apiToken, userAgent: "tests" });
    return connection.client({ signal: new AbortController().signal });
  }

  fault = (rule: Fault): Promise<unknown> => this.#own("POST", "faults", rule);

  clearFaults = (): Promise<unknown> => this.#own("DELETE", "faults");

  async journal(): Promise<readonly JournalEntry[]> {
    const { entries } = (await this.#own("GET", "journal")) as { entries: JournalEntry[] };
    return entries;
  }

  /** Waits until so many calls of each of these hang. */
  async hangs(wanted: Partial<Record<Operation, number>>): Promise<void> {
    const hanging = async () => {
      const found: Partial<Record<Operation, number>> = {};
      for (const { operation, fault } of await this.journal())
        if (operation && fault?.hang) found[operation] = (found[operation] ?? 0) + 1;
      return found;
    };
    await expect.poll(hanging, { timeout: 30_000 }).toEqual(wanted);
  }

  /** What a SQL-engine token opens. */
  verify = (token: unknown, database: unknown): Promise<unknown> =>
    this.#own("POST", "sql-tokens/verify", { token, database });

  async #own(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await fetch(`${this.told.url}/_reference/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.status === 204 ? undefined : answer.json();
  }
}
