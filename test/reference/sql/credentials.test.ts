// @module-tag the-reference-api

import { expect, test } from "vitest";
import { refuse } from "../../../platform/reference/messages";
import { triggerNeeds } from "../../../platform/reference/sql/engine/messages";
import * as messages from "../../../platform/reference/sql/messages";
import { CLOSE, column, execute, type Place, pipeline, post, sqlWorld, stmt } from "./sql";

const QUERY = { requests: [stmt("select 1")] };

async function refusal(url: string, token: string) {
  const answer = await post({ url, token }, "v2/pipeline", QUERY);
  return [answer.status, (await answer.json()).message];
}

test("requires a token, and reports why a token is invalid", async () => {
  const { api, database, token, owner, slug } = await sqlWorld();
  const [orders, other] = [await database("orders"), await database("other")];
  const short = await token("orders", { expiration: "1h" });
  expect((await fetch(`${orders.url}v2/pipeline`, { method: "POST", body: "{}" })).status).toBe(401);
  expect(await refusal(orders.url, "a.b.c")).toEqual([401, refuse.sqlTokenUnknown().message]);
  expect(await refusal(orders.url, other.token)).toEqual([401, refuse.sqlTokenElsewhere().message]);
  expect(await refusal(orders.url, api.apiToken)).toEqual([401, refuse.sqlTokenUnknown().message]);
  expect((await post({ url: orders.url, token: short }, "v2/pipeline", QUERY)).status).toBe(200);
  await api.advance(3600);
  expect(await refusal(orders.url, short)).toEqual([401, refuse.sqlTokenExpired().message]);
  await owner.ok("rotateDatabaseTokens", { ...slug, databaseName: "orders" });
  expect(await refusal(orders.url, orders.token)).toEqual([401, refuse.sqlTokenRotated().message]);
  expect(await column({ url: orders.url, token: await token("orders") }, "select 1")).toEqual(["1"]);
});

test("a read-only token cannot write", async () => {
  const { database, token } = await sqlWorld();
  const orders = await database("orders");
  await execute(orders, "create table t (x)");
  const reader = { url: orders.url, token: await token("orders", { authorization: "read-only" }) };
  expect(await column(reader, "select count(*) from t")).toEqual(["0"]);
  // The full-access token runs the statement first. The cached statement must not let the read-only token write.
  await execute(orders, "insert into t values (1)");
  expect(await column(reader, "select x from t")).toEqual(["1"]);
  for (const sql of [
    "insert into t values (1)",
    "drop table t",
    "create table u (x)",
    "pragma user_version = 3",
    "vacuum",
  ])
    await expect(execute(reader, sql), sql).rejects.toThrow(messages.NOT_WRITING);
});

test("a read-only token begins transactions of every mode, and none of them keeps others from writing", async () => {
  const { database, token } = await sqlWorld();
  const orders = await database("orders");
  await execute(orders, "create table t (x)");
  const reader = { url: orders.url, token: await token("orders", { authorization: "read-only" }) };
  for (const begin of [
    "begin",
    "begin immediate",
    "begin/**/immediate transaction;",
    `begin ${" ".repeat(100)} exclusive`,
    "begin -- now\n exclusive",
    "begin readonly",
  ]) {
    const begun = await pipeline(reader, [stmt(begin), { type: "get_autocommit" }, stmt("select count(*) from t")]);
    expect(
      begun.results.map(({ response }) => response),
      begin,
    ).toMatchObject([{}, { is_autocommit: false }, { result: { rows: [[{ value: "0" }]] } }]);
    // Would fail with SQLITE_BUSY if it had to wait for the transaction.
    await execute(orders, "insert into t values (1)");
    const { results } = await pipeline(reader, [stmt("select x from t"), stmt("commit")], begun.baton);
    expect(results).toMatchObject([{ response: { result: { rows: [] } } }, { type: "ok" }]);
    await execute(orders, "delete from t");
  }
});

