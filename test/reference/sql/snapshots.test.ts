import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createClient } from "@libsql/client/http";
import { connect } from "@tursodatabase/serverless";
import { expect, onTestFinished, test, vi } from "vitest";
import { refuse } from "../../../platform/reference/messages";
import { SNAPSHOT_LOADED } from "../../../platform/reference/sql/messages";
import { EngineProcess } from "../../../platform/reference/sql/pool/process";
import { SocketClient } from "./socket";
import { CLOSE, column, dataFile, ENDLESS, execute, pipeline, post, rowsOf, SLOW, sqlWorld, stmt } from "./sql";

test("a load ends open streams and their transactions with STREAM_EXPIRED", async () => {
  const { api, database } = await sqlWorld();
  const orders = await database("orders");
  await execute(orders, "create table t (x)");
  await api.save("seeded");
  const open = await pipeline(orders, [stmt("begin immediate"), stmt("insert into t values (1)")]);
  const stateless = await pipeline(orders, [stmt("select 1")]);
  const waiting = execute(orders, "insert into t values (2)").catch(({ message }) => message);
  await api.load("seeded");
  for (const { baton } of [open, stateless]) {
    const answer = await post(orders, "v3/pipeline", { baton, requests: [stmt("commit"), CLOSE] });
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { message: SNAPSHOT_LOADED, code: "STREAM_EXPIRED" },
    ]);
  }
  await waiting;
  expect(await column(orders, "select x from t")).toEqual([]);
});

test("a load stops a statement that runs for long, and the next statements run", async () => {
  const { api, database } = await sqlWorld();
  const orders = await database("orders");
  await execute(orders, "create table t (x)");
  await api.save("seeded");
  const endless = execute(orders, ENDLESS).catch(({ message }) => message);
  await execute(orders, "insert into t values (1)");
  await api.load("seeded");
  expect(await endless).toBe(`STREAM_EXPIRED: ${SNAPSHOT_LOADED}`);
  expect(await column(orders, "select x from t")).toEqual([]);
});

/** The folders of dumps that are being loaded, and of closed databases that are kept for the next load. */
const loadingIn = (data: string) => readdirSync(`${data}-sql`).filter((name) => name.startsWith("loading-"));

/** Resolves when the rows that a load has replaced are removed, or kept for the next load. */
const settled = (data: string) =>
  vi.waitFor(() => expect(readdirSync(join(`${data}-sql`, "rows"))).toHaveLength(1), { interval: 5 });

test("a load does not wait for dumps, which are refused", async () => {
  const data = dataFile();
  const { api, owner, slug } = await sqlWorld({ data, sql: true });
  await api.save("seeded");
  // Together, the statements take many seconds.
  const text = Array.from({ length: 100 }, (_, index) => `create table t${index} as ${SLOW};`).join("\n");
  const file = new File([text], "dump.sql");
  const uploaded = owner.refused("uploadDump", { ...slug, body: { file } } as never);
  await vi.waitFor(() => expect(loadingIn(data)).toHaveLength(1), { interval: 5 });
  await api.load("seeded");
  const { status, message } = refuse.uploadStopped();
  expect(await uploaded).toMatchObject({ status, error: message });
});

test("an upload whose rows are removed before it is recorded is refused as stopped, and nothing is recorded", async () => {
  const data = dataFile();
  const { api, owner, slug } = await sqlWorld({ data });
  const { transaction } = api.store;
  const begun = vi.spyOn(api.store, "transaction").mockImplementation((organizations, work) => {
    for (const each of loadingIn(data)) rmSync(join(`${data}-sql`, each), { recursive: true });
    return transaction(organizations, work);
  });
  onTestFinished(() => begun.mockRestore());
  const file = new File(["create table t (x);"], "dump.sql");
  const { status, message } = refuse.uploadStopped();
  const refused = await owner.refused("uploadDump", { ...slug, body: { file } } as never);
  expect(refused).toMatchObject({ status, error: message });
  expect(await api.store.read((state) => state.selectFrom("dumps").selectAll().execute())).toEqual([]);
});

