/** A tool that people use with libSQL databases, as run by `tools.test.ts` and as listed in docs/reference-api-sql.md. */
export interface Tool {
  readonly name: string;
  /** The folder in `tools/` with a program that uses the tool, or undefined if another test runs the tool. */
  readonly program?: string;
  readonly language: "JavaScript" | "Python" | "Go" | "Java";
  /** Exact versions, by name in the registry of the language. */
  readonly packages: Readonly<Record<string, string>>;
  readonly connects: string;
  readonly did: string;
  readonly result: string;
  /** The day on which the program last ran, and its result was compared with the one here. */
  readonly date: string;
}

const QUERY_BUILDER = "a migration twice, `insert … returning`, commit, rollback, a join, violated constraints";
const CONSTRAINT = "the `code` of a violated constraint is `SQLITE_CONSTRAINT`";

export const TOOLS: readonly Tool[] = [
  {
    name: "Drizzle",
    program: "drizzle",
    language: "JavaScript",
    packages: { "drizzle-orm": "0.45.4", "@libsql/client": "0.18.0" },
    connects: "`drizzle({ connection: { url, authToken } })` from `drizzle-orm/libsql`",
    did: `${QUERY_BUILDER}, vectors and their distances`,
    result: "works; `cause.code` of a violated constraint is `SQLITE_CONSTRAINT`",
    date: "2026-11-28",
  },
  {
    name: "drizzle-kit",
    language: "JavaScript",
    packages: { "drizzle-kit": "0.31.11", "drizzle-orm": "0.45.4", "@libsql/client": "0.18.0" },
    connects: '`dialect: "turso"`, `dbCredentials: { url, authToken }`',
    did: "`generate`, `migrate` and `push`, with each kind of change to a column",
    result: "works",
    date: "2026-11-28",
  },
  {
    name: "Kysely",
    program: "kysely",
    language: "JavaScript",
    packages: { kysely: "0.29.9", "@libsql/kysely-libsql": "0.4.1" },
    connects: "`new LibsqlDialect({ url, authToken })`",
    did: QUERY_BUILDER,
    result: `works; ${CONSTRAINT}`,
    date: "2026-11-28",
  },
  {
    name: "knex",
    program: "knex",
    language: "JavaScript",
    packages: { knex: "3.3.0", "@libsql/knex-libsql": "0.1.0" },
    connects: '`connection: { filename: url + "?authToken=" + authToken }`',
    did: QUERY_BUILDER,
    result: `works; ${CONSTRAINT}`,
    date: "2026-11-28",
  },
  {
    name: "Prisma",
    program: "prisma",
    language: "JavaScript",
    packages: {
      prisma: "7.10.0",
      "@prisma/client": "7.10.0",
      "@prisma/adapter-libsql": "7.10.0",
      "@libsql/client": "0.17.4",
    },
    connects: "`new PrismaLibSql({ url, authToken })`",
    did: "`generate`, two migrations as SQL, commit, rollback",
    result:
      "works; a violated constraint is `P2039`, and the schema changes by SQL, because `prisma migrate` and `prisma db push` do not connect to libSQL",
    date: "2026-11-28",
  },
  {
    name: "MikroORM",
    program: "mikro-orm",
    language: "JavaScript",
    packages: { "@mikro-orm/core": "7.2.1", "@mikro-orm/libsql": "7.2.1" },
    connects: "`dbName: url`, `password: authToken`",
    did: "`schema.create`, commit, rollback, `schema.update` with a new column",
    result: "works",
    date: "2026-11-28",
  },
  {
    name: "Astro DB",
    program: "astro-db",
    language: "JavaScript",
    packages: { astro: "6.4.8", "@astrojs/db": "0.21.3" },
    connects: "`ASTRO_DB_REMOTE_URL`, `ASTRO_DB_APP_TOKEN`",
    did: "`astro db push --remote` and `execute --remote`, commit, rollback, a second `push` with a new column",
    result: "works; Astro 7.3.5 no longer has `astro db`",
    date: "2026-11-28",
  },
  {
    name: "Payload",
    program: "payload",
    language: "JavaScript",
    packages: { payload: "3.90.2", "@payloadcms/db-sqlite": "3.90.2" },
    connects: "`sqliteAdapter({ client: { url, authToken } })`",
    did: "the push of the schema in development, create, delete, rollback, a second push with a new field",
    result:
      "works; a push that copies a table, as `required` for an existing field does, fails (`index … already exists`), also with libSQL's own server; a migration does not",
    date: "2026-11-28",
  },
  {
    name: "better-auth",
    program: "better-auth",
    language: "JavaScript",
    packages: { "better-auth": "1.7.7", auth: "1.7.7", "@libsql/kysely-libsql": "0.4.1" },
    connects: '`database: { dialect: new LibsqlDialect({ url, authToken }), type: "sqlite" }`',
    did: "`auth migrate`, sign-up, sign-in, rollback, a second `auth migrate` with a new field",
    result: "works",
    date: "2026-11-28",
  },
  {
    name: "Mastra",
    program: "mastra",
    language: "JavaScript",
    packages: { "@mastra/core": "1.71.0", "@mastra/libsql": "1.23.1" },
    connects: "`new LibSQLStore({ id, url, authToken })`",
    did: "`init` twice, threads and messages: save, change, delete, list",
    result: "works; `LibSQLVector` does not, because it needs `libsql_vector_idx`",
    date: "2026-11-28",
  },
  {
    name: "db0",
    program: "db0",
    language: "JavaScript",
    packages: { db0: "0.4.2", "@libsql/client": "0.17.4" },
    connects: "`createDatabase(libsql({ url, authToken }))` from `db0/connectors/libsql/node`",
    did: "a table, commit, a rollback with the client beneath it, a new column",
    result: "works",
    date: "2026-11-28",
  },
  {
    name: "`@libsql/sqlite3`",
    program: "sqlite3",
    language: "JavaScript",
    packages: { "@libsql/sqlite3": "0.3.1" },
    connects: '`new sqlite3.Database(url + "?authToken=" + authToken)`',
    did: "a table, commit, rollback, a new column",
    result: "works",
    date: "2026-11-28",
  },
  {
    name: "SQLAlchemy",
    program: "sqlalchemy",
    language: "Python",
    packages: { sqlalchemy: "2.1.9", "sqlalchemy-libsql": "0.2.0", "libsql-experimental": "0.0.55" },
    connects: '`create_engine("sqlite+libsql://127.0.0.1:8080/sql/<DbId>/", connect_args={"auth_token": token})`',
    did: QUERY_BUILDER.replace("a migration", "`create_all`"),
    result:
      "works; a violated constraint is a `ValueError` with the message and code of the server, because the driver raises no errors of DB-API",
    date: "2026-11-28",
  },
  {
    name: "Alembic",
    program: "alembic",
    language: "Python",
    packages: {
      alembic: "1.20.1",
      sqlalchemy: "2.1.9",
      "sqlalchemy-libsql": "0.2.0",
      "libsql-experimental": "0.0.55",
    },
    connects: "as SQLAlchemy, in `env.py`",
    did: "`revision --autogenerate`, `upgrade`, `check`, commit, rollback, a second revision that copies the table (`render_as_batch`)",
    result: "works",
    date: "2026-11-28",
  },
  {
    name: "Django",
    program: "django",
    language: "Python",
    packages: { django: "5.2.19", "django-libsql-backend": "0.1.3" },
    connects: '`"ENGINE": "django_libsql"`, `"NAME": url`, `"AUTH_TOKEN": token`',
    did: "`makemigrations`, `migrate` (also of `auth` and `sessions`), commit, a deletion rolled back, a second migration that copies the table",
    result:
      "works; the backend commits inserts at once, even in `atomic`, because it has no transactions on the server; `__regex` fails, because there is no `regexp`",
    date: "2026-11-28",
  },
  {
    name: "goose",
    program: "goose",
    language: "Go",
    packages: {
      "github.com/pressly/goose/v3": "v3.30.0",
      "github.com/tursodatabase/libsql-client-go": "v0.0.0-20260528064733-9d5d30a29a60",
    },
    connects: '`sql.Open("libsql", url + "?authToken=" + token)`, `goose.DialectTurso`',
    did: "two migrations, the second one (with a trigger) also down and up again, commit, rollback",
    result: "works",
    date: "2026-11-28",
  },
  {
    name: "DBeaver's JDBC driver",
    program: "jdbc",
    language: "Java",
    packages: { "com.dbeaver.jdbc:com.dbeaver.jdbc.driver.libsql": "1.0.6" },
    connects: "`jdbc:dbeaver:libsql:http://127.0.0.1:8080/sql/<DbId>/`, with the token as password",
    did: "a table, a prepared insert, a new column, the metadata of its columns",
    result: "works; the driver has no transactions",
    date: "2026-11-28",
  },
];

/** Returns the row of a tool in the table of docs/reference-api-sql.md. */
export function rowOf({ name, packages, connects, did, result, date }: Tool): string {
  const versions = Object.entries(packages).map(([name, version]) => `\`${name}\` ${version}`);
  return `| ${name} (${versions.join(", ")}) | ${connects} | ${did} | ${result} | ${date} |`;
}