test("a write that a read-only token does not allow ends the transaction, and the whole request over HTTP", async () => {
  const { database, token, owner, slug } = await sqlWorld();
  const orders = await database("orders");
  await execute(orders, "create table t (x)");
  const reader = { url: orders.url, token: await token("orders", { authorization: "read-only" }) };
  const insert = stmt("insert into t values (1)");
  const sequence = { type: "sequence", sql: "select 1; insert into t values (1); select 1" };
  const steps = ["begin immediate", "insert into t values (1)"].map((sql) => ({ stmt: { sql } }));
  const refused = { code: "BLOCKED", message: expect.stringContaining(messages.NOT_WRITING) };
  for (const requests of [
    [insert, stmt("commit")],
    [stmt("select 1"), sequence],
    [stmt("pragma user_version = 3")],
    [stmt("analyze t")],
  ]) {
    const { baton } = await pipeline(reader, [stmt("begin immediate")]);
    const answer = await post(reader, "v3/pipeline", { baton, requests });
    expect([answer.status, await answer.json()]).toMatchObject([403, refused]);
    const later = await post(reader, "v3/pipeline", { baton, requests: [stmt("select 1")] });
    expect([later.status, await later.json()]).toMatchObject([400, { message: messages.BATON_INVALID }]);
  }
  for (const [path, body] of [
    ["v3/pipeline", { requests: [{ type: "batch", batch: { steps } }] }],
    ["v3/cursor", { batch: { steps } }],
    ["v1/batch", { batch: { steps } }],
  ] as const) {
    const answer = await post(reader, path, body);
    expect([path, answer.status, await answer.json()]).toMatchObject([path, 403, refused]);
  }
  // The configuration refuses only the statement.
  await owner.ok("updateDatabaseConfiguration", { ...slug, databaseName: "orders", body: { block_writes: true } });
  const { results } = await pipeline(orders, [
    stmt("begin immediate"),
    insert,
    stmt("select 1"),
    stmt("commit"),
    CLOSE,
  ]);
  expect(results.map(({ type }) => type)).toEqual(["ok", "error", "ok", "ok", "ok"]);
});

test("a group token is valid in every database of the group", async () => {
  const { database, owner, slug } = await sqlWorld();
  const [orders, other] = [await database("orders"), await database("other")];
  const { jwt: token } = await owner.ok("createGroupToken", {
    ...slug,
    groupName: "default",
    query: {},
    body: {},
  } as never);
  for (const { url } of [orders, other]) expect(await column({ url, token }, "select 1")).toEqual(["1"]);
});

test("enforces fine-grained permissions for each table and action", async () => {
  const { database, token } = await sqlWorld();
  const { url, token: full } = await database("orders");
  for (const name of ["items", "prices", "pragma_notes"])
    await execute({ url, token: full }, `create table ${name} (x)`);
  await execute({ url, token: full }, "create table counted (id integer primary key autoincrement)");
  const body = {
    fine_grained_permissions: [
      { t: ["items"], a: ["data_read", "data_add"] },
      { t: null, a: ["schema_add"] },
    ],
  };
  const place = { url, token: await token("orders", {}, body) };
  await execute(place, "insert into items values (1)");
  expect(await column(place, "select x from items")).toEqual(["1"]);
  await execute(place, "create table more (x)");
  await execute(place, "create index i on items (x)");
  await execute(place, "create table ids (id integer primary key autoincrement)");
  expect(await column(place, "select name from pragma_table_info('prices')")).toEqual(["x"]);
  for (const sql of [
    "update items set x = 2",
    "delete from items",
    "select * from prices",
    "insert into prices values (1)",
    "insert into items select x from prices",
    "drop table items",
    "alter table items add column y",
    "select * from pragma_notes",
    "insert into pragma_notes values (1)",
    "drop table pragma_notes",
    "insert into sqlite_sequence values ('counted', 9223372036854775807)",
  ])
    await expect(execute(place, sql), sql).rejects.toThrow("the token lacks");
});

