import { promisify } from "node:util";
import sqlite3 from "@libsql/sqlite3";

const { DATABASE_URL: url, DATABASE_TOKEN: token } = process.env;
const db = new sqlite3.Database(`${url}?authToken=${token}`);
const [exec, run, all] = [db.exec, db.run, db.all].map((method) => promisify(method).bind(db));

await exec("create table customers (id integer primary key, name text not null);");
await exec("begin");
await run("insert into customers (name) values (?)", ["ada"]);
await exec("commit");

await exec("begin");
await run("delete from customers");
await exec("rollback");

await exec("alter table customers add column note text;");
await run("insert into customers (name, note) values ($name, $note)", { $name: "eve", $note: "second" });
console.log(JSON.stringify(await all("select name, note from customers order by id")));
db.close();
