import dialect from "@libsql/knex-libsql";
import createKnex from "knex";

const { DATABASE_URL: url, DATABASE_TOKEN: authToken } = process.env;
const knex = createKnex({
  client: dialect,
  connection: { filename: `${url}?authToken=${authToken}` },
  useNullAsDefault: true,
});
async function up({ schema }) {
  // A schema builder runs all of its statements together.
  await schema
    .createTable("customers", (table) => {
      table.increments("id");
      table.text("name").notNullable().unique();
    })
    .createTable("orders", (table) => {
      table.increments("id");
      table.integer("customer_id").notNullable().references("customers.id");
      table.bigInteger("total").notNullable();
      table.binary("picture");
      table.text("note");
    });
}
const migrationSource = {
  getMigrations: async () => ["orders"],
  getMigrationName: (name) => name,
  getMigration: async () => ({ up, down: async () => undefined }),
};
// The second time, the migration is recorded and does not run.
for (const _ of [1, 2]) await knex.migrate.latest({ migrationSource });

const names = [{ name: "ada" }, { name: "max" }];
const returned = await knex("customers").insert(names).returning("id");
await knex.transaction(async (transaction) => {
  const order = { customer_id: 1, total: 9007199254740993n, picture: Buffer.from([0, 255]), note: null };
  await transaction("orders").insert(order);
});
const undone = knex.transaction(async (transaction) => {
  await transaction("orders").delete();
  throw new Error("undo");
});
await undone.catch(() => undefined);
// This dialect cannot read integers above 2^53 as integers.
const total = knex.raw("cast(total as text) as total");
const joined = await knex("orders")
  .join("customers", "customers.id", "orders.customer_id")
  .first("name", total, "picture", "note");
const refused = (query) => query.then(undefined, ({ code }) => code);
const duplicate = await refused(knex("customers").insert({ name: "ada" }));
const orphan = await refused(knex("orders").insert({ customer_id: 7, total: 1 }));
console.log(
  JSON.stringify({
    returned: returned.map(({ id }) => id),
    joined: { ...joined, picture: Buffer.from(joined.picture).toString("hex") },
    duplicate,
    orphan,
  }),
);
await knex.destroy();
