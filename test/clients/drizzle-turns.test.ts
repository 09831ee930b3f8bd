// @module-tag more
// @module-tag migrations

import { mkdtemp, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, onTestFinished, type TestContext, test } from "vitest";
import { fakeStack } from "../fake-engine/fake-engine";
import { column, execute, sqlWorld } from "../reference/sql/sql";
import { drizzleKit, npmProject } from "./drizzle-project";
import { TOOLS } from "./tools";

const { packages = {} } = TOOLS.find(({ name }) => name === "drizzle-kit") ?? {};
const NEWER = "1.0.0-rc.5-5935859";

const journal = npmProject(packages);
const folders = npmProject({ ...packages, "drizzle-kit": NEWER, "drizzle-orm": NEWER });

const TABLES = ["teams", "users", "orders", "bills"] as const;

/** A schema with the first of the tables. */
const schemaWith = (tables: number): string => `
  import { sqliteTable, integer, text } from "drizzle-orm/sqlite-core";
  ${TABLES.slice(0, tables)
    .map((name) => `export const ${name} = sqliteTable("${name}", { id: integer().primaryKey(), name: text() });`)
    .join("\n")}
`;

type Project = ReturnType<ReturnType<typeof npmProject>>;

/** A database, and a folder in which drizzle-kit generates its migrations. */
async function begin(context: TestContext, project: Project, dialect = "turso") {
  if (project.missing !== "") return context.skip(project.missing);
  const { api, database } = await sqlWorld();
  const place = await database("shop");
  const cwd = await mkdtemp(join(project.folder, "schema-"));
  const config = { dialect, schema: "./schema.ts", out: "./drizzle", dbCredentials: { url: place.url } };
  await writeFile(join(cwd, "drizzle.config.ts"), `export default ${JSON.stringify(config)};\n`);
  const stack = fakeStack({ api });
  onTestFinished(() => stack.close());
  const folder = join(cwd, "drizzle");
  const program = new Map([["schema", { type: "DatabaseMigrations", args: { database: place.id, folder } }]]);
  return {
    place,
    kit: (from: Project, ...args: string[]) => drizzleKit(from, cwd, args),
    async generate(from: Project, schema: string) {
      await writeFile(join(cwd, "schema.ts"), schema);
      await drizzleKit(from, cwd, ["generate"]);
    },
    /** Applies what is pending with this provider. */
    async provider() {
      const { failure, changes } = await stack.run(program, { preview: false });
      if (failure !== undefined) throw new Error(failure);
      return changes.length;
    },
    /** Applies what is pending with Drizzle's migrator. */
    async drizzle(from: Project) {
      const load = createRequire(join(from.folder, "package.json"));
      const { drizzle } = load("drizzle-orm/libsql");
      const { migrate } = load("drizzle-orm/libsql/migrator");
      const db = drizzle({ connection: { url: place.url, authToken: place.token } });
      await migrate(db, { migrationsFolder: folder });
      db.$client.close();
    },
    tables: () =>
      column(place, "select name from sqlite_schema where type = 'table' and name not like '\\_\\_%' escape '\\'"),
    applied: async () => Number(await column(place, "select count(*) from __drizzle_migrations")),
  };
}

describe.each([
  ["drizzle-kit 0.31", journal],
  ["drizzle-kit 1.0", folders],
] as const)("in a folder of %s", (_, project) => {
  test.for([
    ["this provider", "Drizzle's migrator"],
    ["Drizzle's migrator", "this provider"],
  ] as const)(
    "%s begins, takes turns with %s, and neither applies anything twice",
    async ([first, second], context) => {
      const here = await begin(context, project());
      const migrators = { "this provider": here.provider, "Drizzle's migrator": () => here.drizzle(project()) };
      for (const [index, name] of TABLES.entries()) {
        await here.generate(project(), schemaWith(index + 1));
        for (const migrate of index % 2 === 0 ? [first, second] : [second, first]) await migrators[migrate]();
        expect(await here.tables(), name).toEqual(TABLES.slice(0, index + 1));
        expect(await here.applied()).toBe(index + 1);
      }
    },
  );

  test("this provider keeps all rows when a table is replaced on which others depend", async (context) => {
    // For "turso", version 0.31 alters the column instead.
    const here = await begin(context, project(), "sqlite");
    const schema = (email: string) => `
      import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
      export const users = sqliteTable("users", { id: integer().primaryKey(), email: ${email} });
      const user = () => integer().references(() => users.id, { onDelete: "cascade" });
      export const orders = sqliteTable("orders", { id: integer().primaryKey(), user: user() });
    `;
    await here.generate(project(), schema("text()"));
    await here.provider();
    await execute(here.place, "insert into users values (1, 'ada'), (2, 'max')");
    await execute(here.place, "insert into orders values (10, 1), (20, 2)");
    await here.generate(project(), schema('text().notNull().default("")'));
    expect(await here.provider()).toBe(1);
    expect(
      await column(here.place, "select orders.id || user || email from orders join users on users.id = user"),
    ).toEqual(["101ada", "202max"]);
    expect(await column(here.place, `select "notnull" from pragma_table_info('users') where name = 'email'`)).toEqual([
      "1",
    ]);
    await execute(here.place, "delete from users where id = 1");
    expect(await column(here.place, "select id from orders")).toEqual(["20"]);
  });
});

test.for(["this provider", "Drizzle's migrator"] as const)(
  "after drizzle-kit 1.0 has converted the folder, %s continues with what both applied before",
  async (next, context) => {
    const here = await begin(context, journal());
    await here.generate(journal(), schemaWith(1));
    await here.provider();
    await here.generate(journal(), schemaWith(2));
    await here.drizzle(journal());
    await here.kit(folders(), "up");
    await here.generate(folders(), schemaWith(3));
    const migrators = [here.provider, () => here.drizzle(folders())];
    for (const migrate of next === "this provider" ? migrators : migrators.reverse()) await migrate();
    await here.generate(folders(), schemaWith(4));
    for (const migrate of migrators) await migrate();
    expect(await here.tables()).toEqual(TABLES);
    expect(await here.applied()).toBe(4);
  },
);