test("replacing rows requires data_delete, also in triggers and in tables that replace rows by themselves", async () => {
  const { database, token } = await sqlWorld();
  const { url, token: full } = await database("orders");
  const tables = `create table items (id integer primary key, x unique); insert into items values (1, 'a'), (2, 'b');
    create table latest (id integer primary key /* one */ on/**/conflict replace, x); insert into latest values (1, 'a');
    create table noted (id integer primary key, x); create view seen as select * from noted;
    create trigger note after insert on noted begin insert or replace into items values (new.id, 'new'); end;
    create trigger see instead of insert on seen begin insert into latest values (new.id, new.x); end;
    create table "on conflict replace" (x default 'or replace')`;
  await pipeline({ url, token: full }, [{ type: "sequence", sql: tables }, CLOSE]);
  const allowed = async (...a: string[]) => ({
    url,
    token: await token("orders", {}, { fine_grained_permissions: [{ a }] }),
  });
  const replacing = [
    "insert or replace into items values (1, 'c')",
    "replace into items values (1, 'c')",
    "REPLACE/**/INTO items VALUES (1, 'c')",
    "with c(x) as (select '\"') insert or -- now\n replace into items select 1, x from c",
    "with c(x) as (select $a(')) insert or replace into items select 1, x || '' from c",
    "with c(x) as (select $a::(')) insert or replace into items select 1, x || '' from c",
    "update or replace items set x = 'a' where id = 2",
    "insert into latest values (1, 'c')",
    "update latest set id = 1",
    "insert into noted values (1, 'c')",
    "insert into seen values (1, 'c')",
    "insert or \uFEFFreplace into items values (1, 'c')",
  ];
  const adding = await allowed("data_read", "data_add", "data_update");
  for (const sql of replacing) {
    const args = sql.includes("$a") ? [{ type: "null" }] : [];
    await expect(execute(adding, sql, args), sql).rejects.toThrow("the token lacks data_delete on");
  }
  const { results } = await pipeline(adding, [
    stmt("begin"),
    ...replacing.map((sql) => stmt(sql)),
    stmt("commit"),
    CLOSE,
  ]);
  expect(results.filter(({ type }) => type === "error")).toHaveLength(replacing.length);
  expect(await column(adding, "select id || x from items union all select 'latest' || x from latest")).toEqual([
    ...["1a", "2b", "latesta"],
  ]);
  for (const sql of [
    "insert into items values (3, 'please replace into, or replace') on conflict do update set x = replace(x, 'a', 'b')",
    "insert or ignore into items (id, x) values (1, 'z') -- or replace",
    'insert into "on conflict replace" values (1)',
    "update items set x = 'd' where id = 1",
  ])
    await execute(adding, sql);
  const only = await allowed("data_read", "data_add");
  await expect(
    execute(only, "insert into items values (1, 'e') on conflict do update set x = excluded.x"),
  ).rejects.toThrow("the token lacks data_update on items");
  const deleting = await allowed("data_read", "data_add", "data_update", "data_delete");
  for (const sql of ["insert or replace into items values (1, 'e')", "insert into latest values (1, 'e')"])
    await execute(deleting, sql);
});

test("replacing rows requires data_delete in tables that the same transaction has renamed", async () => {
  const { database, token } = await sqlWorld();
  const { url, token: full } = await database("orders");
  const tables = `create table latest (x unique on conflict replace, y); insert into latest values (1, 'kept');
    create table items (x, y)`;
  await pipeline({ url, token: full }, [{ type: "sequence", sql: tables }, CLOSE]);
  const body = { fine_grained_permissions: [{ a: ["data_read", "data_add", "schema_update"] }] };
  const place = { url, token: await token("orders", {}, body) };
  const [aside, back] = ["alter table items rename to old", "alter table latest rename to items"];
  const insert = (table: string) => `insert into ${table} values (1, 'new')`;
  for (const steps of [
    [back.replace("items", "newest"), insert("newest")],
    [aside, back, insert("items")],
    ["savepoint a", aside, back, "rollback to a", insert("items"), insert("latest")],
  ]) {
    const { results } = await pipeline(place, [...["begin", ...steps, "rollback"].map((sql) => stmt(sql)), CLOSE]);
    expect(results.at(-3)?.error?.message, steps.join()).toContain("the token lacks data_delete on");
  }
});

test("a token may read a full-text table's content or not, whoever has read the table before", async () => {
  const { database, token } = await sqlWorld();
  const orders = await database("orders");
  const tables = `create table secrets (x); insert into secrets values ('s');
    create virtual table texts using fts5(x, content=secrets); insert into texts (texts) values ('rebuild')`;
  await pipeline(orders, [{ type: "sequence", sql: tables }, CLOSE]);
  const t = ["", "_data", "_idx", "_config", "_docsize"].map((suffix) => `texts${suffix}`);
  const body = { fine_grained_permissions: [{ t, a: ["data_read"] }] };
  const place = { url: orders.url, token: await token("orders", {}, body) };
  for (const sql of ["select x from texts", "select x from texts where texts match 's'"]) {
    expect(await column(orders, sql)).toEqual(["s"]);
    await expect(execute(place, sql)).rejects.toThrow("the token lacks data_read on secrets");
  }
});

