import { serve } from "@hono/node-server";
import { Hono } from "hono";

/**
 * The baseline for our server's reads: a minimal server that uses the same HTTP library as our server and sends the
 * same bytes, without looking anything up.
 */
const [path = "", text = ""] = process.argv.slice(2);
const app = new Hono();
app.get(path, (context) => context.body(text, 200, { "Content-Type": "application/json" }));
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
