// @module-tag more
// @module-tag the-reference-api

import { execFileSync, spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { expect, test } from "vitest";
import { full, printingFailures, seeded } from "../../full";
import { dumpOf, uploadFile } from "./dumps";
import { randomSchema, type SchemaPart } from "./random-schema";
import { CLOSE, dataFile, type Place, pipeline, sqlWorld, stmt } from "./sql";

/** Starts a server, and returns functions that create databases on it. */
async function dumpWorld() {
  const { database, owner, slug } = await sqlWorld();
  let count = 0;
  const create = (body: object = {}) => {
    count += 1;
    return database(`copy-${count}`, body);
  };
  return {
    create,
    async fromDump(dump: string) {
      const file = new File([dump], "dump.sql");
      const { dump_url: url } = await owner.ok("uploadDump", { ...slug, body: { file } });
      return create({ seed: { type: "dump", url } });
    },
    async fromFile(path: string) {
      const created = await create({ seed: { type: "database_upload" } });
      await uploadFile(created, new Uint8Array(await readFile(path)));
      return created;
    },
  };
}

/** Runs statements on one stream, each of which must succeed. */
async function run(place: Place, statements: readonly string[]): Promise<void> {
  const { results } = await pipeline(place, [...statements.map((sql) => stmt(sql)), CLOSE]);
  for (const [at, { error }] of results.entries()) expect(error, statements[at]).toBeUndefined();
}

/** Returns the rows that answer each query, or its error. */
async function answersOf(place: Place, queries: readonly string[]): Promise<string[]> {
  const { results } = await pipeline(place, [...queries.map((sql) => stmt(sql)), CLOSE]);
  return queries.map((sql, at) => {
    const { response, error } = results[at] ?? {};
    return `${sql}: ${JSON.stringify(response?.result.rows ?? error)}`;
  });
}

const ABOUT_SCHEMA = [
  "select type, name, tbl_name, sql from sqlite_schema order by type, name",
  "select * from sqlite_sequence order by name",
  "pragma foreign_key_check",
];

/** What the `sqlite3` command of this machine lacks, or `undefined` if there is no such command. */
function missingInCommand(): readonly SchemaPart["needs"][] | undefined {
  const probes = [
    ["contentless_delete", "create virtual table f using fts5(a, content='', contentless_delete=1)"],
    ["geopoly", "create virtual table g using geopoly()"],
  ] as const;
  const command = (sql: string) => spawnSync("sqlite3", [":memory:", sql], { encoding: "utf8" });
  if (command("select 1").stdout !== "1\n") return undefined;
  return probes.filter(([, sql]) => command(sql).status !== 0).map(([name]) => name);
}

/** Loads a dump in the SQLite that comes with Node.js, and returns the path of the file. */
function loadedByNode(dump: string): string {
  const file = dataFile();
  const database = new DatabaseSync(file, { defensive: false } as object);
  database.exec(dump);
  database.close();
  return file;
}

/** Loads a dump with the `sqlite3` command, and returns the path of the file. */
function loadedByCommand(dump: string): string {
  const file = dataFile();
  // Newer versions of the command do not let a dump fill shadow tables by default, not even one of their own.
  execFileSync("sqlite3", ["-bail", file], { input: `.dbconfig defensive off\n${dump}` });
  return file;
}

test("a dump of a random schema gives equal answers here and in SQLite, also after changes", async () => {
  const { create, fromDump, fromFile } = await dumpWorld();
  const missing = missingInCommand();
  if (!missing) console.log("This machine has no sqlite3 command, so dumps are loaded only here and by Node.js.");
  await fc.assert(
    fc.asyncProperty(
      randomSchema,
      printingFailures(async (parts) => {
        const all = (key: "sql" | "queries" | "changes") => parts.flatMap((part) => part[key]);
        const original = await create();
        await run(original, all("sql"));
        const dump = await (await dumpOf(original)).text();
        const sent = await create();
        const { results } = await pipeline(sent, [{ type: "sequence", sql: dump }, CLOSE]);
        expect(results[0]?.error).toBeUndefined();
        const copies = new Map<string, Place>([
          ["uploaded", await fromDump(dump)],
          ["sent by a client", sent],
          ["loaded by Node.js", await fromFile(loadedByNode(dump))],
        ]);
        if (missing && !parts.some(({ needs }) => missing.includes(needs)))
          copies.set("loaded by the sqlite3 command", await fromFile(loadedByCommand(dump)));
        const queries = [...ABOUT_SCHEMA, ...all("queries")];
        const compare = async () => {
          const expected = await answersOf(original, queries);
          for (const [how, copy] of copies) expect(await answersOf(copy, queries), how).toEqual(expected);
        };
        await compare();
        for (const place of [original, ...copies.values()]) await run(place, all("changes"));
        await compare();
      }),
    ),
    { numRuns: full ? 300 : 30, ...seeded },
  );
});

test("a dump keeps every bit of a float", async () => {
  const { create, fromDump } = await dumpWorld();
  const double = fc.double({ noNaN: true });
  await fc.assert(
    fc.asyncProperty(fc.array(double, { minLength: 100, maxLength: 100 }), async (values) => {
      const original = await create();
      const inserts = values
        .filter(Number.isFinite)
        .map((value) => stmt("insert into t values (?)", { args: [{ type: "float", value }] }));
      await pipeline(original, [stmt("create table t (x)"), ...inserts, CLOSE]);
      const copy = await fromDump(await (await dumpOf(original)).text());
      const query = ["select x from t order by rowid"];
      expect(await answersOf(copy, query)).toEqual(await answersOf(original, query));
    }),
    { numRuns: full ? 100 : 10, ...seeded },
  );
});
