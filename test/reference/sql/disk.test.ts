import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { swapUnfinished, usageChanged } from "../../../platform/reference/sql/messages";
import { cannotOpen } from "../../../platform/reference/store/messages";
import { column, dataFile, execute, rowsOf, sqlWorld } from "./sql";

test("a commit succeeds even if past states cannot be saved", async () => {
  const data = dataFile();
  const { database, owner, slug, api } = await sqlWorld({ data });
  const orders = await database("orders");
  await execute(orders, "create table t (x)");
  // Puts a file where the folder for past states should be, so that writing past states fails, as on a full disk.
  writeFileSync(join(rowsOf(data), "databases", orders.id, "past"), "");
  await api.advance(60);
  await execute(orders, "insert into t values (zeroblob(5000000))");
  await execute(orders, "insert into t values (1)");
  expect(await column(orders, "select count(*) from t")).toEqual(["2"]);
  const seed = { type: "database" as const, name: "orders", timestamp: "2026-03-01T12:00:30Z" };
  const { status } = await owner.refused("createDatabase", { ...slug, body: { name: "copy", seed } });
  expect(status).toBe(400);
});

test("a server removes the incomplete dumps and database copies that a killed server left behind", async () => {
  const data = dataFile();
  const first = await sqlWorld({ data });
  const orders = await first.database("orders");
  await execute(orders, "create table t (x)");
  await first.api.close();
  const unfinished = [join("dumps", "loading-1"), join("databases", `${orders.id}.part`)];
  for (const each of unfinished) mkdirSync(join(rowsOf(data), each));
  await sqlWorld({ data, now: undefined });
  expect(readdirSync(join(rowsOf(data), "dumps"))).toEqual([]);
  expect(readdirSync(join(rowsOf(data), "databases"))).toEqual([orders.id]);
});

/** Puts the rows where versions before generations had them, and returns their folder. */
function asInEarlierVersion(data: string): string {
  const [rows, root] = [rowsOf(data), `${data}-sql`];
  for (const each of readdirSync(rows)) renameSync(join(rows, each), join(root, each));
  rmSync(join(root, "rows"), { recursive: true });
  return root;
}

test("a server serves the rows that a version without generations has stored", async () => {
  const data = dataFile();
  const first = await sqlWorld({ data });
  const orders = await first.database("orders");
  await execute(orders, "create table t as select 1 as x");
  await first.api.close();
  const root = asInEarlierVersion(data);

  // As after an interrupted start.
  mkdirSync(join(root, "rows", "first"), { recursive: true });
  renameSync(join(root, "dumps"), join(root, "rows", "first", "dumps"));
  const next = await sqlWorld({ data, now: undefined });
  expect(await column({ url: next.url(orders.id), token: orders.token }, "select x from t")).toEqual(["1"]);
});

test("a server does not start on rows that a version without generations was replacing, and changes nothing", async () => {
  const data = dataFile();
  const first = await sqlWorld({ data });
  await first.database("orders");
  await first.api.close();
  const root = asInEarlierVersion(data);
  mkdirSync(join(root, "swap-1"));
  const before = readdirSync(root);
  const reason = swapUnfinished({ folder: root });
  await expect(sqlWorld({ data })).rejects.toThrow(new Error(cannotOpen({ place: data, reason })));
  expect(readdirSync(root).filter((each) => each !== "rows")).toEqual(before);
});

test("the server stops even if it cannot save the usage figures", async () => {
  const data = dataFile();
  const { api } = await sqlWorld({ data });
  const reported = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => reported.mockRestore());
  mkdirSync(join(rowsOf(data), "usage.json"));
  await api.close();
  expect(reported).toHaveBeenCalledOnce();
});

test.each(["{", '{"a":{"rows_read":"many","rows_written":0,"storage_bytes":0}}'])(
  "does not start if another program has changed the usage figures: %s",
  async (text) => {
    const data = dataFile();
    const first = await sqlWorld({ data });
    await first.api.close();
    const file = join(rowsOf(data), "usage.json");
    const before = readFileSync(file, "utf8");
    writeFileSync(file, text);
    const reason = usageChanged({ file: "usage.json" });
    await expect(sqlWorld({ data })).rejects.toThrow(new Error(cannotOpen({ place: data, reason })));
    writeFileSync(file, before);
    await sqlWorld({ data, now: undefined });
  },
);

test("reports that the lock file is corrupt, not that another server is running", async () => {
  const data = dataFile();
  mkdirSync(`${data}-sql`);
  writeFileSync(join(`${data}-sql`, "lock"), "no database ".repeat(500));
  await expect(sqlWorld({ data })).rejects.toThrow(
    cannotOpen({ place: `${data}-sql`, reason: "file is not a database" }),
  );
});

test("opens a data file by a relative path", async () => {
  const { database } = await sqlWorld({ data: relative(process.cwd(), dataFile()) });
  const orders = await database("orders");
  await execute(orders, "create table t (x)");
  expect(await column(orders, "select count(*) from t")).toEqual(["0"]);
});

test("a server keeps its databases' rows when its data file is opened through a symbolic link", async () => {
  const data = dataFile();
  const first = await sqlWorld({ data });
  const orders = await first.database("orders");
  await execute(orders, "create table t (x)");
  await first.api.close();
  const link = `${data}-link`;
  symlinkSync(data, link);
  const { api } = await sqlWorld({ data: link, now: undefined });
  const again = { ...orders, url: `${api.url}/sql/${orders.id}/` };
  expect(await column(again, "select count(*) from t")).toEqual(["0"]);
});
