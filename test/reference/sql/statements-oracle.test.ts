// @module-tag more

import { expect, test } from "vitest";
import { placesBesideSqld } from "./beside-sqld";
import { sendStatements as send } from "./sql";

/** Requests that run one after another on the same database. */
const REQUESTS: readonly (readonly unknown[] | string)[] = [
  ["create table t (id integer primary key, a, b blob, r real)"],
  ["insert into t values (1, 'x', x'0001ff', 1.5)", "insert into t values (2, 9007199254740993, null, 1.5e-300)"],
  [
    "select * from t",
    "select id as a, 2 as a from t where 0",
    "select x'', x'00', -0.0, 1e400, 1.0, 9223372036854775807",
  ],
  [
    { q: "select ?, ?2, ?", params: [1, "two", null] },
    { q: "select ?", params: [{ base64: "AAE" }] },
  ],
  [
    { q: "select :a, @b, $c", params: { ":a": 1.5, "@b": true, $c: "é" } },
    { q: "select :a", params: { a: false } },
  ],
  '{"statements": [{"q": "select ?1, typeof(?1), typeof(?2)", "params": [9007199254740993, 1.0]}], "other": 1}',
  ["insert into t (id) values (5)", "insert into t (id) values (1)", "insert into t (id) values (6)"],
  ["select id from t", "select * from nowhere", "select 1"],
  ["begin", "insert into t (id) values (7)", "commit", "select id from t"],
  ["delete from t where id = 7", "insert into t (id) values (20) returning id, a", "select changes()"],
  ["commit"],
  [],
  ["select id from t"],
];

test("answers statements at the address of a database as libSQL's own server does", async (context) => {
  const { ours, theirs } = await placesBesideSqld(context);
  const withoutUsage = (text: string) =>
    text.replace(/,"rows_read":\d+,"rows_written":\d+,"query_duration_ms":[\d.]+/g, "");
  for (const request of REQUESTS) {
    const body = typeof request === "string" ? request : { statements: request };
    const [own, others] = [await send(ours, body), await send(theirs, body)];
    expect([own[0], withoutUsage(own[1])], JSON.stringify(request)).toEqual([others[0], withoutUsage(others[1])]);
  }
});
