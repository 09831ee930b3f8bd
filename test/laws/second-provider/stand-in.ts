import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { Hono } from "hono";

/** A stand-in for Cloudflare's API of D1 databases: list, create, get, change, delete, undelete. */
interface Database {
  readonly uuid: string;
  name: string;
  readonly created_at: string;
  readonly jurisdiction?: string;
  read_replication: { mode: "auto" | "disabled" };
  deleted_at?: string;
}

const RECOVERABLE_MS = 7 * 24 * 3_600_000;

const ok = (result: unknown) => ({ success: true, result, errors: [], messages: [] });
const failed = (code: number, message: string) => ({ ...ok(null), success: false, errors: [{ code, message }] });
const MISSING = failed(7404, "The database could not be found.");
const TAKEN = failed(7502, "A database with that name already exists.");

/** Starts the stand-in on a free port. Accepts the token `right`. */
export async function standIn(port = 0) {
  const databases = new Map<string, Database>();
  const all = () => [...databases.values()];
  const app = new Hono().basePath("/accounts/:account/d1/database");
  const live = (id: string) => all().find((one) => one.uuid === id && !one.deleted_at);
  const named = (name: string) => all().find((one) => one.name === name && !one.deleted_at);

  app.use(async (context, next) => {
    if (context.req.header("authorization") === "Bearer right") return next();
    return context.json(failed(10000, "Authentication error"), 401);
  });

  app.get("/", (context) => {
    const { name, deleted, page = "1", per_page = "100" } = context.req.query();
    const found = all().filter(
      (one) => Boolean(one.deleted_at) === (deleted === "true") && (name === undefined || one.name.includes(name)),
    );
    const from = (Number(page) - 1) * Number(per_page);
    return context.json(ok(found.slice(from, from + Number(per_page))));
  });

  app.post("/", async (context) => {
    const { name, jurisdiction } = await context.req.json();
    if (!/^[a-z0-9][a-z0-9-_]*$/.test(name)) return context.json(failed(7400, "Invalid name."), 400);
    if (named(name)) return context.json(TAKEN, 400);
    const made: Database = {
      uuid: randomUUID(),
      name,
      created_at: new Date().toISOString(),
      ...(jurisdiction && { jurisdiction }),
      read_replication: { mode: "disabled" },
    };
    databases.set(made.uuid, made);
    return context.json(ok(made));
  });

  app.get("/:id", (context) => {
    const found = live(context.req.param("id"));
    return found ? context.json(ok(found)) : context.json(MISSING, 404);
  });

  app.patch("/:id", async (context) => {
    const found = live(context.req.param("id"));
    if (!found) return context.json(MISSING, 404);
    return context.json(ok(Object.assign(found, await context.req.json())));
  });

  app.delete("/:id", (context) => {
    const found = live(context.req.param("id"));
    if (!found) return context.json(MISSING, 404);
    found.deleted_at = new Date().toISOString();
    return context.json(ok(null));
  });

  app.post("/:id/undelete", async (context) => {
    const found = databases.get(context.req.param("id"));
    const { new_name = found?.name } = await context.req.json().catch(() => ({}));
    const isLost = found?.deleted_at && Date.parse(found.deleted_at) + RECOVERABLE_MS < Date.now();
    if (!found || isLost) return context.json(MISSING, 404);
    if (!found.deleted_at) return context.json(ok(found));
    if (named(new_name)) return context.json(TAKEN, 400);
    found.name = new_name;
    delete found.deleted_at;
    return context.json(ok(found));
  });

  return new Promise<{ readonly url: string; close(): void }>((resolve) => {
    const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port }, (address: AddressInfo) =>
      resolve({ url: `http://127.0.0.1:${address.port}`, close: () => server.close() }),
    );
  });
}
