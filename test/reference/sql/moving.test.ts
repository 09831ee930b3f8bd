// @module-tag more

import { expect, test } from "vitest";
import { CLOSE, column, execute, pipeline, sqlWorld } from "./sql";

/** A statement that is slow enough to keep a process busy, but not so slow that the server stops it. */
const SLOW = "with recursive c(x) as (select 1 union all select x + 1 from c limit 1000000) select count(*) from c;";

test("a database keeps its rows and past states when it moves to another process", async () => {
  const { database, api } = await sqlWorld();
  const [orders, busy] = [await database("orders"), await database("busy")];
  const others = await Promise.all(Array.from({ length: 64 }, (_, index) => database(`other-${index}`)));
  await execute(orders, "create table t (x)");
  const moments: string[] = [];
  const insert = async (): Promise<void> => {
    await api.advance(60);
    await execute(orders, `insert into t values (${moments.length + 1})`);
    moments.push((await api.clock.now()).toISOString());
  };
  await insert();
  const state = { isBusy: true };
  const slow = pipeline(busy, [{ type: "sequence", sql: SLOW.repeat(20) }, CLOSE]).finally(() => {
    state.isBusy = false;
  });
  // Waits for 200 ms: once a process has not replied for 100 ms, the pool runs other databases in another process.
  for (const until = performance.now() + 200; performance.now() < until; ) await api.clock.now();
  while (moments.length < 4) await insert();
  expect(state.isBusy).toBe(true);
  await slow;
  // Another process now runs `orders`, but the first process still has it open. Opening many other databases makes the
  // first process close `orders`.
  for (const other of others) await execute(other, "select 1");
  for (const [index, timestamp] of moments.entries()) {
    const copy = await database(`copy-${index}`, { seed: { type: "database", name: "orders", timestamp } });
    expect(await column(copy, "select x from t"), timestamp).toEqual(
      moments.slice(0, index + 1).map((_, at) => String(at + 1)),
    );
  }
  await insert();
  expect(await column(orders, "select count(*) from t")).toEqual(["5"]);
});
