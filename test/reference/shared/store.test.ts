// @module-tag the-reference-api

import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { nextNumber } from "../../../platform/reference/store/counters";
import { StoreFailure } from "../../../platform/reference/store/failure";
import { openStore } from "../../../platform/reference/store/open";
import type { State } from "../../../platform/reference/store/schema";
import { changeSetting, findSetting } from "../../../platform/reference/store/settings";
import type { Store } from "../../../platform/reference/store/store";
import { Clock } from "../../../platform/reference/time/clock";
import { ask, type Data, engine, freshData } from "../data";
import { world } from "../world";

let data: Data;
/** Two stores on the same data, as two processes would open them. */
let stores: [Store, Store];

beforeEach(async () => {
  data = await freshData();
  stores = [await openStore(data.place), await openStore(data.place)];
});

afterEach(async () => {
  await Promise.all(stores.map((store) => store.close()));
  await data.remove();
});

const locationsIn = (store: Store) => store.read((state) => findSetting(state, "locations"));
const setLocations = (value: string) => (state: State) => changeSetting(state, "locations", value);

test("rolls back a transaction that fails, and leaves no transaction open", async () => {
  const [store, other] = stores;
  const failing = store.transaction([], async (state) => {
    await setLocations("half")(state);
    throw new Error("on purpose");
  });
  await expect(failing).rejects.toThrow("on purpose");
  expect(await locationsIn(other)).toBeUndefined();
  await other.transaction([], setLocations("whole"));
  await store.transaction([], setLocations("again"));
  expect(await locationsIn(other)).toBe("again");
});

test("rolls back when a commit fails, and leaves no transaction open", async () => {
  const [store, other] = stores;
  await store.transaction([], async (state) => {
    await sql`create table parents (id integer primary key)`.execute(state);
    await sql`create table children (id integer references parents (id) deferrable initially deferred)`.execute(state);
  });
  const failing = store.transaction([], async (state) => {
    await setLocations("half")(state);
    await sql`insert into children values (1)`.execute(state);
  });
  await expect(failing).rejects.toThrow(/foreign key constraint/i);
  expect(await locationsIn(other)).toBeUndefined();
  await other.transaction([], setLocations("whole"));
  await store.transaction([], setLocations("again"));
  expect(await locationsIn(other)).toBe("again");
});

test("a read sees a consistent snapshot, even if another server writes at the same time", async () => {
  const [store, other] = stores;
  const seen = await store.read(async (state) => {
    const before = await findSetting(state, "locations");
    await other.transaction([], setLocations("later"));
    return [before, await findSetting(state, "locations")];
  });
  expect(seen).toEqual([undefined, undefined]);
  expect(await locationsIn(store)).toBe("later");
});

