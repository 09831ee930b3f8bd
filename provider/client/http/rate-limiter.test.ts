import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Permit, RateLimiter } from "./rate-limiter";

const { signal } = new AbortController();

/** Requests `count` permits, and returns those that are granted immediately. */
async function entered(limiter: RateLimiter, count: number): Promise<Permit[]> {
  const granted: Permit[] = [];
  for (let request = 0; request < count; request++) {
    const permit = limiter.permit(signal);
    void permit.enter().then(() => granted.push(permit));
  }
  await turn();
  return granted;
}

/** Creates an idle limiter after sixteen concurrent requests, one of which was rejected. */
async function refusedOfSixteen(): Promise<RateLimiter> {
  const limiter = new RateLimiter();
  const permits = await entered(limiter, 16);
  limiter.refused();
  for (const permit of permits) permit.leave();
  return limiter;
}

test("sets no limit until a 429 response arrives, and then halves the number of concurrent requests", async () => {
  expect(await entered(new RateLimiter(), 100)).toHaveLength(100);
  expect(await entered(await refusedOfSixteen(), 100)).toHaveLength(8);
});

test("sends the next waiting request when another request completes", async () => {
  const limiter = await refusedOfSixteen();
  const permits = await entered(limiter, 8);
  const late = entered(limiter, 2);
  expect(await late).toHaveLength(0);
  permits[0]?.leave();
  await turn();
  expect(await late).toHaveLength(1);
});

test.each([
  [5, 8],
  [15, 9],
  [85, 16],
  [250, 100],
])("after a 429 response and then %i other responses, allows %i concurrent requests", async (answers, allowed) => {
  const limiter = await refusedOfSixteen();
  for (let answer = 0; answer < answers; answer++) limiter.answered();
  expect(await entered(limiter, 100)).toHaveLength(allowed);
});

test("sends waiting requests in order of arrival, one for each request that completes", async () => {
  const limiter = await refusedOfSixteen();
  const permits = await entered(limiter, 8);
  const order: number[] = [];
  for (let request = 0; request < 20; request++) {
    const permit = limiter.permit(signal);
    void permit.enter().then(() => order.push(request));
  }
  for (const [ended, permit] of permits.slice(0, 3).entries()) {
    permit.leave();
    await turn();
    expect(order).toEqual([0, 1, 2].slice(0, ended + 1));
  }
});
