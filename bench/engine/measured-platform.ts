import { once } from "node:events";
import type { Fault } from "../../platform/reference/faults/faults";
import type { JournalEntry } from "../../platform/reference/journal/journal";
import { HttpConnection } from "../../provider/client/http/client";
import type { Client } from "../../provider/client/organization-client";
import {
  control,
  environmentFor,
  type ReadyMessage,
  readyMessageOf,
  type Server,
  startReference,
} from "../../tools/reference";

/** Runs the reference API in a separate process, as users do, with the data in memory. */
export class MeasuredPlatform {
  private constructor(
    readonly ready: ReadyMessage,
    private readonly server: Server,
  ) {}

  static async start(): Promise<MeasuredPlatform> {
    const server = startReference();
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

  /** Deletes all databases without Pulumi, so that the stack drifts. */
  async deleteDatabases(): Promise<void> {
    const { url: baseUrl, apiToken, organization: organizationSlug, organizationId } = this.ready;
    const connection = new HttpConnection({ baseUrl, apiToken, userAgent: "bench" });
    const outside: Client = connection.client({ signal: new AbortController().signal });
    const { databases } = await outside.listDatabases({ organizationSlug });
    for (const { DbId } of databases) await outside.deleteDatabaseById({ organizationId, databaseId: DbId });
  }
}