test("does not let a token read columns of other tables by joining them by name", async () => {
  const { database, token } = await sqlWorld();
  const orders = await database("orders");
  for (const sql of [
    "create table open (x)",
    "create table secret (x)",
    "insert into secret values ('hidden')",
    "create view joined as select x from secret full join (select null as x) using (x)",
    "create view plain as select x from open",
  ])
    await execute(orders, sql);
  const permissionsOn = (...t: string[]) => ({ fine_grained_permissions: [{ t, a: ["data_read", "schema_add"] }] });
  const place = { url: orders.url, token: await token("orders", {}, permissionsOn("open", "joined", "plain")) };
  for (const sql of [
    "select x from secret full join (select null as x) using (x)",
    "select 1 from open NATURAL join secret",
    "select x from secret full join (select null as x) \uFEFFusing (x)",
    "select count(*) from open \uFEFFnatural join secret",
    "select * from joined",
    "create temp view mine as select x from secret full join (select null as x) using (x)",
    "with c as (select x from secret full join (select null as x) Using (x)) select * from c",
  ])
    await expect(execute(place, sql), sql).rejects.toThrow(/BLOCKED/);
  expect((await execute(place, "select count(*) from open o join plain p on o.x = p.x")).rows).toHaveLength(1);
  expect((await execute(orders, "select x from secret natural join open")).rows).toEqual([]);
});

test("does not let a token read a view that joins by name through a full-text table or an attached database", async () => {
  const { database, owner, slug, token } = await sqlWorld();
  const [orders, other] = [await database("orders"), await database("other")];
  const joined = `create table secret (x); insert into secret values ('hidden');
    create view joined as select 1 as rowid, x from secret full join (select null as x) using (x)`;
  for (const place of [orders, other]) await pipeline(place, [{ type: "sequence", sql: joined }, CLOSE]);
  await owner.ok("updateDatabaseConfiguration", { ...slug, databaseName: "other", body: { allow_attach: true } });
  const texts = "create virtual table texts using fts5(x, content='joined', content_rowid='rowid')";
  for (const sql of [texts, "insert into texts (texts) values ('rebuild')"]) await execute(orders, sql);
  const t = ["joined", "texts", ...["_data", "_idx", "_config", "_docsize"].map((suffix) => `texts${suffix}`)];
  const body = {
    permissions: { read_attach: { databases: ["other"] } },
    fine_grained_permissions: [{ t, a: ["data_read"] }],
  };
  const place = { url: orders.url, token: await token("orders", {}, body) };
  await expect(execute(place, "select x from texts where texts match 'hidden'")).rejects.toThrow("USING or NATURAL");
  await pipeline(orders, [{ type: "sequence", sql: "drop table texts; drop view joined" }, CLOSE]);
  const { baton } = await pipeline(place, [stmt(`attach "${other.id}" as shop`)]);
  const { results } = await pipeline(place, [stmt("select x from shop.joined"), CLOSE], baton);
  expect(results[0]).toMatchObject({ error: { message: expect.stringContaining("USING or NATURAL") } });
});

test("only a token that may read and change all tables can create a trigger, which others then run", async () => {
  const { database, token } = await sqlWorld();
  const { url, token: full } = await database("orders");
  const tables = "create table items (x); create table secrets (x); insert into secrets values ('s')";
  await pipeline({ url, token: full }, [{ type: "sequence", sql: tables }, CLOSE]);
  const data = ["data_read", "data_add", "data_update", "data_delete"];
  const allowed = async (...rules: object[]) => ({
    url,
    token: await token("orders", {}, { fine_grained_permissions: rules }),
  });
  const limited = await allowed({ t: ["items"], a: data }, { a: ["schema_add"] });
  const trigger = "trigger steal after insert on items begin update items set x = (select x from secrets); end";
  for (const sql of [`create ${trigger}`, `create temp ${trigger}`])
    await expect(execute(limited, sql), sql).rejects.toThrow(triggerNeeds({ permission: "data_read" }));
  const unreading = await allowed({ a: ["schema_add", "data_add", "data_update", "data_delete"] });
  await expect(execute(unreading, `create ${trigger}`)).rejects.toThrow(triggerNeeds({ permission: "data_read" }));
  await execute(await allowed({ a: ["schema_add", ...data] }), `create ${trigger}`);
  await expect(execute(limited, "insert into items values (1)")).rejects.toThrow(
    "the token lacks data_read on secrets",
  );
});

