import { copyFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Client, createClient } from "@libsql/client";
import { createClient as createSocketClient } from "@libsql/client/ws";
import { expect, onTestFinished, test } from "vitest";
import {
  VECTOR_INDEX_EXISTS,
  vectorFunctionElsewhere,
  vectorIndexElsewhere,
} from "../../../platform/reference/sql/engine/messages";
import { root } from "../../../tools/run";
import { CLOSE, column, dataFile, execute, pipeline, rowsOf, sqlWorld } from "./sql";
import { uploaded } from "./uploads";

const TRANSPORTS = ["HTTP", "WebSockets"] as const;

/** Returns an unmodified client of a new database. */
async function connected(transport: (typeof TRANSPORTS)[number]): Promise<Client> {
  const { database } = await sqlWorld();
  const { url, token: authToken } = await database("films");
  const client =
    transport === "HTTP"
      ? createClient({ url, authToken })
      : createSocketClient({ url: url.replace("http:", "ws:"), authToken });
  onTestFinished(() => client.close());
  return client;
}

const FILMS = [
  "create table movies (title text, year int, embedding F32_BLOB(4))",
  `insert into movies (title, year, embedding) values
    ('Napoleon', 2023, vector32('[0.800, 0.579, 0.481, 0.229]')),
    ('Black Hawk Down', 2001, vector32('[0.406, 0.027, 0.378, 0.056]')),
    ('Gladiator', 2000, vector32('[0.698, 0.140, 0.073, 0.125]')),
    ('Blade Runner', 1982, vector32('[0.379, 0.637, 0.011, 0.647]'))`,
];

test.each(TRANSPORTS)("@libsql/client over %s stores vectors, and finds the nearest ones", async (transport) => {
  const client = await connected(transport);
  await client.batch(FILMS, "write");
  const { rows } = await client.execute({
    sql: `select title, vector_extract(embedding) as embedding, vector_distance_cos(embedding, vector32(?)) as distance
      from movies order by distance limit 2`,
    args: ["[0.064, 0.777, 0.661, 0.687]"],
  });
  expect(rows.map(({ title, embedding, distance }) => [title, embedding, distance])).toEqual([
    ["Blade Runner", "[0.379,0.637,0.011,0.647]", 0.19872334599494934],
    ["Napoleon", "[0.8,0.579,0.481,0.229]", 0.2934678792953491],
  ]);
  const blob = new Uint8Array(Float32Array.of(0.064, 0.777, 0.661, 0.687).buffer);
  const nearest = { sql: "select title from movies order by vector_distance_l2(embedding, ?) limit 1", args: [blob] };
  expect((await client.execute(nearest)).rows[0]?.title).toBe("Blade Runner");
});

test("the example of the docs finds its movie", async () => {
  const page = await readFile(join(root, "docs/reference-api-sql.md"), "utf8");
  const [, example = ""] = /```sql\n(create table movies.*?)\n```/s.exec(page) ?? [];
  const results = await (await connected("HTTP")).batch(example.split("\n"), "write");
  expect(results.at(-1)?.rows[0]?.title).toBe("Napoleon");
});

const NO_INDEX = vectorIndexElsewhere({ name: "libsql_vector_idx" });
const CREATE_INDEX = "create index movies_by_embedding on movies (libsql_vector_idx(embedding, 'metric=cosine'))";
const TOP = "select id from vector_top_k('movies_by_embedding', vector32('[1,2,3,4]'), 3)";

test.each(TRANSPORTS)(
  "@libsql/client over %s learns what works instead of a vector index and of vector_top_k",
  async (transport) => {
    const client = await connected(transport);
    await client.batch(FILMS, "write");
    const blocked = (reason: string) => ({ code: "BLOCKED", message: expect.stringContaining(reason) });
    const noIndex = blocked(NO_INDEX);
    await expect(client.execute(CREATE_INDEX)).rejects.toMatchObject(noIndex);
    await expect(client.batch(["select 1", CREATE_INDEX], "write")).rejects.toMatchObject(noIndex);
    await expect(client.migrate([CREATE_INDEX])).rejects.toMatchObject(noIndex);
    await expect(client.executeMultiple(`select 1; ${CREATE_INDEX}; select 2`)).rejects.toMatchObject(noIndex);
    const noTop = blocked(vectorIndexElsewhere({ name: "vector_top_k" }));
    await expect(client.execute(TOP)).rejects.toMatchObject(noTop);
    await expect(client.execute(`select title from movies where rowid in (${TOP})`)).rejects.toMatchObject(noTop);
    await expect(client.batch([TOP])).rejects.toMatchObject(noTop);
    const bytes = blocked(vectorFunctionElsewhere({ name: "vector8" }));
    await expect(client.execute("select vector8('[1]')")).rejects.toMatchObject(bytes);
    expect((await client.execute("select count(*) as n from movies")).rows[0]?.n).toBe(4);
  },
);

