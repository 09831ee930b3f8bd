import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { raw } from "../calling";
import { ask, engine } from "../data";
import { freshOptions, shop, started } from "../snapshot-world";
import { column, execute } from "../sql/sql";
import { startProcess } from "./process";

const ROUNDS = 8;
const LONGEST_MS = 400;

test("after kill -9 during saves, loads and resets, there is a whole state, and only whole snapshots are listed", async () => {
  const { data, snapshots, sqlFolder } = { sqlFolder: undefined, ...(await freshOptions()) };
  const options = ["--sql", "--snapshots", snapshots, ...(sqlFolder === undefined ? [] : ["--sql-folder", sqlFolder])];
  const restarted = () => started({ data, snapshots, sql: true, ...(sqlFolder !== undefined && { sqlFolder }) });

  const first = await restarted();
  const { owner, slug, database } = shop(first);
  const places = await Promise.all(["one", "two", "three"].map((name) => database(name)));
  for (const place of places) await execute(place, "create table t (x)");
  for (const name of ["a", "b"]) {
    for (const place of places)
      await execute(place, `delete from t; `).then(() => execute(place, `insert into t values ('${name}')`));
    await owner.ok("createGroup", { ...slug, body: { name, location: "aws-us-east-1" } });
    await first.save(name);
    await owner.ok("deleteGroup", { ...slug, groupName: name });
  }
  await first.load("a");
  await first.close();

  const moments: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const server = await startProcess(data, ...options);
    const send = (path: string, body?: object) =>
      raw(`${server.url}/_reference/${path}`, { method: "POST", ...(body && { body: JSON.stringify(body) }) });
    const work = (async () => {
      for (let number = 0; ; number += 1) {
        await send("snapshots/b/load");
        await send("snapshots", { name: `s-${round}-${number}` });
        await send("snapshots", { name: "replaced", replace: true });
        await send("reset");
        await send("snapshots/a/load");
      }
    })().catch(() => undefined);
    moments.push(Math.random() * LONGEST_MS);
    await wait(moments.at(-1));
    await server.kill();
    await work;

    const api = await restarted();
    const { owner, slug, place, token } = shop(api);
    const state = async () => {
      const { groups } = await owner.ok("listGroups", slug);
      const { databases } = await owner.ok("listDatabases", slug);
      const rows: unknown[] = [];
      for (const { DbId, Name } of databases)
        rows.push(...(await column(place(DbId, await token(Name)), "select x from t")));
      return [...groups.map(({ name }) => name).filter((name) => name !== "default"), ...rows];
    };
    const whole = [Array(4).fill("a"), Array(4).fill("b")];
    expect([[], ...whole], `moments: ${moments}`).toContainEqual(await state());
    for (const { name } of await api.snapshots()) {
      await api.load(name);
      expect(whole, `${name}, moments: ${moments}`).toContainEqual(await state());
      if (name.length > 1) await api.deleteSnapshot(name);
    }
    await api.close();
  }
});

describe.runIf(engine === "postgres")("if the connection is lost during the commit of a load", () => {
  /** Starts a server whose connections to PostgreSQL can be cut, and a load whose commit takes `seconds`. */
  async function committing(seconds: number) {
    const options = await freshOptions();
    const { hostname, port } = new URL(options.data);
    const sockets = new Set<Socket>();
    const proxy = createServer((client) => {
      const server = connect(Number(port), hostname);
      for (const socket of [client, server]) sockets.add(socket.on("error", () => undefined));
      client.pipe(server).pipe(client);
    });
    await once(proxy.listen(0, "127.0.0.1"), "listening");
    const refuse = () => void proxy.close();
    onTestFinished(refuse);
    const cut = () => {
      for (const socket of sockets) socket.destroy();
    };
    const data = Object.assign(new URL(options.data), { port: (proxy.address() as AddressInfo).port }).href;
    const api = await started({ ...options, data });
    const { owner, slug, database } = shop(api);
    const orders = await database("orders");
    await execute(orders, "create table t as select 'saved' as x");
    await api.save("seeded");
    await execute(orders, "update t set x = 'later'");
    await owner.ok("createGroup", { ...slug, body: { name: "later", location: "aws-us-east-1" } });
    await ask(
      options.data,
      `create function slow() returns trigger language plpgsql as
        $$ begin perform pg_sleep(${seconds}); return null; end $$;
      create constraint trigger slow after insert or update on settings deferrable initially deferred
        for each row when (new.name = 'rows') execute function slow()`,
    );
    const isCommitting = async () =>
      (
        await ask(
          options.data,
          "select 1 from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()",
        )
      ).length > 0;
    const loaded = api.load("seeded").then(
      () => true,
      () => false,
    );
    await vi.waitFor(async () => expect(await isCommitting()).toBe(true), { timeout: 20_000 });
    return { api, orders, loaded, cut, refuse, isCommitting };
  }

  test("waits for its outcome, so that the rows belong to the records", async () => {
    const { api, orders, loaded, cut, isCommitting } = await committing(3);
    cut();
    expect(await loaded).toBe(true);
    await vi.waitFor(async () => expect(await isCommitting()).toBe(false), { timeout: 20_000 });
    const { owner, slug } = shop(api);
    const { groups } = await owner.ok("listGroups", slug);
    expect(groups.map(({ name }) => name)).toEqual(["default"]);
    expect(await column(orders, "select x from t")).toEqual(["saved"]);
  });

  test("the server can stop although PostgreSQL does not answer any more", async () => {
    const { api, loaded, cut, refuse } = await committing(1);
    refuse();
    cut();
    await api.close();
    expect(await loaded).toBe(false);
  });
});
