import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStore } from "../../platform/reference/store/open";
import type { State } from "../../platform/reference/store/schema";
import { findSetting } from "../../platform/reference/store/settings";
import type { Store } from "../../platform/reference/store/store";
import { type Data, engine, freshData } from "./data";
import { world } from "./world";

const TOGETHER = 12;
const FAILING = 5;

let data: Data;
let store: Store;

beforeEach(async () => {
  data = await freshData();
  store = await openStore(data.place);
});

afterEach(async () => {
  await store.close();
  await data.remove();
});

const nameOf = (place: number): string => `job-${String(place).padStart(2, "0")}`;

const put = async (state: State, place: number): Promise<void> => {
  await state
    .insertInto("settings")
    .values({ name: nameOf(place), value: "" } as never)
    .execute();
};

const stored = (): Promise<string[]> =>
  store.read(async (state) => {
    const rows = await state.selectFrom("settings").select("name").where("name", "like", "job-%").execute();
    return rows.map(({ name }) => name).sort();
  });

/** Starts several transactions at once, so that the store commits them together. `fail` makes one transaction fail. */
const together = (fail: (state: State) => Promise<void>) =>
  Promise.allSettled(
    Array.from({ length: TOGETHER }, (_, place) =>
      store.transaction([], async (state) => {
        await put(state, place);
        if (place === FAILING) await fail(state);
        return place;
      }),
    ),
  );

const others = Array.from({ length: TOGETHER }, (_, place) => place).filter((place) => place !== FAILING);

test.each<[what: string, fail: (state: State) => Promise<void>]>([
  ["throws", () => Promise.reject(new Error("on purpose"))],
  [
    "writes more, and then throws",
    async (state) => {
      await put(state, TOGETHER);
      throw new Error("on purpose");
    },
  ],
  ["runs a statement that fails", (state) => put(state, FAILING)],
])("rolls back only the concurrent write that %s", async (_what, fail) => {
  const ends = await together(fail);
  expect(ends.map(({ status }) => status).filter((status) => status === "rejected")).toHaveLength(1);
  expect(ends[FAILING]?.status).toBe("rejected");
  expect(await stored()).toEqual(others.map(nameOf));
});

test("rolls back only the concurrent write that cannot be committed", async () => {
  await store.transaction([], async (state) => {
    await sql`create table parents (id integer primary key)`.execute(state);
    await sql`create table children (id integer references parents (id) deferrable initially deferred)`.execute(state);
  });
  const ends = await together(async (state) => {
    await sql`insert into children values (1)`.execute(state);
  });
  expect(ends.filter(({ status }) => status === "rejected")).toEqual([ends[FAILING]]);
  expect(await stored()).toEqual(others.map(nameOf));
});

test.runIf(engine !== "postgres")(
  "rolls back only the concurrent write whose failed statement ends the shared transaction",
  async () => {
    const ends = await together(async (state) => {
      await sql`insert or rollback into settings values (${nameOf(FAILING)}, '')`.execute(state);
    });
    expect(ends.filter(({ status }) => status === "rejected")).toEqual([ends[FAILING]]);
    expect(await stored()).toEqual(others.map(nameOf));
  },
);

test("concurrent writes see committed changes, but not changes that were rolled back", async () => {
  const counts = await Promise.allSettled(
    Array.from({ length: TOGETHER }, (_, place) =>
      store.transaction("all", async (state) => {
        const before = await findSetting(state, "clock");
        await sql`insert into settings values ('clock', ${JSON.stringify({ ahead: place })}) on conflict (name) do update set value = excluded.value`.execute(
          state,
        );
        if (place % 3 === 0) throw new Error("on purpose");
        return [before, await findSetting(state, "clock")];
      }),
    ),
  );
  const done = counts.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  const kept = done.map(([, after]) => after);
  const found = done.map(([before]) => before);
  expect(new Set(found).size).toBe(kept.length);
  expect([undefined, ...kept]).toEqual(expect.arrayContaining(found));
});

describe.runIf(engine === "file")("a store in a file", () => {
  test("confirms a write only after other processes can see it", async () => {
    const other = new DatabaseSync(data.place);
    const seen = other.prepare("select count(*) as count from settings where name = ?");
    const told = await Promise.all(
      Array.from({ length: TOGETHER }, (_, place) =>
        store.transaction([], (state) => put(state, place)).then(() => seen.get(nameOf(place))?.count),
      ),
    );
    other.close();
    expect(told).toEqual(Array(TOGETHER).fill(1));
  });

  test("flushes every commit to the disk", async () => {
    const { rows } = await store.read((state) => sql<{ synchronous: number }>`pragma synchronous`.execute(state));
    const FULL = 2;
    expect(rows).toEqual([{ synchronous: FULL }]);
  });
});

test("callers see their own writes on every server", async () => {
  const { owner, slug } = await world();
  const found = await Promise.all(
    Array.from({ length: 40 }, async (_, place) => {
      const databaseName = `orders-${place}`;
      await owner.ok("createDatabase", { ...slug, body: { name: databaseName } });
      await owner.ok("updateDatabaseConfiguration", { ...slug, databaseName, body: { delete_protection: true } });
      const { delete_protection } = await owner.ok("retrieveDatabaseConfiguration", { ...slug, databaseName });
      return delete_protection;
    }),
  );
  expect(found).toEqual(Array(40).fill(true));
});

test("gives each concurrent request its own response", async () => {
  const { owner, slug, liveNames } = await world();
  const names = Array.from({ length: 30 }, (_, place) => `n-${place % 15}`);
  const statuses = await Promise.all(
    names.map((name, place) =>
      owner.status("createDatabase", { ...slug, body: { name, group: place % 5 === 4 ? "nowhere" : "default" } }),
    ),
  );
  const created = await liveNames();
  expect(statuses.filter((_, place) => place % 5 === 4)).toEqual(Array(6).fill(400));
  expect(statuses.filter((status) => status === 200)).toHaveLength(created.length);
  expect(created).toEqual([...new Set(names.filter((_, place) => place % 5 !== 4))].sort());
});
