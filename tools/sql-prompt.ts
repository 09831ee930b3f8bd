import { inspect } from "node:util";
import { createClient } from "@libsql/client/http";
import { request } from "undici";
import type { ReadyMessage } from "./reference";

/** Executes a statement and returns what a terminal would show: the statement, then its rows or its error. */
export type SqlPrompt = (statement: string) => Promise<string>;

/** Connects to a database as an application does: with the official client, and a token for this database. */
export async function connect(
  { url, organization, apiToken, sql = "" }: ReadyMessage,
  { Name, DbId }: { readonly Name: string; readonly DbId: string },
): Promise<SqlPrompt> {
  const path = `/v1/organizations/${organization}/databases/${Name}/auth/tokens`;
  const answer = await request(url + path, { method: "POST", headers: { authorization: `Bearer ${apiToken}` } });
  const { jwt } = (await answer.body.json()) as { jwt: string };
  const client = createClient({ url: sql.replace("{DbId}", DbId), authToken: jwt });
  return async (statement) => {
    const shown = await client.execute(statement).then(
      ({ rows }) => rows.map((row) => inspect({ ...row })),
      (failure) => [String(failure)],
    );
    return [`${Name}> ${statement}`, ...shown].join("\n");
  };
}
