import { expect, test } from "vitest";
import { SEED } from "../engine/seed";
import { lifecycleFixture } from "../lifecycle/lifecycle-fixture";
import { ask } from "./asking";

const BEGIN = Date.UTC(2026, 0, 1);
const at = (index: number): string => new Date(BEGIN + index * 1000).toISOString();

/**
 * Starts a platform with log entries one second apart. Max is the author of every third entry, and every second entry
 * is a deletion.
 */
async function withLog(length: number) {
  const audit_logs = Array.from({ length }, (_, index) => ({
    code: index % 2 === 0 ? "db-create" : "db-delete",
    author: index % 3 === 0 ? "max" : "ada",
    message: String(index),
    created_at: at(index),
  }));
  const [acme, ...others] = SEED.organizations ?? [];
  if (!acme) throw new Error("the seed has no organization");
  const here = await lifecycleFixture({}, { seed: { ...SEED, organizations: [{ ...acme, audit_logs }, ...others] } });
  here.takeOperations();
  const read = async (args: object) => {
    const { entries, truncated } = await ask("getAuditLogs", { ...args }, here.context);
    return { found: (entries as { message: string }[]).map(({ message }) => Number(message)), truncated };
  };
  return { ...here, read };
}

const whole = (found: number[]) => ({ found, truncated: false });

test("filters entries by period, kind and author, and returns the latest first", async () => {
  const { read } = await withLog(12);
  expect(await read({ since: at(9) })).toEqual(whole([11, 10, 9]));
  expect(await read({ until: at(2) })).toEqual(whole([1, 0]));
  expect(await read({ since: at(4), until: at(7) })).toEqual(whole([6, 5, 4]));
  // `since` may use any time zone.
  expect(await read({ since: "2026-01-01T01:00:10+01:00" })).toEqual(whole([11, 10]));
  expect(await read({ author: "max" })).toEqual(whole([9, 6, 3, 0]));
  expect(await read({ code: "db-delete" })).toEqual(whole([11, 9, 7, 5, 3, 1]));
  expect(await read({ code: "db-delete", author: "max", since: at(4) })).toEqual(whole([9]));
  expect(await read({ author: "eve" })).toEqual(whole([]));
});

test("counts only matching entries against the limit, and reports whether more entries match", async () => {
  const { read } = await withLog(12);
  expect(await read({ author: "max", limit: 3 })).toEqual({ found: [9, 6, 3], truncated: true });
  expect(await read({ author: "max", limit: 4 })).toEqual(whole([9, 6, 3, 0]));
  expect(await read({ author: "max", since: at(3), limit: 3 })).toEqual(whole([9, 6, 3]));
});

test("stops reading at `since`, and requests only as many pages as the limit requires", async () => {
  const { read, takeOperations } = await withLog(2_105);
  expect((await read({ since: at(2_000) })).found).toHaveLength(105);
  expect(takeOperations()).toHaveLength(1);
  expect((await read({ since: at(1_000), code: "db-create" })).found).toHaveLength(553);
  expect(takeOperations()).toHaveLength(2);
  expect(await read({ author: "max", limit: 1 })).toEqual({ found: [2_103], truncated: true });
  expect(takeOperations()).toHaveLength(1);
  expect((await read({ author: "eve" })).found).toEqual([]);
  expect(takeOperations()).toHaveLength(3);
});
