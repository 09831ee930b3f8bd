// @module-tag more
// @module-tag no-database-is-lost

import { expect, test } from "vitest";
import { create } from "../../kit/steps/create";
import { HttpConnection } from "../../provider/client/http/client";
import { database } from "../../provider/resources/database/database";
import type { WireRequest } from "../faulty-wire";
import { platformBehindWire } from "../lifecycle/scenario-fixture";

const SECOND_MS = 1_000;
const TAKEN_A_SECOND = 10;
const DATABASES = 60;
/** The number of operations that Pulumi runs in parallel by default. */
const AT_ONCE = 16;

/** Returns a predicate that is true for every request after the first `TAKEN_A_SECOND` requests in a second. */
function limit(): (asked: WireRequest) => boolean {
  let [begun, taken] = [0, 0];
  return () => {
    if (Date.now() - begun >= SECOND_MS) [begun, taken] = [Date.now(), 0];
    return ++taken > TAKEN_A_SECOND;
  };
}

test("completes every request under a rate limit, and causes few 429 responses", async () => {
  const { here, wire, open } = await platformBehindWire();
  const isTooMany = limit();
  let refused = 0;
  wire.trouble = (asked) =>
    isTooMany(asked)
      ? ({ send }) => {
          refused++;
          send(429, JSON.stringify({ error: "slow down" }), { "retry-after": "1" });
        }
      : undefined;
  const context = open();
  const names = Array.from({ length: DATABASES }, (_, index) => `db-${index}`);
  const left = [...names];
  const work = async () => {
    for (let name = left.shift(); name !== undefined; name = left.shift())
      await create(database, { name, group: "default" }, context);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const made = here.api.journal().filter(({ operation }) => operation === "createDatabase");
  expect(made).toHaveLength(DATABASES);
  expect(refused).toBeGreaterThan(0);
  expect(refused).toBeLessThan(DATABASES * 0.6);
});

test("releases the permit of a request that is cancelled before it is sent", async () => {
  const { here, wire } = await platformBehindWire();
  const { apiToken, organization: organizationSlug } = here.api;
  const connection = new HttpConnection({ baseUrl: wire.url, apiToken, userAgent: "tests", firstWaitMs: 1 });
  const stopped = connection.client({ signal: AbortSignal.abort() });
  for (let request = 0; request < AT_ONCE; request++)
    await expect(stopped.listGroups({ organizationSlug })).rejects.toMatchObject({ kind: "cancelled" });
  // A single 429 response activates the rate limiter. If the cancelled requests still held their permits, the limiter
  // would block the next request.
  let refused = 0;
  wire.trouble = () =>
    refused++ === 0
      ? ({ send }) => send(429, JSON.stringify({ error: "slow down" }), { "retry-after": "0" })
      : undefined;
  const client = connection.client({ signal: new AbortController().signal, deadline: AbortSignal.timeout(5_000) });
  expect((await client.listGroups({ organizationSlug })).groups).not.toEqual([]);
  await connection.close();
});