test("a token that may only change a table cannot read it by RETURNING, a view or a virtual table", async () => {
  const { database, token } = await sqlWorld();
  const { url, token: full } = await database("orders");
  const tables = `create table secrets (x); insert into secrets values ('s');
    create virtual table texts using fts5(x); insert into texts values ('hidden')`;
  await pipeline({ url, token: full }, [{ type: "sequence", sql: tables }, CLOSE]);
  const own = ["mine", "seen", "words"];
  const body = {
    fine_grained_permissions: [{ a: ["schema_add", "data_add", "data_update"] }, { t: own, a: ["data_read"] }],
  };
  const place = { url, token: await token("orders", {}, body) };
  await execute(place, "create index i on secrets (x)");
  for (const sql of [
    "update secrets set x = x returning x",
    "insert into secrets values (1) returning (select max(x) from secrets)",
    "create table mine as select * from secrets",
    "create view seen as select * from secrets; select * from seen",
    "create virtual table words using fts5vocab('texts', 'row'); select * from words",
    "create virtual table mine using fts5(x, content='secrets'); select * from mine",
  ]) {
    const { results } = await pipeline(place, [...sql.split("; ").map((each) => stmt(each)), CLOSE]);
    expect(results.at(-2)?.error?.message, sql).toContain("the token lacks data_read on");
  }
});

test("an attached database must allow ATTACH, be named in the token, and be readable by the caller", async () => {
  const { database, token, owner, slug } = await sqlWorld();
  const [orders, other] = [await database("orders"), await database("other")];
  await execute(other, "create table prices (x)");
  await execute(other, "insert into prices values (7)");
  const body = { permissions: { read_attach: { databases: ["other"] } } };
  const place = { url: orders.url, token: await token("orders", {}, body) };
  const both = async (place: Place) => {
    const { results } = await pipeline(place, [
      stmt(`ATTACH DATABASE "${other.id}" AS shop;`),
      stmt("select x from shop.prices"),
      stmt("insert into shop.prices values (8)"),
      CLOSE,
    ]);
    return results.slice(0, 3).map(({ type }) => type);
  };
  expect(await both(place)).toEqual(["error", "error", "error"]);
  const configure = (body: object) => owner.ok("updateDatabaseConfiguration", { ...slug, databaseName: "other", body });
  await configure({ allow_attach: true });
  expect(await both(place)).toEqual(["ok", "ok", "error"]);
  expect(await both(orders)).toEqual(["error", "error", "error"]);
  await configure({ block_reads: true });
  expect(await both(place)).toEqual(["error", "error", "error"]);
  await configure({ block_reads: false, allowed_ips: ["203.0.113.7"] });
  expect(await both(place)).toEqual(["error", "error", "error"]);
  await configure({ allowed_ips: [] });
  expect(await column(other, "select x from prices")).toEqual(["7"]);
});

test("runs the statements that follow ATTACH in a sequence, and refuses them in a single statement", async () => {
  const { database, token, owner, slug } = await sqlWorld();
  const [orders, other] = [await database("orders"), await database("other")];
  await execute(other, "create table prices as select 7 as x");
  await execute(orders, "create table copied (x)");
  await owner.ok("updateDatabaseConfiguration", { ...slug, databaseName: "other", body: { allow_attach: true } });
  const body = { permissions: { read_attach: { databases: ["other"] } } };
  const place = { url: orders.url, token: await token("orders", {}, body) };
  const sql = `select 1; attach '${other.id}' as shop; insert into copied select x from shop.prices; detach shop`;
  const { results } = await pipeline(place, [
    { type: "sequence", sql },
    stmt(`attach "${other.id}" as shop; delete from copied`),
    stmt(`attach "${other.id}" as shop; -- the end`),
    CLOSE,
  ]);
  expect(results.map(({ type, error }) => error?.code ?? type)).toEqual(["ok", "SQL_MANY_STATEMENTS", "ok", "ok"]);
  expect(await column(orders, "select x from copied")).toEqual(["7"]);
});

