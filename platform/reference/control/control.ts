import { createHash, timingSafeEqual } from "node:crypto";
import { Hono } from "hono";
import { z } from "zod";
import type { Clock } from "../clock";
import { FaultRule } from "../faults";
import { Instant } from "../instant";
import type { Parts } from "../parts";
import { Refusal } from "../refusal";
import { problemOf } from "../requests/parse";

/** The header that carries the key off loopback. */
export const KEY_HEADER = "Reference-Key";

const NewTime = z.strictObject({ now: Instant.nullable() });
const Advance = z.strictObject({ seconds: z.number().finite() });

const READING = ["GET", "HEAD"];

/** What the platform does not have: its clock, its journal, faults on purpose. */
export function control({ clock, journal, faults, key }: Parts): Hono {
  const app = new Hono();
  app.use(async (context, next) => {
    if (key !== undefined && !same(key, context.req.header(KEY_HEADER)))
      return context.json({ error: `the header ${KEY_HEADER} must carry the key that was printed at the start` }, 401);
    if (!READING.includes(context.req.method) && isForeign(context.req.header("Origin"), context.req.header("Host")))
      return context.json({ error: "a page of another origin may not change the reference API" }, 403);
    return next();
  });
  app.onError((thrown, context) => {
    if (thrown instanceof z.ZodError) return context.json({ error: problemOf(thrown) }, 400);
    if (thrown instanceof SyntaxError) return context.json({ error: "the request body is not valid JSON" }, 400);
    if (thrown instanceof Refusal) return context.json({ error: thrown.message }, thrown.status);
    throw thrown;
  });

  app.get("/health", (context) => context.json({ status: "ok" }));

  app.get("/journal", (context) => context.json({ entries: journal.entries() }));
  app.delete("/journal", (context) => {
    journal.clear();
    return context.json({});
  });

  app.get("/clock", async (context) => context.json(await time(clock)));
  app.put("/clock", async (context) => {
    await clock.set(NewTime.parse(await context.req.json()).now);
    return context.json(await time(clock));
  });
  app.post("/clock/advance", async (context) => {
    await clock.advance(Advance.parse(await context.req.json()).seconds);
    return context.json(await time(clock));
  });

  app.post("/faults", async (context) => {
    faults.add(FaultRule.parse(await context.req.json()));
    return context.json({});
  });
  app.delete("/faults", (context) => {
    faults.clear();
    return context.json({});
  });
  return app;
}

const time = async (clock: Clock) => ({ now: (await clock.now()).toISOString(), stands: await clock.stands() });

/** Browsers let every page send such requests, and name the page in `Origin`; programs send none. */
const isForeign = (origin: string | undefined, host: string | undefined): boolean =>
  origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host);

const same = (key: string, given = ""): boolean => timingSafeEqual(digest(key), digest(given));

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
