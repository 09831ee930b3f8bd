import { DatabaseSync } from "node:sqlite";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { z } from "zod";

/**
 * The baseline for our server's startup time: a minimal server that has one route, and loads the same three libraries
 * as our server. Its data is in memory, or in the file that its argument names.
 */
const file = new DatabaseSync(process.argv[2] ?? ":memory:");
file.exec("create table databases (id text primary key, name text)");
const found = file.prepare("select id, name from databases where id = ?");
const Params = z.object({ id: z.string() });
const app = new Hono();
app.get("/databases/:id", (context) => context.json(found.get(Params.parse(context.req.param()).id) ?? {}));
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
