// @module-tag more

import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, type TestContext, test } from "vitest";
import { column, execute, type Place, sqlWorld } from "../reference/sql/sql";
import { drizzleKit, npmProject } from "./drizzle-project";
import { TOOLS } from "./tools";

interface Change {
  readonly kind: string;
  /** The columns of the table `users` beside `id`, and what else its declaration has. */
  readonly users: string;
  readonly more?: string;
  /** What SQLite says of the table afterwards. */
  readonly shown: string;
}

const TEAM = "team: integer().references(() => teams.id)";
const INDEX = '(t) => [index("by_name").on(t.name)]';

const FIRST: Change = {
  kind: "tables created",
  users: 'name: text(), age: integer(), note: text().default("x"), team: integer()',
  shown: "name TEXT, age INTEGER, note TEXT default 'x', team INTEGER",
};

/** Each kind of change, one after the other. */
const CHANGES: readonly Change[] = [
  {
    kind: "NOT NULL added",
    users: 'name: text().notNull().default("?"), age: integer(), note: text().default("x"), team: integer()',
    shown: "name TEXT not null default '?', age INTEGER, note TEXT default 'x', team INTEGER",
  },
  {
    kind: "NOT NULL removed, default changed",
    users: 'name: text(), age: integer(), note: text().default("it\'s, (y)"), team: integer()',
    shown: "name TEXT, age INTEGER, note TEXT default 'it''s, (y)', team INTEGER",
  },
  {
    kind: "default dropped",
    users: "name: text(), age: integer(), note: text(), team: integer()",
    shown: "name TEXT, age INTEGER, note TEXT, team INTEGER",
  },
  {
    kind: "default set",
    users: "name: text(), age: integer().default(18), note: text(), team: integer()",
    shown: "name TEXT, age INTEGER default 18, note TEXT, team INTEGER",
  },
  {
    kind: "type changed",
    users: 'name: text(), age: text().default("old"), note: text(), team: integer()',
    shown: "name TEXT, age TEXT default 'old', note TEXT, team INTEGER",
  },
  {
    kind: "REFERENCES added",
    users: `name: text(), age: text(), note: text(), ${TEAM}`,
    shown: "name TEXT, age TEXT, note TEXT, team INTEGER, team references teams",
  },
  {
    kind: "index added",
    users: `name: text(), age: text(), note: text(), ${TEAM}`,
    more: INDEX,
    shown: "name TEXT, age TEXT, note TEXT, team INTEGER, team references teams, by_name",
  },
  {
    kind: "indexed column changed",
    users: `name: text().notNull().default("?"), age: text(), note: text(), ${TEAM}`,
    more: INDEX,
    shown: "name TEXT not null default '?', age TEXT, note TEXT, team INTEGER, team references teams, by_name",
  },
  {
    kind: "column added",
    users: `name: text().notNull().default("?"), age: text(), note: text(), ${TEAM}, email: text()`,
    more: INDEX,
    shown:
      "name TEXT not null default '?', age TEXT, note TEXT, team INTEGER, email TEXT, team references teams, by_name",
  },
  {
    kind: "UNIQUE added",
    users: `name: text().notNull().default("?"), age: text(), note: text(), ${TEAM}, email: text().unique()`,
    more: INDEX,
    shown:
      "name TEXT not null default '?', age TEXT, note TEXT, team INTEGER, email TEXT, team references teams, by_name, users_email_unique unique",
  },
  {
    kind: "UNIQUE removed, column dropped",
    users: `name: text().notNull().default("?"), age: text(), note: text(), ${TEAM}`,
    more: INDEX,
    shown: "name TEXT not null default '?', age TEXT, note TEXT, team INTEGER, team references teams, by_name",
  },
  {
    kind: "REFERENCES removed",
    users: 'name: text().notNull().default("?"), age: text(), note: text(), team: integer()',
    more: INDEX,
    shown: "name TEXT not null default '?', age TEXT, note TEXT, team INTEGER, by_name",
  },
];

