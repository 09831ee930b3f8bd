import { mkdirSync, writeFileSync } from "node:fs";
import { eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import { migrate } from "drizzle-orm/libsql/migrator";
import { blob, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { vectors } from "./vectors.mjs";

// The files that `drizzle-kit generate` writes.
mkdirSync("drizzle/meta", { recursive: true });
writeFileSync(
  "drizzle/meta/_journal.json",
  JSON.stringify({
    version: "7",
    dialect: "sqlite",
    entries: [{ idx: 0, version: "6", when: 1, tag: "0000_orders", breakpoints: true }],
  }),
);
writeFileSync(
  "drizzle/0000_orders.sql",
  `CREATE TABLE customers (id integer PRIMARY KEY AUTOINCREMENT NOT NULL, name text NOT NULL);
--> statement-breakpoint
CREATE UNIQUE INDEX customers_name_unique ON customers (name);
--> statement-breakpoint
CREATE TABLE orders (id integer PRIMARY KEY AUTOINCREMENT NOT NULL, customer_id integer NOT NULL, total integer NOT NULL,
  picture blob, note text, FOREIGN KEY (customer_id) REFERENCES customers(id));
`,
);

const customers = sqliteTable("customers", {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text().notNull().unique(),
});
const orders = sqliteTable("orders", {
  id: integer().primaryKey({ autoIncrement: true }),
  customerId: integer("customer_id")
    .notNull()
    .references(() => customers.id),
  total: integer().notNull(),
  picture: blob({ mode: "buffer" }),
  note: text(),
});

const { DATABASE_URL: url, DATABASE_TOKEN: authToken } = process.env;
const db = drizzle({ connection: { url, authToken, intMode: "bigint" } });
// The second time, the migration is recorded and does not run.
for (const _ of [1, 2]) await migrate(db, { migrationsFolder: "drizzle" });

const names = [{ name: "ada" }, { name: "max" }];
const returned = await db.insert(customers).values(names).returning({ id: customers.id });
await db.transaction(async (transaction) => {
  const order = { customerId: 1, total: 9007199254740993n, picture: Buffer.from([0, 255]), note: null };
  await transaction.insert(orders).values(order);
});
const undone = db.transaction(async (transaction) => {
  await transaction.delete(orders);
  transaction.rollback();
});
await undone.catch(() => undefined);
const [joined] = await db
  .select({ name: customers.name, total: orders.total, picture: orders.picture, note: orders.note })
  .from(orders)
  .innerJoin(customers, eq(orders.customerId, customers.id));
const refused = (query) => query.then(undefined, ({ cause }) => cause.code);
const duplicate = await refused(db.insert(customers).values({ name: "ada" }));
const orphan = await refused(db.insert(orders).values({ customerId: 7, total: 1 }));
console.log(
  JSON.stringify({
    returned: returned.map(({ id }) => Number(id)),
    joined: { ...joined, total: String(joined.total), picture: joined.picture.toString("hex") },
    duplicate,
    orphan,
    vectors,
  }),
);
