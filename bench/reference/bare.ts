import { serve } from "@hono/node-server";
import { Hono } from "hono";

/** The floor of a read: the same HTTP library answers the same bytes without any lookup. */
const [path = "", text = ""] = process.argv.slice(2);
const app = new Hono();
app.get(path, (context) => context.body(text, 200, { "Content-Type": "application/json" }));
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