const SHOWN = `select group_concat(line, ', ') from (
  select name || ' ' || upper(type) || iif("notnull", ' not null', '') || iif(dflt_value is null, '', ' default ' || dflt_value) as line
    from pragma_table_info('users') where name <> 'id'
  union all select "from" || ' references ' || "table" from pragma_foreign_key_list('users')
  union all select * from (select name || iif("unique", ' unique', '') from pragma_index_list('users') order by name))`;

const project = npmProject(TOOLS.find(({ name }) => name === "drizzle-kit")?.packages ?? {});

/** A folder with the schema of one program, and a new database. */
async function begin(context: TestContext, name: string) {
  const { missing } = project();
  if (missing !== "") return context.skip(missing);
  const { database } = await sqlWorld();
  const place = await database(name);
  const folder = join(project().folder, name);
  await mkdir(folder);
  const dbCredentials = { url: place.url, authToken: place.token };
  const config = { dialect: "turso", schema: "./schema.ts", out: "./out", dbCredentials };
  await writeFile(join(folder, "drizzle.config.ts"), `export default ${JSON.stringify(config)};\n`);
  return {
    place,
    folder,
    declare: ({ users, more }: Change) => writeFile(join(folder, "schema.ts"), schemaOf(users, more)),
    kit: (...args: string[]) => drizzleKit(project(), folder, args),
  };
}

const schemaOf = (users: string, more: string | undefined): string => `
  import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
  export const teams = sqliteTable("teams", { id: integer().primaryKey({ autoIncrement: true }), name: text().notNull() });
  export const users = sqliteTable("users", { id: integer().primaryKey(), ${users} }, ${more ?? "() => []"});
`;

async function fill(place: Place): Promise<void> {
  await execute(place, "insert into teams (name) values ('red')");
  await execute(place, "insert into users (name, age, team) values ('ada', 36, 1), ('max', 20, 1)");
}

const rowsOf = (place: Place) => column(place, "select name || age || note || team from users order by id");

test("drizzle-kit push makes each kind of change in a table with rows, and keeps the rows", async (context) => {
  const { place, declare, kit } = await begin(context, "pushed");
  await declare(FIRST);
  await kit("push");
  expect(await column(place, SHOWN)).toEqual([FIRST.shown]);
  await fill(place);
  for (const change of CHANGES) {
    await declare(change);
    // Approves in advance that a column with values is dropped.
    await kit("push", "--force");
    expect(await column(place, SHOWN), change.kind).toEqual([change.shown]);
    expect(await rowsOf(place), change.kind).toEqual(["ada36x1", "max20x1"]);
  }
  expect(await column(place, "pragma foreign_key_check")).toEqual([]);
});

test("drizzle-kit generate and migrate apply the changes that push makes, and a rename, once", async (context) => {
  const { place, folder, declare, kit } = await begin(context, "migrated");
  await declare(FIRST);
  await kit("generate");
  await kit("migrate");
  await fill(place);
  for (const change of CHANGES) {
    await declare(change);
    await kit("generate");
  }
  // drizzle-kit asks which column was renamed only on a terminal. This is what it writes after the answer.
  await kit("generate", "--custom", "--name=renamed");
  const renamed = (await readdir(join(folder, "out"))).find((name) => name.endsWith("renamed.sql")) ?? "";
  await writeFile(join(folder, "out", renamed), 'ALTER TABLE `users` RENAME COLUMN "note" TO "remark";');
  await kit("migrate");
  const last = CHANGES.at(-1)?.shown.replace("note", "remark");
  expect(await column(place, SHOWN)).toEqual([last]);
  expect(await column(place, "select name || age || remark || team from users")).toEqual(["ada36x1", "max20x1"]);
  // All migrations are recorded, so none runs again.
  await kit("migrate");
  expect(await column(place, "select count(*) from __drizzle_migrations")).toEqual([String(CHANGES.length + 2)]);
});