test("loads of other snapshots in turn show the rows of each, although their files take one another's places", async () => {
  const { api, database } = await sqlWorld({ data: dataFile(), sql: true });
  const databases = [await database("one"), await database("two"), await database("three")];
  for (const each of databases) await execute(each, "create table t (x)");
  await api.save("0");
  for (const [index, each] of databases.entries())
    await execute(
      each,
      `with recursive n (i) as (select 1 union all select i + 1 from n where i < 100)
       insert into t select printf('%0${100 * (index + 1)}d', i) from n`,
    );
  await api.save("100");
  for (const rows of ["0", "100", "0", "100", "100", "0"]) {
    for (const each of databases.slice(1)) await execute(each, "insert into t values ('changed')");
    await api.load(rows);
    for (const each of databases) expect(await column(each, "select count(*) from t")).toEqual([rows]);
  }
});

test("a load leaves nothing of the larger files that it writes over", async () => {
  const data = dataFile();
  const { api, database } = await sqlWorld({ data });
  const orders = await database("orders");
  await execute(orders, "create table t (x)");
  await api.save("small");
  await execute(orders, "insert into t values (zeroblob(100000))");
  await api.save("large");
  for (const name of ["large", "large", "small"]) {
    await execute(orders, "insert into t values (1)");
    await api.load(name);
    await settled(data);
    const folder = join(rowsOf(data), "databases", orders.id);
    expect(readFileSync(join(folder, "data"))).toEqual(
      readFileSync(join(`${data}-snapshots`, name, "rows", orders.id)),
    );
    expect(readFileSync(join(folder, "commits"), "utf8").match(/\n/g)).toHaveLength(1);
  }
});

test("a load whose commit fails leaves the files of the databases as they were", async () => {
  const data = dataFile();
  const { api, database } = await sqlWorld({ data, sql: true });
  const orders = await database("orders");
  await execute(orders, "create table t as select 1 as x");
  await api.save("seeded");
  await execute(orders, "insert into t values (2)");
  const store = new DatabaseSync(data);
  onTestFinished(() => store.close());
  // The foreign key is checked at the commit.
  store.exec(`create table parents (id integer primary key);
    create table children (parent integer references parents deferrable initially deferred);
    create trigger unmet after insert on settings begin insert into children values (1); end`);
  const files = () =>
    ["data", "data-wal"].map((file) => readFileSync(join(rowsOf(data), "databases", orders.id, file), "latin1"));
  const before = files();
  await expect(api.load("seeded")).rejects.toThrow("FOREIGN KEY");
  expect(files()).toEqual(before);
  expect(await column(orders, "select x from t")).toEqual(["1", "2"]);

  // A value that another program has stored names no rows.
  store.exec("drop trigger unmet; insert into settings values ('rows', 'changed')");
  store.exec("create trigger unmet after update on settings begin insert into children values (1); end");
  await expect(api.load("seeded")).rejects.toThrow("FOREIGN KEY");

  store.exec("drop trigger unmet; delete from settings where name = 'rows'");
  await api.load("seeded");
  expect(await column(orders, "select x from t")).toEqual(["1"]);
});

test("a database that is created together with a load has the rows of its dump, or of the database it copies", async () => {
  const { api, owner, slug, database, url: urlOf, token } = await sqlWorld({ data: dataFile() });
  await execute(await database("orders"), "create table t as select 'saved' as x");
  const file = new File(["create table t as select 'dumped' as x;"], "dump.sql");
  const { dump_url: url } = await owner.ok("uploadDump", { ...slug, body: { file } } as never);
  await api.save("dump");
  await owner.ok("deleteDatabase", { ...slug, databaseName: "orders" });

  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const holding = api.store.transaction("all", () => held);
  const transaction = vi.spyOn(api.store, "transaction");
  const waiting = (count: number) =>
    vi.waitFor(() => expect(transaction).toHaveBeenCalledTimes(count), { interval: 5, timeout: 20_000 });
  const loaded = api.load("dump");
  await waiting(1);
  const seeds = { dumped: { type: "dump", url }, copied: { type: "database", name: "orders" } } as const;
  const created = Object.entries(seeds).map(([name, seed]) =>
    owner.ok("createDatabase", { ...slug, body: { name, group: "default", seed } }),
  );
  await waiting(3);
  release();
  await Promise.all([holding, loaded]);
  const rows: unknown[] = [];
  for (const { database } of await Promise.all(created))
    rows.push(...(await column({ url: urlOf(database.DbId), token: await token(database.Name) }, "select x from t")));
  expect(rows).toEqual(["dumped", "saved"]);
});

