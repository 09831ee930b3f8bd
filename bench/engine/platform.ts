import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Client, Connection } from "../../platform/client/client";
import type { Operation } from "../../platform/contract/api";
import type { Fault } from "../../platform/reference/faults";
import type { JournalEntry } from "../../platform/reference/journal";
import { root } from "../../tools/run";

interface Told {
  readonly url: string;
  readonly organization: string;
  readonly organizationId: string;
  readonly apiToken: string;
}

/** The reference API as users start it, in a process of its own, its data in memory. */
export class Platform {
  private constructor(
    readonly told: Told,
    private readonly process: ChildProcess,
  ) {}

  static async start(): Promise<Platform> {
    const command = [join(root, "dist/dbplatform-api.js"), "serve", "--json", "--port", "0"];
    const child = spawn(process.execPath, command, { stdio: ["ignore", "pipe", "inherit"] });
    process.once("exit", () => child.kill());
    for await (const line of createInterface(child.stdout)) return new Platform(JSON.parse(line), child);
    throw new Error("the reference API ended before it was ready");
  }

  get environment(): Record<string, string> {
    return {
      DBPLATFORM_BASE_URL: this.told.url,
      DBPLATFORM_ORGANIZATION: this.told.organization,
      DBPLATFORM_API_TOKEN: this.told.apiToken,
    };
  }

  async end(): Promise<void> {
    const end = once(this.process, "exit");
    this.process.kill();
    await end;
  }

  /** @param latency Milliseconds before each answer from now on. */
  async delay(latency: number): Promise<void> {
    await this.#own("DELETE", "faults");
    const rule: Fault = { operation: "*", latency, times: Number.MAX_SAFE_INTEGER };
    if (latency > 0) await this.#own("POST", "faults", rule);
  }

  /** Operations of the requests since this was last asked. */
  async requests(): Promise<readonly (Operation | undefined)[]> {
    const { entries } = (await this.#own("GET", "journal")) as { entries: JournalEntry[] };
    await this.#own("DELETE", "journal");
    return entries.map(({ operation }) => operation);
  }

  /** All of them, as somebody without Pulumi would. */
  async deleteDatabases(): Promise<void> {
    const { url: baseUrl, apiToken, organization: organizationSlug, organizationId } = this.told;
    const connection = new Connection({ baseUrl, apiToken, userAgent: "bench" });
    const outside: Client = connection.client({ signal: new AbortController().signal });
    const { databases } = await outside.listDatabases({ organizationSlug });
    for (const { DbId } of databases) await outside.deleteDatabaseById({ organizationId, databaseId: DbId });
  }

  async #own(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await fetch(`${this.told.url}/_reference/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.status === 204 ? undefined : answer.json();
  }
}
