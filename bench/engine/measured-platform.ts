import { once } from "node:events";
import { type Client, Connection } from "../../platform/client/http/client";
import type { Operation } from "../../platform/contract/api";
import type { Fault } from "../../platform/reference/faults/faults";
import type { JournalEntry } from "../../platform/reference/journal/journal";
import { control, environmentFor, type Server, startReference, type Told, toldBy } from "../../tools/reference";

/** The reference API as users start it, in a process of its own, its data in memory. */
export class MeasuredPlatform {
  private constructor(
    readonly told: Told,
    private readonly server: Server,
  ) {}

  static async start(): Promise<MeasuredPlatform> {
    const server = startReference();
    process.once("exit", () => server.kill());
    return new MeasuredPlatform(await toldBy(server), server);
  }

  get environment(): Record<string, string> {
    return environmentFor(this.told);
  }

  async end(): Promise<void> {
    const end = once(this.server, "exit");
    this.server.kill();
    await end;
  }

  /** As it was at its start, but that what it has run is compiled: a platform that has run for a while. */
  async reset(): Promise<void> {
    await control(this.told, "POST", "reset");
    await control(this.told, "DELETE", "journal");
  }

  /** @param latency Milliseconds before each answer from now on. */
  async delay(latency: number): Promise<void> {
    await control(this.told, "DELETE", "faults");
    const rule: Fault = { operation: "*", latency, times: Number.MAX_SAFE_INTEGER };
    if (latency > 0) await control(this.told, "POST", "faults", rule);
  }

  /** Operations of the requests since this was last asked. */
  async requests(): Promise<readonly (Operation | undefined)[]> {
    const { entries } = (await control(this.told, "GET", "journal")) as { entries: JournalEntry[] };
    await control(this.told, "DELETE", "journal");
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
}
