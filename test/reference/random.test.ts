// @module-tag more

import fc from "fast-check";
import { Pool } from "undici";
import { expect, test, vi } from "vitest";
import type { Operation } from "../../platform/contract/api";
import type { OpenReferenceApi } from "../../platform/reference/server";
import { full, printingFailures } from "../full";
import { engine } from "./data";
import { undescribed } from "./described";
import { brokenInvariants } from "./invariants";
import { operations, type RandomRequest, requests, seed } from "./random-requests";
import { startServers } from "./servers";
import { NOON } from "./world";

type Seen = Record<string, string[]>;

const KEYS: Readonly<Record<string, string>> = {
  DbId: "uuid",
  uuid: "uuid",
  id: "id",
  token: "token",
  value: "token",
  jwt: "jwt",
  next: "cursor",
  dump_url: "url",
};

function collect(answer: unknown, seen: Seen): void {
  if (typeof answer !== "object" || answer === null) return;
  for (const [key, value] of Object.entries(answer)) {
    const kind = KEYS[key];
    if (kind === undefined || typeof value !== "string") collect(value, seen);
    else {
      seen[kind] ??= [];
      seen[kind].push(value);
    }
  }
}

const fill = (text: string, seen: Seen, credentials: Readonly<Record<string, string>>): string =>
  text
    .replace(/~as (\w+)~/g, (_all, name) => credentials[name] ?? "")
    .replace(/~(\w+?)(\d+)~/g, (_all, kind, index) => {
      const known = seen[kind] ?? [];
      return known[Number(index) % known.length] ?? "none";
    });

/** Returns the signature of a token. Only the response that returns the new token may contain the signature. */
const secretOf = (token: string): string => token.split(".")[2] ?? token;

/** Sends requests one after another, and returns the operations that succeed. */
async function played(batch: readonly RandomRequest[]): Promise<Set<Operation>> {
  const api = await startServers({ seed, deterministic: true, now: NOON });
  const pools = [new Pool(api.url), new Pool(api.url)] as const;
  try {
    const credentials = { ...api.tokens, ...(await ownersOf(api)) };
    const secrets = new Set(Object.values(credentials).map(secretOf));
    const seen: Seen = {};
    const succeeded = new Set<Operation>();
    for (const [index, asked] of batch.entries()) {
      if (asked.later > 0) await api.advance(asked.later);
      const sent = (text: string) => fill(text, seen, credentials);
      const { statusCode, headers, body } = await pools[index % 2 === 0 ? 0 : 1].request({
        path: sent(asked.path),
        method: asked.method as "GET",
        headers: { ...asked.headers, authorization: sent(asked.credential) },
        body: asked.body === undefined ? null : sent(asked.body),
      });
      const text = await body.text();
      expect(statusCode, text).toBeLessThan(500);
      expect(text).not.toMatch(WORDS_OF_A_VALIDATOR);
      const answer = headers["content-type"] === "application/json" && text !== "" ? JSON.parse(text) : undefined;
      const minted = mintedBy(answer);
      for (const secret of secrets) if (!minted.includes(secret)) expect(text).not.toContain(secret);
      for (const secret of minted) secrets.add(secret);
      if (answer === undefined) continue;
      if (statusCode === 200) collect(answer, seen);
      if (asked.operation === undefined) continue;
      expect(undescribed(asked.operation, { status: statusCode, body: answer })).toBeUndefined();
      if (statusCode !== 200) continue;
      succeeded.add(asked.operation);
      // Mints new credentials, because the request has invalidated all existing credentials.
      if (asked.operation === "invalidateApiTokens") {
        Object.assign(credentials, await ownersOf(api));
        for (const token of Object.values(credentials)) secrets.add(secretOf(token));
      }
    }
    await examine(api, secrets);
    return succeeded;
  } finally {
    await Promise.all(pools.map((pool) => pool.close()));
    await api.close();
  }
}

const ownersOf = async (api: OpenReferenceApi) => ({
  owner: await api.token(),
  unrestricted: await api.token({ organization: null }),
});

/** Matches wording of the validation library, which must not appear in error messages. */
const WORDS_OF_A_VALIDATOR =
  /Invalid (input|option|string|number|key|value|UUID|GUID|ISO|email)|Too (small|big)|Unrecognized key/;

/** Returns the signatures of the new tokens in a response. */
function mintedBy(answer: unknown): string[] {
  const seen: Seen = {};
  collect(answer, seen);
  return [...(seen.token ?? []), ...(seen.jwt ?? [])].filter((text) => text.split(".").length === 3).map(secretOf);
}

/** Asserts that the store's invariants hold and that no secret is stored. */
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

/**
 * The number of requests. Storage engines other than memory need fewer, because they differ only in how they store
 * data.
 */
const REQUESTS = engine === "memory" ? (full ? 30_000 : 10_000) : 1_000;
const LONGEST = 300;

test(`§3, §4, §5 survives ${REQUESTS} requests without a failure, a partial change or a leaked secret`, async () => {
  const printed = vi.spyOn(console, "error");
  const succeeded = new Set<Operation>();
  let sent = 0;
  let failed = false;
  const play = async (batch: readonly RandomRequest[]) => {
    // After a failure, sends more than REQUESTS requests, so that fast-check can shrink the failing batch.
    if (sent >= REQUESTS && !failed) return;
    sent += batch.length;
    const reached = await played(batch).catch((thrown) => {
      failed = true;
      throw thrown;
    });
    for (const operation of reached) succeeded.add(operation);
  };
  const batches = fc.noBias(fc.array(requests, { minLength: 1, maxLength: LONGEST, size: "max" }));
  await fc.assert(fc.asyncProperty(batches, printingFailures(play)), {
    numRuns: 10 + Math.ceil((1.5 * REQUESTS) / (LONGEST / 2)),
  });
  expect(sent).toBeGreaterThanOrEqual(REQUESTS);
  expect(printed).not.toHaveBeenCalled();
  if (engine !== "memory") return;
  // Requires that most operations succeed, because failed requests prove little.
  expect(succeeded.size).toBeGreaterThan(0.9 * operations.length);
});
