import { createDatabase } from "db0";
import libsql from "db0/connectors/libsql/node";

const { DATABASE_URL: url, DATABASE_TOKEN: authToken } = process.env;
const db = createDatabase(libsql({ url, authToken }));

await db.sql`create table customers (id integer primary key, name text not null)`;
await db.sql`insert into customers (name) values (${"ada"})`;

// The connector has no transactions of its own, so the client beneath it begins them.
const client = await db.getInstance();
const transaction = await client.transaction("write");
await transaction.execute("delete from customers");
await transaction.rollback();

await db.exec("alter table customers add column note text");
await db.prepare("insert into customers (name, note) values (?, ?)").bind("eve", "second").run();
const { rows } = await db.sql`select name, note from customers order by id`;
console.log(JSON.stringify(rows));
await db.dispose();
