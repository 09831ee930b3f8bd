import { Kysely, sql } from "kysely";
import { DEFAULT_MIGRATION_LOCK_TABLE, DEFAULT_MIGRATION_TABLE, Migrator } from "kysely/migration";
import { version } from "../../package.json";
import { createdByNewer, dataMissing, ofAnotherProgram } from "./messages";
import { migrations } from "./migrations/list";
import { nodeSqliteDialect } from "./node-sqlite";
import type { Schema } from "./schema";

const KNOWN = Object.keys(migrations);

/**
 * Thrown if the data is missing, or belongs to another program or a newer version. The message is shown to the user
 * unchanged.
 */
export class UnusableData extends Error {}

export interface DataPlace {
  /** Path or address of the data, without credentials. */
  readonly place: string;
  readonly tables: readonly string[];
  readonly mustHold: true | undefined;
  /** The alternative that the error message recommends, for example a new file. */
  readonly instead: string;
}

/**
 * Throws if the data belongs to another program or a newer version. With `mustHold`, also throws if there is no data
 * yet. Writes nothing, so that another program's data stays unchanged.
 */
export async function assertOurs(
  database: Kysely<Schema>,
  { place, tables, mustHold, instead }: DataPlace,
): Promise<void> {
  const others = tables.filter((table) => table !== DEFAULT_MIGRATION_TABLE && table !== DEFAULT_MIGRATION_LOCK_TABLE);
  const done = tables.includes(DEFAULT_MIGRATION_TABLE) ? await migrationsDone(database) : [];
  const unknown = done.filter((name) => !KNOWN.includes(name));
  if (done.some((name) => name === KNOWN[0])) {
    if (unknown.length > 0) throw new UnusableData(createdByNewer({ place, release: version, migrations: unknown }));
  } else if (others.length > 0 || unknown.length > 0) {
    throw new UnusableData(ofAnotherProgram({ place, tables: others.length > 0 ? others : tables, instead }));
  } else if (mustHold) {
    throw new UnusableData(dataMissing({ place }));
  }
}

async function migrationsDone(database: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{
    name: string;
  }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(database);
  return rows.map(({ name }) => name);
}

/**
 * Migrates the data to this version in one transaction. If several processes start at the same time, only one of them
 * migrates.
 *
 * @param schema The PostgreSQL schema of the tables. Without this argument, the migrator could mistake migration tables
 * in another schema for its own.
 */
export async function migrate(database: Kysely<Schema>, schema?: string): Promise<void> {
  const migrator = migratorOf(database, schema !== undefined ? { migrationTableSchema: schema } : {});
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}

const migratorOf = (database: Kysely<Schema>, options: object = {}): Migrator =>
  new Migrator({ db: database, provider: { getMigrations: async () => migrations }, ...options });

/** The names of all migrations of this version, in their order. */
export const MIGRATIONS: readonly string[] = KNOWN;

/** Rows by table. */
export type Tables = Readonly<Record<string, readonly object[]>>;

/** The maximum number of rows in one statement. A statement accepts only a limited number of values. */
const ROWS_AT_ONCE = 500;

/**
 * Returns rows that an older version has stored as this version stores them.
 *
 * @param tables The rows, in an order in which every row follows those that it refers to.
 * @param last The last migration that has run on the rows.
 * @param wanted The tables of this version.
 * @throws Error with SQLite's reason if the tables cannot hold the rows.
 */
export async function migrateTables(
  tables: Tables,
  { last, wanted }: { readonly last: string; readonly wanted: readonly string[] },
): Promise<Tables> {
  const database = new Kysely<Schema>({ dialect: nodeSqliteDialect(":memory:") });
  try {
    const migrator = migratorOf(database);
    const { error } = await migrator.migrateTo(last);
    if (error) throw error;
    for (const [table, rows] of Object.entries(tables))
      for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
        await database
          .insertInto(table as keyof Schema)
          .values(rows.slice(from, from + ROWS_AT_ONCE) as never)
          .execute();
    await migrate(database);
    const migrated: Record<string, object[]> = {};
    for (const table of wanted)
      migrated[table] = await database
        .selectFrom(table as keyof Schema)
        .selectAll()
        .execute();
    return migrated;
  } finally {
    await database.destroy();
  }
}
