import { LibsqlDialect } from "@libsql/kysely-libsql";
import { Kysely } from "kysely";
import { Migrator } from "kysely/migration";

const { DATABASE_URL: url, DATABASE_TOKEN: authToken } = process.env;
const db = new Kysely({ dialect: new LibsqlDialect({ url, authToken, intMode: "bigint" }) });
async function up({ schema }) {
  await schema
    .createTable("customers")
    .addColumn("id", "integer", (column) => column.primaryKey().autoIncrement())
    .addColumn("name", "text", (column) => column.notNull().unique())
    .execute();
  await schema
    .createTable("orders")
    .addColumn("id", "integer", (column) => column.primaryKey().autoIncrement())
    .addColumn("customer_id", "integer", (column) => column.notNull().references("customers.id"))
    .addColumn("total", "integer", (column) => column.notNull())
    .addColumn("picture", "blob")
    .addColumn("note", "text")
    .execute();
}
const provider = { getMigrations: async () => ({ orders: { up } }) };
// The second time, the migration is recorded and does not run.
for (const _ of [1, 2]) {
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  if (error) throw error;
}

const names = [{ name: "ada" }, { name: "max" }];
const returned = await db.insertInto("customers").values(names).returning("id").execute();
await db.transaction().execute(async (transaction) => {
  const order = { customer_id: 1, total: 9007199254740993n, picture: Uint8Array.of(0, 255), note: null };
  await transaction.insertInto("orders").values(order).execute();
});
const undone = db.transaction().execute(async (transaction) => {
  await transaction.deleteFrom("orders").execute();
  throw new Error("undo");
});
await undone.catch(() => undefined);
const joined = await db
  .selectFrom("orders")
  .innerJoin("customers", "customers.id", "orders.customer_id")
  .select(["name", "total", "picture", "note"])
  .executeTakeFirstOrThrow();
const refused = (query) => query.execute().then(undefined, ({ code }) => code);
const duplicate = await refused(db.insertInto("customers").values({ name: "ada" }));
const orphan = await refused(db.insertInto("orders").values({ customer_id: 7, total: 1 }));
console.log(
  JSON.stringify({
    returned: returned.map(({ id }) => Number(id)),
    joined: { ...joined, total: String(joined.total), picture: Buffer.from(joined.picture).toString("hex") },
    duplicate,
    orphan,
  }),
);
await db.destroy();
