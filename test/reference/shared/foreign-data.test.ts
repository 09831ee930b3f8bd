// @module-tag the-reference-api

import { readFile, writeFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { version } from "../../../package.json";
import { startReferenceApi } from "../../../platform/reference/server";
import {
  createdByNewer,
  dataMissing,
  EMPTY_DATABASE,
  NEW_FILE,
  ofAnotherProgram,
} from "../../../platform/reference/store/messages";
import { openStore } from "../../../platform/reference/store/open";
import { type Data, emptyData, engine, execute as executeIn } from "../data";
import { world } from "../world";

let data: Data;

beforeEach(async () => {
  data = await emptyData();
});

afterEach(() => data.remove());

const place = () => data.place.replace("postgres@", "");
const start = () => startReferenceApi({ data: data.place });

const execute = (...statements: string[]) => executeIn(data, ...statements);

/** Returns everything that would change if the server wrote to the data. */
const state = async () => [await data.contents(), engine === "file" && (await readFile(data.place))];

describe("data from a newer version", () => {
  const LATER = ["9998-later", "9999-latest"];

  beforeEach(async () => {
    const api = await start();
    await api.close();
    for (const name of LATER) await execute(`insert into kysely_migration values ('${name}', '2030-01-01T00:00:00Z')`);
  });

  test("is rejected and left unchanged, and the error explains why and what to do", async () => {
    const before = await state();
    await expect(start()).rejects.toThrow(
      new Error(createdByNewer({ place: place(), release: version, migrations: LATER })),
    );
    expect(await state()).toEqual(before);
    await execute("delete from kysely_migration where name like '999%'");
    expect(await (await world({ data: data.place })).groupNames()).toEqual(["default"]);
  });
});

describe("another program's tables", () => {
  const instead = engine === "postgres" ? EMPTY_DATABASE : NEW_FILE;
  const migrations = (name: string) => [
    "create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)",
    `insert into kysely_migration values ('${name}', '2025-01-01T00:00:00Z')`,
  ];

  test.each([
    ["unknown table names", ["create table notes (text varchar(9))"], ["notes"]],
    ["a name that the store also uses", ["create table users (id integer)", "insert into users values (1)"], ["users"]],
    ["many tables", ["d", "c", "b", "a"].map((name) => `create table ${name} (id integer)`), ["a", "b", "c", "d"]],
    ["a view", ["create view numbers as select 1 as number"], ["numbers"]],
    ["a table and migrations", ["create table notes (id integer)", ...migrations("0001-notes")], ["notes"]],
    ["only migrations", migrations("0001-notes"), ["kysely_migration"]],
  ])("are rejected and left unchanged: %s", async (_which, statements, tables) => {
    await execute(...statements);
    const before = await state();
    await expect(start()).rejects.toThrow(new Error(ofAnotherProgram({ place: place(), tables, instead })));
    expect(await state()).toEqual(before);
  });

  test("are ignored if the reference API's data already exists", async () => {
    await (await start()).close();
    await execute("create table notes (id integer)");
    expect(await (await world({ data: data.place })).groupNames()).toEqual(["default"]);
  });

  test.runIf(engine === "postgres")("are accepted if in another schema or owned by an extension", async () => {
    await execute("create view counted as select 1 as number", "alter extension plpgsql add view counted");
    await execute("create schema theirs", "create table theirs.users (id integer)");
    expect(await (await world({ data: data.place })).groupNames()).toEqual(["default"]);
  });
});

test("rejects an empty file or database if existing data is required, and leaves it unchanged", async () => {
  if (engine === "file") await writeFile(data.place, "");
  const before = await state();
  await expect(openStore(data.place, { mustHold: true })).rejects.toThrow(dataMissing({ place: place() }));
  expect(await state()).toEqual(before);
});
