import { expect, test } from "vitest";
import { column, execute, pipeline, sqlWorld } from "./sql";

/** Keeps a process busy, with statements that are not so slow that they are stopped. */
const SLOW = "with recursive c(x) as (select 1 union all select x + 1 from c limit 1000000) select count(*) from c;";

test("a database that leaves a busy process keeps its rows and its past states", { timeout: 60_000 }, async () => {
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
  const slow = pipeline(busy, [{ type: "sequence", sql: SLOW.repeat(20) }, { type: "close" }]).finally(() => {
    state.isBusy = false;
  });
  // Once a process has been silent for a tenth of a second, other databases leave it.
  for (const until = performance.now() + 200; performance.now() < until; ) await api.clock.now();
  while (moments.length < 4) await insert();
  expect(state.isBusy).toBe(true);
  await slow;
  // For these, the first process closes the database that it has left.
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
