import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@libsql/client/http";
import { expect, onTestFinished } from "vitest";
import { lazy } from "../../platform/contract/lazy";
import { startReferenceApi } from "../../platform/reference/server";
import { clientOf } from "../engine/engine-fixture";
import { acmeWith } from "../engine/seed";
import type { Declared, Program, Value } from "../fake-engine/declared-program";
import type { Ended } from "../fake-engine/declared-stack";
import { fakeStack } from "../fake-engine/fake-engine";
import { faultyWire } from "../faulty-wire";
import { organizationSlug } from "../stories/outside";

/** Migrations of which a part would show in the schema. */
export const MIGRATIONS = {
  "0001_orders": "CREATE TABLE orders (item text);\nCREATE INDEX by_item ON orders (item);",
  "0002_amount": "ALTER TABLE orders ADD amount integer DEFAULT 1;\nCREATE UNIQUE INDEX one_item ON orders (item);",
} as const;

/** What a database at each version has: its tables and indexes, the columns of `orders`, and the applied migrations. */
const VERSIONS = [
  "||",
  "by_item,orders|item|0001_orders",
  "by_item,one_item,orders|item,amount|0001_orders,0002_amount",
];

const SCHEMA = `select
  coalesce((select group_concat(name) from (select name from sqlite_schema where name not like '%\\_\\_dbplatform%' escape '\\' order by name)), '')
  || '|' || coalesce((select group_concat(name) from pragma_table_info('orders')), '') || '|'`;
const APPLIED =
  "(select coalesce(group_concat(name), '') from (select name from __dbplatform_migrations order by name))";

/** A folder of numbered migrations, which is removed when the test ends. */
export function numberedFolder(migrations: Readonly<Record<string, string>> = {}) {
  const path = mkdtempSync(join(tmpdir(), "dbplatform-migrations-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  const fileOf = (name: string) => join(path, `${name}.sql`);
  const folder = {
    path,
    write: (name: string, text: string) => writeFileSync(fileOf(name), text),
    remove: (name: string) => rmSync(fileOf(name)),
  };
  for (const [name, text] of Object.entries(migrations)) folder.write(name, text);
  return folder;
}

type Seeded = NonNullable<Parameters<typeof acmeWith>[1]>;

interface Options {
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether the reference API serves SQL. */
  readonly sql?: boolean;
}

/** A group of databases behind a wire, a folder with two migrations, and a stack that applies them. */
export async function migratedGroup(
  databases: readonly (string | Seeded)[],
  { settings = {}, sql = true }: Options = {},
) {
  const seeded = databases.map((database) => (typeof database === "string" ? { name: database } : database));
  const api = await startReferenceApi({ seed: acmeWith(0, ...seeded), sql });
  const wire = await faultyWire(api.url);
  const stack = fakeStack({ api, baseUrl: wire.url, settings });
  const close = lazy(async () => {
    await stack.close();
    await wire.close();
    await api.close();
  });
  onTestFinished(close);
  const outside = clientOf(api, api.apiToken);
  const folder = numberedFolder(MIGRATIONS);
  /** Everything that the runs have said. */
  const said: Ended[] = [];

  const ids = async (): Promise<Record<string, string>> => {
    const { databases } = await outside.listDatabases({ organizationSlug });
    return Object.fromEntries(databases.map(({ Name, DbId }) => [Name, DbId]));
  };
  const groupToken = async () => (await outside.createGroupToken({ organizationSlug, groupName: "default" })).jwt;

  async function query(dbId: string, token: string, statement: string): Promise<unknown[]> {
    const client = createClient({ url: String(api.sql).replace("{DbId}", dbId), authToken: token });
    try {
      return (await client.execute(statement)).rows.map((row) => row[0]);
    } finally {
      client.close();
    }
  }

  async function versionOf(dbId: string, token: string): Promise<number> {
    const whole = (applied: string) => query(dbId, token, `${SCHEMA} || ${applied}`);
    const [found] = await whole(APPLIED).catch(() => whole("''"));
    const version = VERSIONS.indexOf(String(found));
    expect(version, `a whole version: ${found}\n${group.told()}`).toBeGreaterThanOrEqual(0);
    return version;
  }

  const group = {
    api,
    wire,
    stack,
    outside,
    folder,
    ids,
    /** Closes everything before the test ends. */
    close,
    told: () => JSON.stringify(said, undefined, 1),
    /** Returns a program that migrates the group. */
    program: (args: Readonly<Record<string, Value>> = {}): Program =>
      new Map<string, Declared>([
        ["schema", { type: "DatabaseMigrations", args: { group: "default", folder: folder.path, ...args } }],
      ]),
    async run(program: Program, options: Partial<Parameters<typeof stack.run>[1]> = {}): Promise<Ended> {
      const ended = await stack.run(program, { preview: false, ...options });
      said.push(ended);
      return ended;
    },
    up: (args: Readonly<Record<string, Value>> = {}) => group.run(group.program(args)),
    preview: (args: Readonly<Record<string, Value>> = {}) => group.run(group.program(args), { preview: true }),
    /** Everything that is recorded of the runs, in the state, in messages and in the platform's journal. */
    records: async () => JSON.stringify([...(await stack.managed()), group.told(), api.journal()]),
    /** The tokens that were sent to databases. */
    tokens: () =>
      new Set(
        wire.requests.flatMap(({ path, authorization }) =>
          path.startsWith("/sql/") ? [String(authorization?.split(" ")[1])] : [],
        ),
      ),
    outputs: async () => (await stack.managed()).get("schema")?.outputs ?? {},
    /** Runs a statement in a database, and returns the first column of its result. */
    async execute(name: string, statement: string): Promise<unknown[]> {
      return query(String((await ids())[name]), await groupToken(), statement);
    },
    /** Returns how many migrations each database has. Fails if one has a part of a migration. */
    async versions(): Promise<Record<string, number>> {
      const token = await groupToken();
      const versions: Record<string, number> = {};
      const queue = Object.entries(await ids()).values();
      const worker = async () => {
        for (const [name, dbId] of queue) versions[name] = await versionOf(dbId, token);
      };
      await Promise.all(Array.from({ length: 16 }, worker));
      return versions;
    },
  };
  return group;
}

export type MigratedGroup = Awaited<ReturnType<typeof migratedGroup>>;
