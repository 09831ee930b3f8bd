import { onTestFinished } from "vitest";
import { type ReferenceApi, type ReferenceApiOptions, startReferenceApi } from "../../platform/reference/server";
import { HttpConnection } from "../../provider/client/http/client";
import type { Client } from "../../provider/client/organization-client";
import { environmentFor } from "../../tools/reference";
import { operationsOf } from "./journal";
import { leaksIn } from "./secrets";
import { SEED } from "./seed";
import { Stack, type StackOptions } from "./stack";

/** A platform, and helpers that change the platform outside Pulumi. */
export interface EngineFixture {
  readonly api: ReferenceApi;
  readonly outside: Client;
  readonly environment: Readonly<Record<string, string>>;
  stack(program: StackOptions["program"], options?: Partial<StackOptions>): Promise<Stack>;
  createDatabase(name: string, group?: string): Promise<string>;
  deleteDatabase(dbId: string): Promise<void>;
  databases(): Promise<Record<string, string>>;
  /** Returns the operations that have changed something since the last call. */
  takeWrites(): string[];
}

export async function engineFixture(options: ReferenceApiOptions = {}): Promise<EngineFixture> {
  const api = await startReferenceApi({ seed: SEED, ...options });
  onTestFinished(async () => {
    const leaks = leaksIn(
      api
        .journal()
        .map((entry) => JSON.stringify(entry))
        .join("\n"),
    );
    await api.close();
    if (leaks.length > 0) throw new Error(`secrets in the journal:\n${leaks.join("\n")}`);
  });
  const organizationSlug = api.organization;
  const organizationId = api.organizationId;
  const outside = clientOf(api, api.apiToken);
  const environment = environmentOf(api);
  return {
    api,
    outside,
    environment,
    async stack(program, more = {}) {
      const stack = await Stack.create({ environment, program, ...more });
      onTestFinished(() => stack.remove());
      return stack;
    },
    async createDatabase(name, group = "default") {
      return (await outside.createDatabase({ organizationSlug, body: { name, group } })).database.DbId;
    },
    async deleteDatabase(databaseId) {
      await outside.deleteDatabaseById({ organizationId, databaseId });
    },
    async databases() {
      const { databases } = await outside.listDatabases({ organizationSlug });
      return Object.fromEntries(databases.map(({ Name, DbId }) => [Name, DbId]));
    },
    takeWrites: operationsOf(api, ({ method, status }) => method !== "GET" && status === 200),
  };
}

export const environmentOf = (api: ReferenceApi, organization: string = api.organization, apiToken = api.apiToken) =>
  environmentFor({ url: api.url, organization, apiToken });

export const clientOf = ({ url }: ReferenceApi, apiToken: string): Client =>
  new HttpConnection({ baseUrl: url, apiToken, userAgent: "tests" }).client({ signal: new AbortController().signal });
