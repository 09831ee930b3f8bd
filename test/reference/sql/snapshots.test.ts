import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createClient } from "@libsql/client/http";
import { connect } from "@tursodatabase/serverless";
import { expect, onTestFinished, test, vi } from "vitest";
import { refuse } from "../../../platform/reference/messages";
import { Folder } from "../../../platform/reference/sql/folder";
import { SNAPSHOT_LOADED } from "../../../platform/reference/sql/messages";
import { EngineProcess } from "../../../platform/reference/sql/pool/process";
import { SocketClient } from "./socket";
import { CLOSE, column, dataFile, ENDLESS, execute, pipeline, post, SLOW, sqlWorld, stmt } from "./sql";

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

/** Resolves when a folder whose name begins like this is among the rows. */
const appeared = (data: string, start: string) =>
  vi.waitFor(() => expect(readdirSync(`${data}-sql`).some((name) => name.startsWith(start))).toBe(true), {
    interval: 5,
  });

test("a load does not wait for dumps, which are refused", async () => {
  const data = dataFile();
  const { api, owner, slug } = await sqlWorld({ data, sql: true });
  await api.save("seeded");
  // Together, the statements take many seconds.
  const text = Array.from({ length: 100 }, (_, index) => `create table t${index} as ${SLOW};`).join("\n");
  const file = new File([text], "dump.sql");
  const uploaded = owner.refused("uploadDump", { ...slug, body: { file } } as never);
  await appeared(data, "loading-");
  await api.load("seeded");
  const { status, message } = refuse.uploadStopped();
  expect(await uploaded).toMatchObject({ status, error: message });
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

test("a load ends a process that cannot close its databases, which would show the old rows", async () => {
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

/** Resolves when the rows that a load has replaced are removed, or kept for the next load. */
const settled = (data: string) =>
  vi.waitFor(() => expect(readdirSync(`${data}-sql`).filter((name) => name.startsWith("swap-"))).toEqual([]), {
    interval: 5,
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

test("loads keep the folders of at most as many databases as they load, and a stop removes them", async () => {
  const data = dataFile();
  const { api, database } = await sqlWorld({ data });
  await execute(await database("base"), "create table t (x)");
  await api.save("base");
  const spares = () => readdirSync(`${data}-sql`).filter((name) => name.startsWith("loading-"));
  for (let load = 0; load < 3; load += 1) {
    for (const name of ["a", "b"]) await execute(await database(name), "create table t (x)");
    await api.load("base");
    await settled(data);
    expect(spares()).toHaveLength(1);
  }
  await api.close();
  expect(spares()).toEqual([]);
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

/** Prepares a swap in a new folder, whose old rows are `old` and whose new ones are `new`. */
async function prepared() {
  const root = dirname(dataFile());
  const folder = new Folder(root);
  const id = "0eb771dd-6906-41ee-8553-eaa7715aea01";
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const filesIn = (rows: string) =>
    ["databases/id/data", "dumps/id/data", "usage.json"].map((name) => join(rows, name));
  const { path } = folder.createPrepared();
  for (const file of filesIn(root)) write(file, "old");
  for (const file of filesIn(path)) write(file, "new");
  folder.prepareSwap(path, id);
  await folder.close();
  return { root, id, texts: () => filesIn(root).map((file) => readFileSync(file, "utf8")) };
}

/** The renamings of a load, in their order: each part of the rows moves away, and a new one takes its place. */
const RENAMINGS = ["databases", "dumps", "usage.json"].flatMap((name) => [
  [name, "old"],
  [name, "new"],
]);

test.each(Array.from({ length: RENAMINGS.length + 1 }, (_, count) => count))(
  "a start finishes or undoes a load that ended after %i of its renamings",
  async (count) => {
    for (const isCommitted of [true, false]) {
      const { root, id, texts } = await prepared();
      for (const [name = "", part = ""] of RENAMINGS.slice(0, count)) {
        const [own, swapped] = [join(root, name), join(root, `swap-${id}`, part, name)];
        if (part === "old") renameSync(own, swapped);
        else renameSync(swapped, own);
      }
      const folder = new Folder(root);
      await folder.settleSwaps(isCommitted ? id : undefined);
      await folder.close();
      const word = isCommitted ? "new" : "old";
      expect(texts()).toEqual([word, word, word]);
      expect(existsSync(join(root, `swap-${id}`))).toBe(false);
      rmSync(root, { recursive: true });
    }
  },
);
