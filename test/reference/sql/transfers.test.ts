import { readFile, writeFile } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { hasRows, UPLOAD_INCOMPLETE } from "../../../platform/reference/sql/messages";
import { column, dataFile, execute, sqlWorld } from "./sql";
import { put, uploaded } from "./uploads";

/** Creates a SQLite file from SQL statements, and returns the path of the file. */
function databaseFile(sql: string): string {
  const file = dataFile();
  const local = new DatabaseSync(file);
  local.exec(sql);
  local.close();
  return file;
}

const upload = { seed: { type: "database_upload" } };

test("uploads a file in parts to a new database, and exports the database with later changes", async () => {
  // The file is too large to upload in one part.
  const file = databaseFile("create table t (x, filling); insert into t values (1, zeroblob(20000000))");
  const { database } = await sqlWorld();
  const shop = await database("shop", upload);
  expect(await uploaded(shop, new Uint8Array(await readFile(file)))).toEqual({ status: 200 });
  expect(await column(shop, "select x from t")).toEqual(["1"]);
  await execute(shop, "insert into t values (2, null)");
  expect(await put(shop, "start", '{"db_size_bytes": 4096}')).toMatchObject({
    status: 409,
    error: hasRows({ name: "shop" }),
  });
  const get = (below: string) => fetch(shop.url + below, { headers: { Authorization: `Bearer ${shop.token}` } });
  const { current_generation: generation } = await (await get("info")).json();
  await writeFile(file, await (await get(`export/${generation}`)).bytes());
  const exported = new DatabaseSync(file);
  expect(exported.prepare("select x from t").all()).toEqual([{ x: 1 }, { x: 2 }]);
  exported.close();
});

test("rejects a file that is incomplete or not a database, and keeps the new database empty", async () => {
  const { database, token } = await sqlWorld();
  const [shop, other] = [await database("shop", upload), await database("other", upload)];
  expect(await uploaded(shop, new TextEncoder().encode("no database".repeat(1000)))).toMatchObject({ status: 400 });
  const { upload_id: id } = await put(shop, "start", '{"db_size_bytes": 8192}');
  expect(await put(shop, `${id}/chunk/0`, new Uint8Array(9000))).toMatchObject({ status: 400 });
  expect(await put(shop, `${id}/finalize`)).toMatchObject({ status: 400, error: UPLOAD_INCOMPLETE });
  expect(await put(other, `${id}/finalize`)).toMatchObject({ status: 404 });
  const reader = { url: shop.url, token: await token("shop", { authorization: "read-only" }) };
  expect(await put(reader, "start", '{"db_size_bytes": 4096}')).toMatchObject({ status: 403 });
  expect(await column(shop, "select count(*) from sqlite_schema")).toEqual(["0"]);
});

test("enforces the size limit even if the uploaded database has large pages", async () => {
  const file = databaseFile("pragma page_size = 65536; create table t (x)");
  const { database } = await sqlWorld();
  const shop = await database("shop", { ...upload, size_limit: "1mb" });
  expect(await uploaded(shop, new Uint8Array(await readFile(file)))).toEqual({ status: 200 });
  await expect(execute(shop, "insert into t values (zeroblob(5000000))")).rejects.toThrow("SQLITE_FULL");
});
