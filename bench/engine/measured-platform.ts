import { once } from "node:events";
import type { Fault } from "../../platform/reference/faults/faults";
import type { JournalEntry } from "../../platform/reference/journal/journal";
import { HttpConnection } from "../../provider/client/http/client";
import type { Client } from "../../provider/client/organization-client";
import {
  control,
  environmentFor,
  type ReadyMessage,
  type ReferenceServer,
  readyMessageOf,
  startReference,
} from "../../tools/reference";

/** Runs the reference API in a separate process, as users do, with the data in memory. */
export class MeasuredPlatform {
  #connection: HttpConnection | undefined;

  private constructor(
    readonly ready: ReadyMessage,
    private readonly server: ReferenceServer,
  ) {}

  static async start(...args: readonly string[]): Promise<MeasuredPlatform> {
    const server = startReference(...args);
    process.once("exit", () => server.kill());
    return new MeasuredPlatform(await readyMessageOf(server), server);
  }

  get environment(): Record<string, string> {
    return environmentFor(this.ready);
  }

  async end(): Promise<void> {
    const end = once(this.server, "exit");
    this.server.kill();
    await end;
  }

  /** Resets the data. The process keeps running, so that its code stays JIT-compiled, as on a real platform. */
  async reset(): Promise<void> {
    await control(this.ready, "POST", "reset");
    await control(this.ready, "DELETE", "journal");
  }

  /**
   * Delays every response from now on.
   *
   * @param latency Delay in milliseconds; 0 ends the delay.
   */
  async delay(latency: number): Promise<void> {
    await control(this.ready, "DELETE", "faults");
    const rule: Fault = { operation: "*", latency, times: Number.MAX_SAFE_INTEGER };
    if (latency > 0) await control(this.ready, "POST", "faults", rule);
  }

  async requests(): Promise<readonly JournalEntry["operation"][]> {
    const { entries } = (await control(this.ready, "GET", "journal")) as { entries: JournalEntry[] };
    await control(this.ready, "DELETE", "journal");
    return entries.map(({ operation }) => operation);
  }

  async createDatabases(count: number): Promise<void> {
    const { organization: organizationSlug } = this.ready;
    const names = Array.from({ length: count }, (_, index) => `db-${index}`);
    const outside = this.#outside();
    await Promise.all(
      names.map((name) => outside.createDatabase({ organizationSlug, body: { name, group: "default" } })),
    );
  }

  /** Deletes all databases without Pulumi, at most 1,000, so that the stack drifts. */
  async deleteDatabases(): Promise<void> {
    const { organization: organizationSlug, organizationId } = this.ready;
    const outside = this.#outside();
    const { databases } = await outside.listDatabases({ organizationSlug, query: { limit: 1000 } });
    await Promise.all(databases.map(({ DbId }) => outside.deleteDatabaseById({ organizationId, databaseId: DbId })));
  }

  #outside(): Client {
    const { url: baseUrl, apiToken } = this.ready;
    this.#connection ??= new HttpConnection({ baseUrl, apiToken, userAgent: "bench" });
    return this.#connection.client({ signal: new AbortController().signal });
  }
}
