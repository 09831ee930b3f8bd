import { DatabaseSync } from "node:sqlite";
import { serve } from "@hono/node-server";
import { Hono } from "hono";

/**
 * The baseline for our SQL queries: a minimal server that uses `node:sqlite`, with a single database and without
 * authentication, streams or limits. It accepts the same requests as our server, and returns the same rows.
 */
interface Pipeline {
  readonly requests: readonly {
    readonly stmt?: { readonly sql: string; readonly args: readonly { readonly value: string }[] };
  }[];
}

const database = new DatabaseSync(":memory:");
database.exec(process.argv[2] ?? "");

function rowsOf({ sql, args }: NonNullable<Pipeline["requests"][number]["stmt"]>): unknown {
  const statement = database.prepare(sql);
  const cols = statement.columns().map(({ name, type }) => ({ name, decltype: type }));
  const rows = statement.all(...args.map(({ value }) => value)).map((row) => Object.values(row));
  return { type: "ok", response: { type: "execute", result: { cols, rows } } };
}

const app = new Hono();
app.post("/v3/pipeline", async (context) => {
  const { requests } = (await context.req.json()) as Pipeline;
  return context.json({ baton: null, results: requests.map(({ stmt }) => (stmt ? rowsOf(stmt) : { type: "ok" })) });
});
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
