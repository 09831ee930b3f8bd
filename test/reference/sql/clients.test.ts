import { createClient } from "@libsql/client/http";
import { connect } from "@tursodatabase/serverless";
import { expect, test } from "vitest";
import { sqlWorld } from "./sql";

test("@libsql/client connects, queries, and runs a batch and a transaction", async () => {
  const { database } = await sqlWorld();
  const { url, token: authToken } = await database("orders");
  const client = createClient({ url, authToken });
  await client.batch([
    "create table items (id integer primary key, name text)",
    "insert into items (name) values ('a')",
  ]);
  const transaction = await client.transaction("write");
  await transaction.execute({ sql: "insert into items (name) values (?)", args: ["b"] });
  expect((await client.execute("select count(*) as n from items")).rows[0]?.n).toBe(1);
  await transaction.commit();
  const undone = await client.transaction("write");
  await undone.execute("delete from items");
  await undone.rollback();
  const { rows, columns } = await client.execute("select name from items order by id");
  expect([columns, rows.map(({ name }) => name)]).toEqual([["name"], ["a", "b"]]);
  const inserted = await client.execute("insert into items (name) values ('c')");
  expect([inserted.rowsAffected, inserted.lastInsertRowid]).toEqual([1, 3n]);
  await expect(client.execute("insert into items (id) values (1)")).rejects.toMatchObject({
    code: "SQLITE_CONSTRAINT",
  });
  client.close();
});

test("@tursodatabase/serverless connects, queries, and runs a transaction", async () => {
  const { database } = await sqlWorld();
  const { url, token: authToken } = await database("orders");
  const client = connect({ url, authToken });
  await client.exec("create table items (id integer primary key, name text); insert into items (name) values ('a')");
  const add = await client.prepare("insert into items (name) values (?)");
  const addAll = client.transaction(async (names: string[]) => {
    for (const name of names) await add.run([name]);
  });
  await addAll(["b", "c"]);
  const rows = await (await client.prepare("select name from items order by id")).all();
  expect(rows.map(({ name }: { name: string }) => name)).toEqual(["a", "b", "c"]);
  await expect(client.exec("select * from nowhere")).rejects.toThrow("no such table");
});
