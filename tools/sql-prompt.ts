import { inspect } from "node:util";
import { createClient } from "@libsql/client/http";
import { resultOf } from "./platform-call";
import type { ReadyMessage } from "./reference";

/** Milliseconds after which a statement fails. */
const TIME_LIMIT = 60_000;

/** Executes a statement and returns what a terminal would show: the statement, then its rows or its error. */
export type SqlPrompt = (statement: string) => Promise<string>;

export interface PromptedDatabase {
  readonly Name: string;
  readonly DbId: string;
  readonly Hostname: string;
}

/** Connects to a database as an application does: with the official client, and a token for this database. */
export async function connect(platform: ReadyMessage, { Name, DbId, Hostname }: PromptedDatabase): Promise<SqlPrompt> {
  const database = { organizationSlug: platform.organization, databaseName: Name };
  const { jwt } = await resultOf(platform, "createDatabaseToken", database);
  const url = platform.sql?.replace("{DbId}", DbId) ?? `libsql://${Hostname}`;
  const client = createClient({
    url,
    authToken: jwt,
    fetch: (request: Request) => fetch(request, { signal: AbortSignal.timeout(TIME_LIMIT) }),
  });
  return async (statement) => {
    const shown = await client.execute(statement).then(
      ({ rows }) => rows.map((row) => inspect({ ...row })),
      (failure) => [String(failure)],
    );
    return [`${Name}> ${statement}`, ...shown].join("\n");
  };
}
