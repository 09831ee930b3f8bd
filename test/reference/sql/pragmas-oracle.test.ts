// @module-tag more

import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { placesBesideSqld } from "./beside-sqld";
import { type Place, pipeline, stmt } from "./sql";

/** Pragmas that `pragma_list` does not name, such as those of builds with encryption or for debugging. */
const UNLISTED = [
  ...["case_sensitive_like", "count_changes", "data_store_directory", "default_cache_size", "empty_result_callbacks"],
  ...["full_column_names", "hexkey", "key", "lock_status", "no_such_pragma", "parser_trace", "rekey", "sql_trace"],
  ...["short_column_names", "stats", "temp_store_directory", "textkey", "vdbe_addoptrace", "vdbe_debug"],
  ...["vdbe_listing", "vdbe_trace"],
];

const VALUES: Readonly<Record<string, string>> = {
  ...{ encoding: "'UTF-8'", foreign_key_check: "t", foreign_key_list: "t", index_info: "i", index_list: "t" },
  ...{ index_xinfo: "i", journal_mode: "delete", locking_mode: "normal", table_info: "t", table_list: "t" },
  ...{ table_xinfo: "t", temp_store_directory: "'/tmp'", wal_checkpoint: "truncate" },
};

/** Answered by libSQL's own server and refused here: both forms would change the statistics of the database. */
const REFUSED = ["select * from pragma_optimize", "select * from pragma_optimize('0')"];

/** Answered here without a path of the server, and otherwise refused. */
const WITH_PATH = ["select * from pragma_database_list"];

/** SQLite 3.53 takes the argument for a table. */
const NEWER = ["select * from pragma_integrity_check('0')", "select * from pragma_quick_check('0')"];

/** Rows that follow from the build, the machine or the settings of the server. */
const OWN_ROWS =
  /compile_options|function_list|module_list|pragma_list|database_list|busy_timeout|max_page_count|synchronous|trusted_schema|wal_autocheckpoint/;

test("answers every pragma that libSQL's own server answers, with the same rows, apart from listed ones", async (context) => {
  const { ours, theirs } = await placesBesideSqld(context);
  const names = new DatabaseSync(":memory:").prepare("select name from pragma_pragma_list").all();
  const pragmas = new Set([...names.map(({ name }) => `${name}`), ...UNLISTED]);
  // Each statement has a stream of its own, so that settings do not stay.
  const answer = async (place: Place, sql: string) => {
    const { results } = await pipeline(place, [stmt(sql), { type: "close" }]);
    return results[0]?.error ? undefined : (results[0]?.response?.result.rows ?? []);
  };
  for (const place of [ours, theirs])
    for (const sql of ["create table t (a integer primary key, b text)", "create index i on t (b)"])
      await answer(place, sql);
  const differing: string[] = [];
  for (const name of [...pragmas].sort()) {
    const value = VALUES[name] ?? "0";
    const argument = value.replaceAll("'", "");
    for (const sql of [
      `pragma ${name}`,
      `pragma ${name} = ${value}`,
      `pragma ${name}(${value})`,
      `select * from pragma_${name}`,
      `select * from pragma_${name}('${argument}')`,
    ]) {
      const [own, others] = [await answer(ours, sql), await answer(theirs, sql)];
      if (others === undefined) continue;
      if (own === undefined) differing.push(sql);
      else if (!OWN_ROWS.test(name)) expect(own, sql).toEqual(others);
    }
  }
  expect(differing.sort()).toEqual([...REFUSED, ...WITH_PATH, ...NEWER].sort());
});
