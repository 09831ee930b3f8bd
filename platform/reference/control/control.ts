import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import * as z from "zod";
import { REFERENCE_SQL } from "../../contract/organization";
import { Credential } from "../credentials/credential";
import { listOrganizations } from "../credentials/membership";
import { FaultRule } from "../faults/faults";
import { FOREIGN_PAGE, faultMissing, keyRequired, LOOPBACK_ONLY, refuse } from "../messages";
import type { ReferenceApi } from "../reference-api";
import { ApiError, asRefusal } from "../refusal";
import { decodeBody, parseJson } from "../requests/body";
import { parseOrRefuse } from "../requests/parse";
import { isStorableText } from "../requests/storable-text";
import type { Services } from "../services";
import type { Store } from "../store/store";
import { clockNow } from "../time/clock";
import { Instant } from "../time/instant";
import { isForeignOriginChange, isLoopbackHost, isSameSecret, KEY_HEADER } from "./guard";

const NewTime = z.strictObject({ now: Instant.nullable() });
const Presented = z.strictObject({ token: z.string(), database: z.guid() });
const NewSnapshot = z.strictObject({ name: z.string(), replace: z.boolean().optional() });
const Advance = z.strictObject({ seconds: z.number().finite() });

const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Serves the server's health to every caller. A probe has no key, and may know the server under any name.
 */
export function health({ store, sql }: Pick<Services, "store" | "sql">): Hono {
  const app = new Hono();
  app.onError(answerRefusal);
  app.get("/health", async (context) => {
    await Promise.all([store.read(clockNow), sql?.assertStarted()]);
    return context.json({ status: "ok", ...(sql && { sql: REFERENCE_SQL }) });
  });
  return app;
}

function answerRefusal(thrown: Error, context: Context): Response {
  const refusal = asRefusal(thrown);
  if (refusal) return context.json({ error: refusal.message }, refusal.status);
  throw thrown;
}

/**
 * Serves the endpoints that the platform does not have: all organizations, clock, journal, fault rules, minting of
 * credentials, verification of SQL-engine tokens, reset, and snapshots.
 */
export function control(api: ReferenceApi, store: Store): Hono {
  const app = new Hono();
  app.use(async (context, next) => {
    if (api.key !== undefined && !isSameSecret(api.key, context.req.header(KEY_HEADER)))
      return context.json({ error: keyRequired({ keyHeader: KEY_HEADER }) }, 401);
    if (api.key === undefined && !isLoopbackHost(context.req.header("Host")))
      return context.json({ error: LOOPBACK_ONLY }, 403);
    if (isForeignOriginChange(context.req)) return context.json({ error: FOREIGN_PAGE }, 403);
    return next();
  });
  app.onError(answerRefusal);

  app.use(
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: (context) => context.json({ error: refuse.bodyTooLarge({ mostBytes: MAX_BODY_BYTES }).message }, 413),
    }),
  );

  app.get("/organizations", async (context) => {
    const found = await store.read((state) => listOrganizations(state, Number.MAX_SAFE_INTEGER));
    return context.json({ organizations: found.map(({ id, slug }) => ({ id, slug })) });
  });

  app.post("/reset", async (context) => {
    await api.reset();
    return context.json({});
  });

  app.get("/snapshots", async (context) => context.json({ snapshots: await api.snapshots() }));
  app.post("/snapshots", async (context) => {
    const { name, replace = false } = parseOrRefuse(NewSnapshot, await readBody(context));
    return context.json(await api.save(name, { replace }));
  });
  app.post("/snapshots/:name/load", async (context) => context.json(await api.load(context.req.param("name"))));
  app.delete("/snapshots/:name", async (context) => {
    await api.deleteSnapshot(context.req.param("name"));
    return context.json({});
  });

  app.post("/tokens", async (context) => {
    const wanted = await readBody(context);
    return context.json({ token: await api.token(parseOrRefuse(Credential, wanted ?? {})) });
  });

  app.post("/sql-tokens/verify", async (context) => {
    const { token, database } = parseOrRefuse(Presented, await readBody(context));
    return context.json(await api.verifySqlToken(token, database));
  });

  app.get("/journal", (context) => context.json({ entries: api.journal() }));
  app.delete("/journal", (context) => {
    api.clearJournal();
    return context.json({});
  });

  app.get("/faults", (context) => context.json({ faults: api.faults() }));
  app.post("/faults", async (context) =>
    context.json({ id: api.fault(parseOrRefuse(FaultRule, await readBody(context))) }),
  );
  app.delete("/faults", (context) => {
    api.clearFaults();
    return context.json({});
  });
  app.delete("/faults/:id", (context) => {
    const id = context.req.param("id");
    if (!api.removeFault(id)) return context.json({ error: faultMissing({ id }) }, 404);
    return context.json({});
  });

  const { clock } = api;
  const time = async () => ({ now: (await clock.now()).toISOString(), stands: await clock.stands() });
  app.get("/clock", async (context) => context.json(await time()));
  app.put("/clock", async (context) => {
    await clock.set(parseOrRefuse(NewTime, await readBody(context)).now);
    return context.json(await time());
  });
  app.post("/clock/advance", async (context) => {
    await clock.advance(parseOrRefuse(Advance, await readBody(context)).seconds);
    return context.json(await time());
  });
  app.post("/clock/freeze", async (context) => {
    await clock.freeze();
    return context.json(await time());
  });
  app.post("/clock/run", async (context) => {
    await clock.run();
    return context.json(await time());
  });
  return app;
}

async function readBody({ req }: Context): Promise<unknown> {
  const text = decodeBody(Buffer.from(await req.arrayBuffer()));
  if (text instanceof ApiError) throw text;
  const body = text.trim() === "" ? undefined : parseJson(text);
  assertStorable(body);
  return body;
}

/**
 * Rejects text that cannot be stored. Does not use `assertStorableText`, which would also reject a SQL-engine token sent
 * for verification. Does not recurse, because a body may be nested to any depth.
 */
function assertStorable(body: unknown): void {
  const left = [body];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === "string" && !isStorableText(value)) throw refuse.notStorable();
    if (typeof value === "object" && value !== null) for (const each of Object.values(value)) left.push(each);
  }
}