test("attaches databases that have not been used", async () => {
  const { database, token, owner, slug } = await sqlWorld();
  const orders = await database("orders");
  const others = [await database("one"), await database("two")];
  for (const databaseName of ["one", "two"])
    await owner.ok("updateDatabaseConfiguration", { ...slug, databaseName, body: { allow_attach: true } });
  const body = { permissions: { read_attach: { databases: ["one", "two"] } } };
  const place = { url: orders.url, token: await token("orders", {}, body) };
  const { results, baton } = await pipeline(place, [stmt(`attach "${others[0]?.id}" as one`)]);
  expect(results).toMatchObject([{ type: "ok" }]);
  await execute(others[0] ?? place, "create table t as select 1 as x");
  expect(await pipeline(place, [stmt("select x from one.t"), CLOSE], baton)).toMatchObject({
    results: [{ response: { result: { rows: [[{ value: "1" }]] } } }, {}],
  });
});

test("a stream cannot read an attached database once that is no longer allowed", async () => {
  const { database, token, owner, slug } = await sqlWorld();
  const [orders, other] = [await database("orders"), await database("other")];
  await execute(other, "create table prices as select 7 as x");
  const configure = (body: object) => owner.ok("updateDatabaseConfiguration", { ...slug, databaseName: "other", body });
  const body = { permissions: { read_attach: { databases: ["other"] } } };
  const place = { url: orders.url, token: await token("orders", {}, body) };
  const read = async ({ token } = place, change: () => Promise<unknown> = async () => undefined) => {
    await configure({ allow_attach: true, block_reads: false });
    const { baton } = await pipeline(place, [stmt(`attach "${other.id}" as shop`)]);
    await change();
    const requests = [stmt("select x from shop.prices"), CLOSE];
    const answer = await post({ ...place, token }, "v3/pipeline", { baton, requests });
    const { results, code } = await answer.json();
    return code === undefined ? results[0].type : `${answer.status} ${code}`;
  };
  expect(await read()).toBe("ok");
  expect(await read(orders)).toBe("403 BLOCKED");
  expect(await read(place, () => configure({ block_reads: true }))).toBe("403 BLOCKED");
  expect(await read(place, () => owner.ok("deleteDatabase", { ...slug, databaseName: "other" }))).toBe("403 BLOCKED");
});

test("enforces read and write blocks, the size limit and the allowed IP addresses", async () => {
  const { database, owner, slug } = await sqlWorld();
  const orders = await database("orders");
  await execute(orders, "create table t (x)");
  const configure = (body: object) =>
    owner.ok("updateDatabaseConfiguration", { ...slug, databaseName: "orders", body });
  await configure({ block_writes: true });
  await expect(execute(orders, "insert into t values (1)")).rejects.toThrow(messages.WRITES_BLOCKED);
  expect(await column(orders, "select count(*) from t")).toEqual(["0"]);
  await configure({ block_writes: false, block_reads: true });
  await expect(execute(orders, "select * from t")).rejects.toThrow(messages.READS_BLOCKED);
  await expect(execute(orders, "insert into t values (1) returning x")).rejects.toThrow(messages.READS_BLOCKED);
  await execute(orders, "insert into t values (1)");
  await configure({ block_reads: false, size_limit: "64kb" });
  const fill = () => execute(orders, "insert into t values (randomblob(60000))");
  await expect(fill().then(fill)).rejects.toThrow("SQLITE_FULL");
  await configure({ size_limit: "1mb" });
  await fill();
  await configure({ allowed_ips: ["10.0.0.0/8"] });
  expect((await post(orders, "v2/pipeline", QUERY)).status).toBe(403);
  await configure({ allowed_ips: ["10.0.0.0/8", "127.0.0.0/8"] });
  expect((await post(orders, "v2/pipeline", QUERY)).status).toBe(200);
});
