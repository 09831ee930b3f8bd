import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sqlWorld } from "../reference/sql/sql";

const run = promisify(execFile);

const PACKAGES = ["@libsql/client@0.18.0", "@libsql/kysely-libsql@0.4.1", "drizzle-orm@0.45.4", "kysely@0.29.9"];

const DRIZZLE = `
import { mkdirSync, writeFileSync } from "node:fs";
import { eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import { migrate } from "drizzle-orm/libsql/migrator";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

const journal = {
  version: "7",
  dialect: "sqlite",
  entries: [{ idx: 0, version: "6", when: 1, tag: "0000_items", breakpoints: true }],
};
mkdirSync("drizzle/meta", { recursive: true });
writeFileSync("drizzle/meta/_journal.json", JSON.stringify(journal));
writeFileSync(
  "drizzle/0000_items.sql",
  "CREATE TABLE items (id integer PRIMARY KEY NOT NULL, name text NOT NULL);\\n" +
    "--> statement-breakpoint\\nCREATE UNIQUE INDEX names ON items (name);",
);

const items = sqliteTable("items", { id: integer().primaryKey(), name: text().notNull() });
const db = drizzle({ connection: { url: process.env.DATABASE_URL, authToken: process.env.DATABASE_TOKEN } });
// The second time, the migration is recorded and does not run.
for (const _ of [1, 2]) await migrate(db, { migrationsFolder: "drizzle" });
await db.transaction((transaction) => transaction.insert(items).values([{ name: "a" }, { name: "b" }]));
const undone = db.transaction(async (transaction) => {
  await transaction.delete(items);
  transaction.rollback();
});
await undone.catch(() => undefined);
console.log(JSON.stringify(await db.select().from(items).where(eq(items.name, "b"))));
`;

const KYSELY = `
import { LibsqlDialect } from "@libsql/kysely-libsql";
import { Kysely } from "kysely";
import { Migrator } from "kysely/migration";

const { DATABASE_URL: url, DATABASE_TOKEN: authToken } = process.env;
const db = new Kysely({ dialect: new LibsqlDialect({ url, authToken }) });
const up = (db) =>
  db.schema
    .createTable("items")
    .addColumn("id", "integer", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.unique())
    .execute();
const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ items: { up } }) } });
// The second time, the migration is recorded and does not run.
for (const _ of [1, 2]) {
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
await db.transaction().execute((t) => t.insertInto("items").values([{ name: "a" }, { name: "b" }]).execute());
const undone = db.transaction().execute(async (transaction) => {
  await transaction.deleteFrom("items").execute();
  throw new Error("undo");
});
await undone.catch(() => undefined);
console.log(JSON.stringify(await db.selectFrom("items").selectAll().where("name", "=", "b").execute()));
await db.destroy();
`;

let project: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "dbplatform-builders-"));
  await writeFile(join(project, "package.json"), '{"name": "user", "private": true}');
  await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...PACKAGES], { cwd: project });
});
afterAll(() => rm(project, { recursive: true, force: true }));

test.each([
  ["Drizzle", DRIZZLE],
  ["Kysely", KYSELY],
])("%s migrates a database, and commits and rolls back transactions", async (name, program) => {
  const { database } = await sqlWorld();
  const { url, token } = await database("orders");
  await writeFile(join(project, `${name}.mjs`), program);
  const env = { ...process.env, DATABASE_URL: url, DATABASE_TOKEN: token };
  const { stdout } = await run(process.execPath, [`${name}.mjs`], { cwd: project, env });
  expect(JSON.parse(stdout)).toEqual([{ id: 2, name: "b" }]);
});
