import { type Client, createClient } from "@libsql/client/http";
import { onTestFinished } from "vitest";
import type { ReferenceApi } from "../../platform/reference/server";

/** Connects the official libSQL client to a database. */
export function connect({ sql = "" }: ReferenceApi, dbId: unknown, token: unknown): Client {
  const client = createClient({ url: sql.replace("{DbId}", String(dbId)), authToken: String(token) });
  onTestFinished(() => client.close());
  return client;
}

export const fill = (client: Client, ...names: readonly string[]) =>
  client.batch([
    "create table if not exists orders (name text)",
    ...names.map((name) => ({ sql: "insert into orders values (?)", args: [name] })),
  ]);

export const namesIn = async (client: Client): Promise<unknown[]> =>
  (await client.execute("select name from orders order by name")).rows.map(({ name }) => name);
