import { expect, test } from "vitest";
import { statementsOf } from "./sql-script";

const texts = (script: string) => statementsOf(script).map(({ text }) => text);

test("a script is split at the semicolons that end statements", () => {
  expect(texts('create table a (x); insert into a values (\';\');;\n-- no; statement\n/* ; */ select "b;"""')).toEqual([
    "create table a (x)",
    "insert into a values (';')",
    'select "b;"""',
  ]);
});

test("the body of a trigger belongs to its statement", () => {
  const trigger = (create: string) =>
    `${create} t after insert on a begin update a set x = case when x then 1 end; select 1; end`;
  for (const create of ["create trigger", "CREATE TEMP TRIGGER", "create temporary trigger"])
    expect(texts(`${trigger(create)}; select 2;`)).toEqual([trigger(create), "select 2"]);
});

test("a script without statements has none", () => {
  for (const script of ["", " ;; ", "-- nothing", "/* open"]) expect(texts(script)).toEqual([]);
});

test("the first words of a statement are known without its comments", () => {
  expect(statementsOf("/* why */ vacuum -- now\n into 'x';")[0]?.words).toEqual(["VACUUM", "INTO", "'X'"]);
});
