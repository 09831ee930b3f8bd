import fc from "fast-check";
import { Pool } from "undici";
import { expect, test, vi } from "vitest";
import { api as contract, type Operation } from "../../platform/contract/api";
import { ErrorBody } from "../../platform/contract/error";
import { type OpenReferenceApi, startReferenceApi } from "../../platform/reference/server";
import { brokenInvariants } from "./invariants";
import { type Asked, operations, requests, seed } from "./random-requests";
import { NOON } from "./world";

/** What the answers have shown so far, by kind. */
type Seen = Record<string, string[]>;

const KEYS: Readonly<Record<string, string>> = {
  DbId: "uuid",
  uuid: "uuid",
  id: "id",
  token: "token",
  jwt: "jwt",
  next: "cursor",
  dump_url: "url",
};

function collect(answer: unknown, seen: Seen): void {
  if (typeof answer !== "object" || answer === null) return;
  for (const [key, value] of Object.entries(answer)) {
    const kind = KEYS[key];
    if (kind !== undefined && typeof value === "string") seen[kind] = [...(seen[kind] ?? []), value];
    else collect(value, seen);
  }
}

const fill = (text: string, seen: Seen, credentials: Readonly<Record<string, string>>): string =>
  text
    .replace(/~as (\w+)~/g, (_all, name) => credentials[name] ?? "")
    .replace(/~(\w+?)(\d+)~/g, (_all, kind, index) => {
      const known = seen[kind] ?? [];
      return known[Number(index) % known.length] ?? "none";
    });

/** What of a token is nowhere else: its signature. */
const secretOf = (token: string): string => token.split(".")[2] ?? token;

/** Sends them one after another; the operations that have succeeded. */
async function played(batch: readonly Asked[]): Promise<Set<Operation>> {
  const api = await startReferenceApi({ seed, deterministic: true, now: NOON });
  const pool = new Pool(api.url);
  try {
    const credentials = { ...api.tokens, owner: api.apiToken, unrestricted: await api.token({ organization: null }) };
    const secrets = new Set(Object.values(credentials).map(secretOf));
    const seen: Seen = {};
    const succeeded = new Set<Operation>();
    for (const asked of batch) {
      if (asked.later > 0) await api.advance(asked.later);
      const sent = (text: string) => fill(text, seen, credentials);
      const { statusCode, headers, body } = await pool.request({
        path: sent(asked.path),
        method: asked.method as "GET",
        headers: { ...asked.headers, authorization: sent(asked.credential) },
        body: asked.body === undefined ? null : sent(asked.body),
      });
      const text = await body.text();
      expect(statusCode, text).toBeLessThan(500);
      for (const secret of secrets) expect(text).not.toContain(secret);
      if (text === "" || headers["content-type"] !== "application/json") continue;
      const answer = JSON.parse(text);
      if (statusCode !== 200) ErrorBody.parse(answer);
      else if (asked.operation) {
        contract[asked.operation].result.parse(answer);
        succeeded.add(asked.operation);
      }
      const before = new Set([...(seen.token ?? []), ...(seen.jwt ?? [])]);
      if (statusCode === 200) collect(answer, seen);
      for (const token of [...(seen.token ?? []), ...(seen.jwt ?? [])])
        if (!before.has(token) && token.split(".").length === 3) secrets.add(secretOf(token));
    }
    await examine(api, secrets);
    return succeeded;
  } finally {
    await pool.close();
    await api.close();
  }
}

/** Nothing is half-made, lists say what is there, and no secret was kept. */
async function examine(api: OpenReferenceApi, secrets: ReadonlySet<string>): Promise<void> {
  await api.store.read(async (state) => {
    expect(await brokenInvariants(state)).toEqual([]);
    const kept = JSON.stringify([
      api.journal(),
      await state.selectFrom("audit_logs").selectAll().execute(),
      await state.selectFrom("tokens").selectAll().execute(),
    ]);
    for (const secret of secrets) expect(kept).not.toContain(secret);
  });
}

const REQUESTS = 10_000;
const LONGEST = 200;

test(`§3, §4, §5 after any ${REQUESTS} requests nothing has failed, is half-made, or shows a secret`, async () => {
  const printed = vi.spyOn(console, "error");
  const succeeded = new Set<Operation>();
  let sent = 0;
  const play = async (batch: readonly Asked[]) => {
    sent += batch.length;
    for (const operation of await played(batch)) succeeded.add(operation);
  };
  const batches = fc.noBias(fc.array(requests, { minLength: 1, maxLength: LONGEST, size: "max" }));
  await fc.assert(fc.asyncProperty(batches, play), {
    numRuns: (1.3 * REQUESTS) / (LONGEST / 2),
    interruptAfterTimeLimit: 120_000,
    markInterruptAsFailure: true,
  });
  expect(sent).toBeGreaterThan(REQUESTS);
  expect(printed).not.toHaveBeenCalled();
  // Else little is proven of what comes after a success.
  expect(succeeded.size).toBeGreaterThan(0.9 * operations.length);
});
