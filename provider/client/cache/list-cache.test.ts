import { describe, expect, test } from "vitest";
import { Refusal } from "../../../kit/refusal";
import { ListCache } from "./list-cache";

const FRESH_MS = 5_000;

/** Creates a cache with a test clock, and a `load` function that returns how many times it has been called. */
function cached() {
  const clock = { ms: 1_000_000 };
  const lists = new ListCache(() => clock.ms);
  let loads = 0;
  const load = async () => ++loads;
  return { clock, lists, load };
}

describe("a cached list", () => {
  test("is shared by all callers for five seconds, and then loaded again", async () => {
    const { clock, lists, load } = cached();
    await Promise.all([lists.get("groups", load, "seconds"), lists.get("groups", load, "seconds")]);
    clock.ms += FRESH_MS - 1;
    expect((await lists.get("groups", load, "seconds")).items).toBe(1);
    clock.ms += 1;
    expect(lists.known("groups")).toBeUndefined();
    expect((await lists.get("groups", load, "seconds")).items).toBe(2);
  });

  test("expires five seconds after the request for the list, not after the response", async () => {
    const { clock, lists, load } = cached();
    const slowly = async () => {
      clock.ms += FRESH_MS;
      return load();
    };
    await lists.get("groups", slowly, "seconds");
    expect(lists.known("groups")).toBeUndefined();
  });

  test("stays valid when a load that started earlier fails", async () => {
    const { lists, load } = cached();
    let fail = (_: Error): void => undefined;
    const older = lists.get("groups", () => new Promise<number>((_, reject) => (fail = reject)));
    await lists.get("groups", load);
    fail(new Error("unavailable"));
    await expect(older).rejects.toThrow("unavailable");
    expect((await lists.get("groups", load, "seconds")).items).toBe(1);
  });

  test("is loaded once for concurrent calls of `join`, and again for a later call", async () => {
    const { lists, load } = cached();
    const joined = await Promise.all([lists.join("groups", load), lists.join("groups", load)]);
    expect(joined.map(({ items }) => items)).toEqual([1, 1]);
    expect((await lists.join("groups", load)).items).toBe(2);
  });

  test("is loaded again after a load fails", async () => {
    const { lists, load } = cached();
    await expect(lists.get("groups", () => Promise.reject(new Error("down")), "seconds")).rejects.toThrow("down");
    expect((await lists.get("groups", load, "seconds")).items).toBe(1);
  });

  test("is requested again after a refusal only when five seconds have passed", async () => {
    const { clock, lists, load } = cached();
    const refused = () => load().then(() => Promise.reject(new Refusal("forbidden", { answer: "no" })));
    for (let caller = 0; caller < 3; caller++)
      await expect(lists.get("groups", refused, "seconds")).rejects.toThrow("no");
    expect(lists.known("groups")).toBeUndefined();
    clock.ms += FRESH_MS;
    expect((await lists.get("groups", load, "seconds")).items).toBe(2);
  });

  test("is replaced when a caller forces a reload", async () => {
    const { lists, load } = cached();
    await lists.get("groups", load, "seconds");
    await lists.get("groups", load);
    expect((await lists.known("groups"))?.items).toBe(2);
  });
});

describe("a write operation", () => {
  test("invalidates only the entry that it names, even in a list that is loaded during the operation", async () => {
    const { lists, load } = cached();
    const before = await lists.get("databases", load);
    lists.wrote("deleteDatabaseById", { databaseId: "one" });
    const meanwhile = await lists.get("databases", load);
    lists.wrote("deleteDatabaseById", { databaseId: "one" });
    const after = await lists.get("databases", load);
    expect([before, meanwhile, after].map(({ isCurrent }) => isCurrent("one"))).toEqual([false, false, true]);
    expect([before, meanwhile, after].map(({ isCurrent }) => isCurrent("other"))).toEqual([true, true, true]);
  });

  test("invalidates the whole list if the operation names no entry", async () => {
    const { lists, load } = cached();
    const before = await lists.get("databases", load);
    await lists.get("groups", load);
    lists.wrote("restoreGroup", { groupId: "one" });
    expect(before.isCurrent("any")).toBe(false);
    expect(lists.known("databases")).toBeUndefined();
    expect(lists.known("groups")).toBeDefined();
  });

  test("invalidates a restored database in the lists of both live and deleted databases", async () => {
    const { lists, load } = cached();
    const [live, deleted] = [await lists.get("databases", load), await lists.get("deletedDatabases", load)];
    lists.wrote("restoreDatabase", { databaseId: "one" });
    expect([live, deleted].map(({ isCurrent }) => isCurrent("one"))).toEqual([false, false]);
  });

  test("invalidates the old and the new name of a renamed group", async () => {
    const { lists, load } = cached();
    const { isCurrent } = await lists.get("groups", load);
    lists.wrote("renameGroup", { groupName: "old", body: { name: "new" } });
    expect(["old", "new", "other"].map((name) => isCurrent(`id of ${name}`, name))).toEqual([false, false, true]);
  });

  test("invalidates a configured database, which the operation identifies by its name", async () => {
    const { lists, load } = cached();
    const { isCurrent } = await lists.get("databases", load);
    lists.wrote("updateDatabaseConfiguration", { databaseName: "one" });
    expect(["one", "other"].map((name) => isCurrent(`id of ${name}`, name))).toEqual([false, true]);
  });

  test("does not invalidate a list if the operation changes none of the list's objects", async () => {
    const { lists, load } = cached();
    const { isCurrent } = await lists.get("databases", load);
    lists.wrote("updateGroupConfiguration", { groupName: "one" });
    lists.wrote("createDatabase", { body: { name: "two" } });
    expect(isCurrent("one")).toBe(true);
    expect(lists.known("databases")).toBeDefined();
  });
});