test("a load shows no old rows although the process that runs SQL fails to discard its databases", async () => {
  const { api, database } = await sqlWorld();
  const orders = await database("orders");
  await execute(orders, "create table t (x)");
  await api.save("seeded");
  await execute(orders, "insert into t values (1)");
  expect(await column(orders, "select x from t")).toEqual(["1"]);
  const { run } = EngineProcess.prototype;
  const failing = vi.spyOn(EngineProcess.prototype, "run").mockImplementation(function (
    this: EngineProcess,
    job,
    mode,
  ) {
    return job.kind === "discard" ? Promise.reject(new Error("interrupted")) : run.call(this, job, mode);
  });
  onTestFinished(() => failing.mockRestore());
  await api.load("seeded");
  expect(await column(orders, "select x from t")).toEqual([]);
});

test("a dump that is loaded into the place of a replaced database does not continue its history", async () => {
  const data = dataFile();
  const { api, database, owner, slug } = await sqlWorld({ data });
  const file = new File(["create table t as select 'dumped' as x;"], "dump.sql");
  const { dump_url: url } = await owner.ok("uploadDump", { ...slug, body: { file } } as never);
  await api.save("dump");
  const orders = await database("orders");
  await execute(orders, "create table t (x)");
  await api.save("orders");
  await api.advance(3_600);
  await execute(orders, "insert into t values (1)");
  await api.load("orders");
  await settled(data);
  await api.load("dump");
  const filled = await database("filled", { seed: { type: "dump", url } });
  expect(await column(filled, "select x from t")).toEqual(["dumped"]);
  const timestamp = (await api.clock.now()).toISOString();
  const copy = await database("copy", { seed: { type: "database", name: "filled", timestamp } });
  expect(await column(copy, "select x from t")).toEqual(["dumped"]);
});

test("loads leave one folder behind, however many there were, and a stop removes it", async () => {
  const data = dataFile();
  const { api, database } = await sqlWorld({ data });
  await execute(await database("base"), "create table t (x)");
  await api.save("base");
  for (let load = 0; load < 3; load += 1) {
    for (const name of ["a", "b"]) await execute(await database(name), "create table t (x)");
    await api.load("base");
    await settled(data);
    expect(loadingIn(data)).toHaveLength(1);
  }
  await api.close();
  expect(loadingIn(data)).toEqual([]);
});

test("a load of damaged rows ends no stream and closes no socket", async () => {
  const data = dataFile();
  const { api, database } = await sqlWorld({ data, sql: true });
  const orders = await database("orders");
  await execute(orders, "create table t (x)");
  await api.save("seeded");
  writeFileSync(join(`${data}-snapshots`, "seeded", "usage.json"), "{");
  const client = await SocketClient.to(orders);
  await client.ask({ type: "open_stream", stream_id: 1 });
  await client.column(1, "begin immediate");
  await expect(api.load("seeded")).rejects.toThrow("usage.json");
  expect(client.socket.readyState).toBe(client.socket.OPEN);
  expect(await client.column(1, "insert into t values (1) returning x")).toEqual(["1"]);
  expect(await client.column(1, "commit")).toEqual([]);
  expect(await column(orders, "select x from t")).toEqual(["1"]);
});