test("a counter gives concurrent processes unique numbers without gaps, even after rollbacks", async () => {
  const take = (store: Store, place: number) =>
    store.transaction([], async (state) => {
      const number = await nextNumber(state, "things");
      if (place % 4 === 0) throw new Error("undone");
      return number;
    });
  const taken = await Promise.allSettled(
    Array.from({ length: 40 }, (_, place) => take(stores[place % 2 ? 1 : 0], place)),
  );
  const numbers = taken.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  expect(numbers.sort((one, other) => one - other)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
});

test("when two processes advance the clock concurrently, both advances count", async () => {
  const clocks = stores.map((store) => new Clock(store));
  await clocks[0]?.set(new Date("2026-03-01T12:00:00Z"));
  await Promise.all(Array.from({ length: 20 }, (_, place) => clocks[place % 2]?.advance(1)));
  expect((await clocks[0]?.now())?.toISOString()).toBe("2026-03-01T12:00:20.000Z");
});

test("runs transactions on the same organizations in any order without a deadlock", async () => {
  const { api } = await world({
    seed: {
      users: [{ username: "ada" }],
      organizations: ["one", "two"].map((slug) => ({ slug, members: [{ username: "ada", role: "owner" as const }] })),
    },
  });
  const orders = [["one", "two"], ["two", "one"], ["two"], [], "all"] as const;
  const work = (state: State) => state.selectFrom("organizations").select("slug").orderBy("number").execute();
  const seen = await Promise.all(
    Array.from({ length: 50 }, (_, place) => api.store.transaction(orders[place % 5] ?? [], work)),
  );
  expect(seen).toEqual(Array(50).fill([{ slug: "one" }, { slug: "two" }]));
});

describe.runIf(engine === "postgres")("on PostgreSQL", () => {
  const endOwn = (state: State) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(state);
  const endIdle = () =>
    ask(
      data.place,
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );

  test("rolls back a transaction whose connection is lost, and serves later requests", async () => {
    const [store] = stores;
    const lost = store.transaction([], async (state) => {
      await setLocations("half")(state);
      await endOwn(state).catch(() => undefined);
      await setLocations("more")(state);
    });
    await expect(lost).rejects.toMatchObject({ reason: "unavailable" });
    expect(await locationsIn(store)).toBeUndefined();
    await store.transaction([], setLocations("whole"));
    expect(await locationsIn(store)).toBe("whole");
  });

  test("does not report a connection lost during the commit as a rollback", async () => {
    const [store] = stores;
    await store.transaction([], async (state) => {
      await sql`create table fatal (id integer)`.execute(state);
      await sql`create function end_own() returns trigger language plpgsql as
        $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$`.execute(state);
      await sql`create constraint trigger fatal after insert on fatal deferrable initially deferred
        for each row execute function end_own()`.execute(state);
    });
    const lost = store.transaction([], (state) => sql`insert into fatal values (1)`.execute(state));
    await expect(lost).rejects.toSatisfy((thrown) => !(thrown instanceof StoreFailure));
    await store.transaction([], setLocations("whole"));
    expect(await locationsIn(store)).toBe("whole");
  });

  test("reports a server that is out of resources (class 53) as unavailable, and changes nothing", async () => {
    const [store] = stores;
    const tooMuch = async (state: State) => {
      await sql`set local work_mem = '64kB'`.execute(state);
      await sql`set local temp_file_limit = 0`.execute(state);
      await sql`select -number from generate_series(1, 100000) as number order by 1 offset 99999`.execute(state);
    };
    const work = store.transaction([], async (state) => {
      await setLocations("half")(state);
      await tooMuch(state);
    });
    await expect(work).rejects.toMatchObject({ reason: "unavailable", cause: { code: "53400" } });
    expect(await locationsIn(store)).toBeUndefined();
    await expect(store.read(tooMuch)).rejects.toMatchObject({ reason: "unavailable", cause: { code: "53400" } });
  });

  test("recovers from lost idle connections: later requests succeed or return 503", async () => {
    const { owner, slug, api } = await world({ data: data.place });
    await endIdle();
    const statuses = [];
    for (let request = 0; request < 6; request += 1) statuses.push(await owner.status("listGroups", slug));
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(await owner.status("listGroups", slug)).toBe(200);
    await api.close();
  });

  test("retries one of two transactions that deadlock", async () => {
    const [one, other] = stores;
    await one.transaction([], async (state) => {
      await sql`create table rows (id integer primary key, value integer)`.execute(state);
      await sql`insert into rows values (1, 0), (2, 0)`.execute(state);
      for (const slug of ["a", "b"])
        await sql`insert into organizations values (${slug}, ${slug === "a" ? 1 : 2}, ${slug}, ${slug}, 'scaler', 0, 0, 1)`.execute(
          state,
        );
    });
    const arrived: (() => void)[] = [];
    const both = new Promise<void>((resolve) => arrived.push(resolve));
    let first = 0;
    const add = (id: number) => (state: State) =>
      sql`update rows set value = value + 1 where id = ${id}`.execute(state);
    const cross = (store: Store, organization: string, [from, to]: [number, number]) =>
      store.transaction([organization], async (state) => {
        await add(from)(state);
        first += 1;
        if (first === 2) arrived[0]?.();
        await both;
        await add(to)(state);
      });
    await Promise.all([cross(one, "a", [1, 2]), cross(other, "b", [2, 1])]);
    const { rows } = await one.read((state) => sql`select value from rows`.execute(state));
    expect(rows).toEqual([{ value: 2 }, { value: 2 }]);
  });

  test("compares text by bytes, whatever the server's locale, and reads large integers as JS numbers", async () => {
    const [store] = stores;
    const { rows } = await store.read((state) =>
      sql`select table_name, column_name from information_schema.columns
          where table_schema = 'public' and data_type = 'text' and collation_name is distinct from 'C'`.execute(state),
    );
    expect(rows).toEqual([]);
    const values = ["b", "A", "a-b", "_", "ab", "B"];
    for (const value of values)
      await store.transaction([], (state) => state.insertInto("settings").values({ name: value, value }).execute());
    const ordered = await store.read((state) => state.selectFrom("settings").select("name").orderBy("name").execute());
    expect(ordered.map(({ name }) => name)).toEqual([...values].sort());
    const sizes = await store.read((state) => sql`select 9007199254740991::bigint as size`.execute(state));
    expect(sizes.rows).toEqual([{ size: Number.MAX_SAFE_INTEGER }]);
  });

  test.each([
    "postgres://me:secret@127.0.0.1:1/platform",
    "postgres://me:secret@nowhere.invalid/platform",
    "postgres://me:secret@host:port/platform",
    "postgres://me:sec/ret@127.0.0.1:1/platform",
    "postgres://me:1/secret@127.0.0.1:1/platform",
    "postgres://127.0.0.1:1/platform?password=secret",
  ])("reports an unreachable address without revealing the password: %s", async (address) => {
    const told = await openStore(address).then(
      () => "reached",
      (thrown) => `${thrown.stack} ${JSON.stringify(thrown)}`,
    );
    expect(told).toMatch(/The data at postgres:\/\/\S+ could not be opened|postgres:\/\/user:password@host/);
    expect(told).not.toMatch(/sec\/?ret/);
  });
});