test("describe, and a batch with conditions, say the same about a vector index", async () => {
  const { database } = await sqlWorld();
  const place = await database("films");
  await execute(place, "create table movies (embedding F32_BLOB(4))");
  const error = { code: "BLOCKED", message: expect.stringContaining(NO_INDEX) };
  const steps = [{ stmt: { sql: CREATE_INDEX } }];
  const { results } = await pipeline(place, [
    { type: "describe", sql: CREATE_INDEX },
    { type: "batch", batch: { steps } },
    CLOSE,
  ]);
  expect(results[0]).toEqual({ type: "error", error });
  expect(results[1]?.response?.result).toEqual({ step_results: [null], step_errors: [error] });
});

test("schemas use vector functions in columns, checks, defaults, indexes, triggers and views", async () => {
  const { database } = await sqlWorld();
  const place = await database("films");
  for (const sql of [
    `create table t (id integer primary key, json text check (vector_distance_l2(json, '[0,0]') < 10),
      e blob generated always as (vector32(json)) stored, origin blob default (vector('[1,1]')))`,
    "create index by_angle on t (vector_distance_cos(e, vector32('[1,0]')))",
    "create table seen (e text)",
    "create trigger kept after insert on t begin insert into seen values (vector_extract(new.e)); end",
    "create view far as select id, vector_distance_l2(e, origin) as distance from t",
    "insert into t (json) values ('[0,2]'), ('[1,2]')",
  ])
    await execute(place, sql);
  await expect(execute(place, "insert into t (json) values ('[100,2]')")).rejects.toThrow("CHECK constraint failed");
  await expect(execute(place, "insert into t (json) values ('[1')")).rejects.toThrow("vector: must end with ']'");
  expect(await column(place, "select e from seen")).toEqual(["[0,2]", "[1,2]"]);
  expect(await column(place, "select distance from far")).toEqual([1.4142135381698608, 1]);
  expect(await column(place, "select id from t order by vector_distance_cos(e, vector32('[1,0]')) limit 1")).toEqual([
    "2",
  ]);
  expect(await column(place, "pragma integrity_check")).toEqual(["ok"]);
});

/** Returns a file whose table has a vector index as libSQL leaves it: an index without entries. */
function fileWithVectorIndex(): string {
  const file = dataFile();
  const local = new DatabaseSync(file, { defensive: false });
  local.exec(`
    create table movies (id integer primary key, title text, embedding F32_BLOB(2));
    insert into movies values (1, 'a', x'0000803f00000000'), (2, 'b', x'000000000000803f');
    create table empty (x);
    create index "by ""embedding""" on empty (x);
    create index by_title on movies (title) where title <> 'libsql_vector_idx';
    pragma writable_schema = on;
    update sqlite_schema set tbl_name = 'movies', sql = 'CREATE INDEX "by ""embedding""" ON movies (libsql_vector_idx(embedding))'
      where name like 'by "%';
  `);
  local.close();
  return file;
}

test("drops the vector indexes of an uploaded file, whose table can then be searched and changed", async () => {
  const { database } = await sqlWorld();
  const films = await database("films", { seed: { type: "database_upload" } });
  expect(await uploaded(films, new Uint8Array(await readFile(fileWithVectorIndex())))).toEqual({ status: 200 });
  expect(await column(films, "select count(*) from movies")).toEqual(["2"]);
  await execute(films, "insert into movies values (3, 'c', vector32('[1,1]'))");
  await execute(films, "update movies set embedding = vector32('[0,-1]') where id = 1");
  expect(await column(films, "select title from movies order by vector_distance_l2(embedding, '[1,1]')")).toEqual([
    "c",
    "b",
    "a",
  ]);
  expect(await column(films, "select name from sqlite_schema where type = 'index'")).toEqual(["by_title"]);
});

test("says why rows cannot be changed, if a file in the data still has a vector index", async () => {
  const data = dataFile();
  const { database } = await sqlWorld({ data });
  const films = await database("films");
  const folder = join(rowsOf(data), "databases", films.id);
  await mkdir(folder);
  await copyFile(fileWithVectorIndex(), join(folder, "data"));
  await expect(execute(films, "delete from movies where id = 1")).rejects.toThrow(
    `BLOCKED: Operation was blocked: ${VECTOR_INDEX_EXISTS}`,
  );
  const [drop] = await column(films, `${VECTOR_INDEX_EXISTS.split(": ").at(-1)}`);
  await execute(films, `${drop}`);
  await execute(films, "delete from movies where id = 1");
  expect(await column(films, "select title from movies")).toEqual(["b"]);
});