test("a save contains what is committed, and lets open transactions continue", async () => {
  const { api, database } = await sqlWorld();
  const orders = await database("orders");
  await execute(orders, "create table t (x)");
  await execute(orders, "insert into t values ('committed')");
  const open = await pipeline(orders, [stmt("begin immediate"), stmt("insert into t values ('open')")]);
  await api.save("seeded");
  await pipeline(orders, [stmt("commit"), CLOSE], open.baton);
  expect(await column(orders, "select x from t")).toEqual(["committed", "open"]);
  await api.load("seeded");
  expect(await column(orders, "select x from t")).toEqual(["committed"]);
});

test("the official clients see that a load has ended their transaction, and then continue", async () => {
  const { api, database } = await sqlWorld();
  const { url, token: authToken } = await database("orders");
  const client = createClient({ url, authToken });
  onTestFinished(() => client.close());
  await client.execute("create table t (x)");
  await api.save("seeded");
  const transaction = await client.transaction("write");
  await transaction.execute("insert into t values (1)");
  await api.load("seeded");
  await expect(transaction.commit()).rejects.toThrow(SNAPSHOT_LOADED);
  expect((await client.execute("select x from t")).rows).toEqual([]);

  const other = connect({ url, authToken });
  await other.exec("begin; insert into t values (1)");
  await api.load("seeded");
  // This client shows the status of a response that is not 200, and begins a new stream.
  await expect(other.exec("commit")).rejects.toThrow("400");
  expect(await (await other.prepare("select x from t")).all()).toEqual([]);
});

test("a snapshot has the rows of databases that are not open, deleted or copied, and of dumps", async () => {
  const options = { data: dataFile(), sql: true };
  const first = await sqlWorld(options);
  const orders = await first.database("orders");
  await execute(orders, "create table t as select 1 as x");
  await first.database("copy", { seed: { type: "database", name: "orders" } });
  const dump = new File(["create table t as select 'dumped' as x;"], "dump.sql");
  const { dump_url } = await first.owner.ok("uploadDump", { ...first.slug, body: { file: dump } } as never);
  await first.owner.ok("deleteDatabase", { ...first.slug, databaseName: "orders" });
  await first.api.close();

  const { api, owner, slug, database, token, url } = await sqlWorld(options);
  await api.save("seeded");
  for (const databaseName of ["copy"]) await owner.ok("deleteDatabase", { ...slug, databaseName });
  await api.load("seeded");
  const copies = (await owner.ok("listDatabases", slug)).databases;
  expect(copies.map(({ Name }) => Name)).toEqual(["copy"]);
  const copy = { url: url(copies[0]?.DbId ?? ""), token: await token("copy") };
  expect(await column(copy, "select x from t")).toEqual(["1"]);
  await owner.ok("restoreDatabase", { organizationId: api.organizationId, databaseId: orders.id });
  expect(await column({ ...orders, token: await token("orders"), url: url(orders.id) }, "select x from t")).toEqual([
    "1",
  ]);
  const filled = await database("filled", { seed: { type: "dump", url: dump_url } });
  expect(await column(filled, "select x from t")).toEqual(["dumped"]);
});

test("a database that is saved while another one has attached it keeps its later commits", async () => {
  const { api, database, owner, slug } = await sqlWorld();
  const orders = await database("orders");
  const other = await database("other");
  await owner.ok("updateDatabaseConfiguration", { ...slug, databaseName: "orders", body: { allow_attach: true } });
  const body = { permissions: { read_attach: { databases: ["orders"] } } };
  const attaching = {
    url: other.url,
    token: (await owner.ok("createDatabaseToken", { ...slug, databaseName: "other", query: {}, body } as never)).jwt,
  };
  await execute(orders, "create table t as select 1 as x");
  const { baton } = await pipeline(attaching, [stmt(`attach '${orders.id}' as o`), stmt("select x from o.t")]);
  await api.save("seeded");
  await execute(orders, "insert into t values (2)");
  const { results } = await pipeline(attaching, [stmt("select count(*) from o.t"), CLOSE], baton);
  expect(results[0]?.response?.result.rows[0]?.[0]?.value).toBe("2");
  expect(await column(orders, "select x from t")).toEqual(["1", "2"]);
});
