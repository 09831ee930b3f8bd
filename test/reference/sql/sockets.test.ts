import { expect, test, vi } from "vitest";
import { injectedFault, refuse } from "../../../platform/reference/messages";
import * as messages from "../../../platform/reference/sql/messages";
import { SocketClient } from "./socket";
import { column, dataFile, ENDLESS, execute, pipeline, post, SLOW, sqlWorld, stmt } from "./sql";

const open = (stream_id: number) => ({ type: "open_stream", stream_id });
const close = (stream_id: number) => ({ type: "close_stream", stream_id });
const run = (stream_id: number, sql: string) => ({ type: "execute", stream_id, stmt: { sql } });
const numbers = (count: number) =>
  `with recursive n(x) as (select 1 union all select x + 1 from n limit ${count}) select x from n`;

async function connected(options: Parameters<typeof SocketClient.to>[1] = {}) {
  const world = await sqlWorld();
  const orders = await world.database("orders");
  return { ...world, orders, client: await SocketClient.to(orders, options) };
}

test("chooses the best subprotocol that the client offers, and refuses others", async () => {
  const { orders } = await connected();
  const chosen = async (...offered: string[]) => (await SocketClient.open(orders.url, { offered })).socket.protocol;
  expect(await chosen("hrana1", "hrana2")).toBe("hrana2");
  expect(await chosen("hrana3-protobuf", "hrana3", "hrana2", "hrana1")).toBe("hrana3");
  expect(await chosen()).toBe("");
  const refusal = messages.subprotocolUnknown({ choices: ["hrana3", "hrana2", "hrana1"] });
  await expect(chosen("hrana3-protobuf")).rejects.toThrow(`400 ${refusal}`);
});

test("opens WebSockets at the addresses of databases alone", async () => {
  const { api, orders } = await connected();
  await SocketClient.open(orders.url.replace(/\/$/, ""));
  const named = await SocketClient.open(api.url, { headers: { Host: orders.host } });
  expect(await named.hello(orders.token)).toEqual({ type: "hello_ok" });
  expect(await named.ask(open(1))).toEqual({ type: "open_stream" });
  expect(await named.column(1, "select 7")).toEqual(["7"]);
  await expect(SocketClient.open(`${orders.url}v3/pipeline`)).rejects.toThrow("404");
  await expect(SocketClient.open(`${api.url}/v1/locations`)).rejects.toThrow("401");
  await expect(SocketClient.open(`${api.url}/_reference/journal`)).rejects.toThrow("200");
});

test("refuses a client without a valid token with the same reason as over HTTP, and closes the socket", async () => {
  const { orders, database } = await connected();
  const other = await database("other");
  const unknown = { ...orders, url: orders.url.replace(orders.id, "00000000-0000-4000-8000-000000000000") };
  for (const [place, jwt] of [
    [orders, null],
    [orders, "a.b.c"],
    [orders, other.token],
    [unknown, orders.token],
  ] as const) {
    const headers: Record<string, string> = jwt === null ? {} : { Authorization: `Bearer ${jwt}` };
    const overHttp = await fetch(`${place.url}v2/pipeline`, { method: "POST", body: "{}", headers });
    const { message, code } = await overHttp.json();
    const client = await SocketClient.open(place.url);
    const pending = vi.fn();
    const greeted = client.hello(jwt);
    void client.request(open(1)).then(pending);
    expect(await greeted).toEqual({ type: "hello_error", error: { message, ...(code && { code }) } });
    expect(await client.closed).toEqual([1008, messages.HELLO_REFUSED]);
    expect(pending).not.toHaveBeenCalled();
  }
});

test("runs every kind of request", async () => {
  const { client } = await connected();
  expect(await client.ask(open(1))).toEqual({ type: "open_stream" });
  const sequence = { type: "sequence", stream_id: 1, sql: "create table t (x); insert into t values (1), (2)" };
  expect(await client.ask(sequence)).toEqual({ type: "sequence" });
  expect(await client.ask({ type: "store_sql", sql_id: 5, sql: "select x from t" })).toEqual({ type: "store_sql" });
  expect(await client.ask({ type: "describe", stream_id: 1, sql_id: 5 })).toMatchObject({
    type: "describe",
    result: { cols: [{ name: "x", decltype: null }], is_readonly: true },
  });
  expect(await client.ask({ type: "execute", stream_id: 1, stmt: { sql_id: 5 } })).toMatchObject({
    type: "execute",
    result: { rows: [[{ value: "1" }], [{ value: "2" }]] },
  });
  const steps = [{ stmt: { sql: "begin" } }, { stmt: { sql: "frobnicate" } }];
  expect(await client.ask({ type: "batch", stream_id: 1, batch: { steps } })).toMatchObject({
    type: "batch",
    result: { step_errors: [null, { code: "SQL_PARSE_ERROR" }] },
  });
  const autocommit = { type: "get_autocommit", stream_id: 1 };
  expect(await client.ask(autocommit)).toEqual({ type: "get_autocommit", is_autocommit: false });
  expect(await client.column(1, "select * from nowhere")).toBe("SQLITE_UNKNOWN");
  expect(await client.ask({ type: "close_sql", sql_id: 5 })).toEqual({ type: "close_sql" });
  expect(await client.ask({ type: "execute", stream_id: 1, stmt: { sql_id: 5 } })).toBe(
    messages.sqlNotFound({ sqlId: 5 }),
  );
  expect(await client.column(1, "select count(*) from t")).toEqual(["2"]);
  expect(await client.ask(close(1))).toEqual({ type: "close_stream" });
});

test("requests on a stream run in order, and streams do not wait for each other", async () => {
  const { client } = await connected();
  const order: string[] = [];
  const send = (name: string, request: object) =>
    client.request(request).then(({ type }) => order.push(`${name} ${type}`));
  await Promise.all([client.ask(open(1)), client.ask(run(1, "create table t (x)"))]);
  await client.ask(run(1, "begin immediate"));
  const sent = [
    send("open", open(2)),
    send("write", run(2, "insert into t values (2)")),
    send("close", close(2)),
    send("open", open(3)),
    send("read", run(3, "select count(*) from t")),
  ];
  await sent[4];
  expect(order).toEqual(["open response_ok", "open response_ok", "read response_ok"]);
  await client.ask(run(1, "insert into t values (1)"));
  await client.ask(run(1, "commit"));
  await Promise.all(sent);
  expect(order.slice(3)).toEqual(["write response_ok", "close response_ok"]);
  expect(await client.column(3, "select x from t order by rowid")).toEqual(["1", "2"]);
});

test("a cursor returns the results of a batch in parts", async () => {
  const { client } = await connected();
  await client.ask(open(1));
  const steps = [{ stmt: { sql: numbers(3) } }, { stmt: { sql: "select * from nowhere" } }];
  const opening = { type: "open_cursor", stream_id: 1, cursor_id: 8, batch: { steps } };
  const fetch = (max_count: number) => ({ type: "fetch_cursor", cursor_id: 8, max_count });
  expect(await client.ask(opening)).toEqual({ type: "open_cursor" });
  expect(await client.ask(fetch(0))).toEqual({ type: "fetch_cursor", entries: [], done: false });
  expect(await client.ask(fetch(2))).toMatchObject({ entries: [{ type: "step_begin" }, { type: "row" }], done: false });
  expect(await client.ask(fetch(1000))).toMatchObject({
    entries: [{ type: "row" }, { type: "row" }, { type: "step_end" }, { type: "step_error", step: 1 }],
    done: true,
  });
  expect(await client.ask(fetch(1000))).toMatchObject({ entries: [], done: true });
  expect(await client.ask({ type: "close_cursor", cursor_id: 8 })).toEqual({ type: "close_cursor" });

  const large = [{ stmt: { sql: `select hex(zeroblob(300000)) from (${numbers(8)})` } }];
  await client.ask({ ...opening, batch: { steps: large } });
  const { entries } = (await client.ask(fetch(1000))) as { entries: unknown[] };
  expect(entries.length).toBe(3);
  await client.ask(close(1));

  await client.ask(open(1));
  expect(await client.ask({ ...opening, batch: { steps: [{ stmt: {} }] } })).toBe(messages.SQL_OR_ID);
  expect(await client.ask(fetch(1))).toBe("CURSOR_NOT_OPEN");
  await client.ask({ type: "close_cursor", cursor_id: 8 });
  expect(await client.ask(opening)).toEqual({ type: "open_cursor" });
});

const cursor = (stream_id: number, cursor_id: number) => ({
  type: "open_cursor",
  stream_id,
  cursor_id,
  batch: { steps: [] },
});
const idOf = (opened: "stream" | "cursor") => ({ opened, openedId: 1 });
test.each<[name: string, requests: readonly object[], code: number, reason: string]>([
  ["a second stream with an id in use", [open(1), open(1)], 1008, messages.idInUse(idOf("stream"))],
  ["a request on an unknown stream", [run(1, "select 1")], 1008, messages.idUnknown(idOf("stream"))],
  ["closing an unknown stream", [close(1)], 1008, messages.idUnknown(idOf("stream"))],
  ["a second cursor on a stream", [open(1), cursor(1, 1), cursor(1, 2)], 1008, messages.cursorIsOpen({ openedId: 1 })],
  [
    "a second cursor with an id in use",
    [open(1), open(2), cursor(1, 1), cursor(2, 1)],
    1008,
    messages.idInUse(idOf("cursor")),
  ],
  ["an unknown cursor", [{ type: "close_cursor", cursor_id: 1 }], 1008, messages.idUnknown(idOf("cursor"))],
  ["an unknown request", [{ type: "frobnicate" }], 1007, 'request.type must be "open_stream"'],
  ["a request without an id", [{ type: "open_stream" }], 1007, "request.stream_id"],
])("closes the socket after %s", async (_name, requests, code, reason) => {
  const { client } = await connected();
  for (const request of requests) void client.request(request);
  const [closeCode, closeReason] = await client.closed;
  expect([closeCode, closeReason]).toEqual([code, expect.stringContaining(reason)]);
});

test("closes the socket after a message that is no request", async () => {
  const { orders } = await connected();
  const closing = async (send: (client: SocketClient) => void) => {
    const client = await SocketClient.to(orders);
    send(client);
    return (await client.closed)[0];
  };
  expect(await closing((client) => client.send("nonsense"))).toBe(1007);
  expect(await closing((client) => client.send({ type: "goodbye" }))).toBe(1007);
  expect(await closing((client) => client.socket.send(Buffer.from("{}")))).toBe(1003);
  expect(await closing((client) => client.socket.send(Buffer.from([0xff]), { binary: false }))).toBe(1007);
  expect(await closing((client) => client.send("x".repeat(33 * 1024 * 1024)))).toBe(1009);
  const early = await SocketClient.open(orders.url);
  void early.request(open(1));
  expect(await early.closed).toEqual([1008, messages.HELLO_MISSING]);
});

test("a socket with an older subprotocol has only its requests", async () => {
  const { orders } = await connected();
  const refused = async (protocol: string, request: object) => {
    const client = await SocketClient.to(orders, { offered: [protocol] });
    expect(await client.ask(open(1))).toEqual({ type: "open_stream" });
    expect(await client.column(1, "select 1")).toEqual(["1"]);
    void client.request(request);
    return client.closed;
  };
  const tooNew = (requestType: string, protocol: string) => [1008, messages.requestTooNew({ requestType, protocol })];
  const describing = { type: "describe", stream_id: 1, sql: "select 1" };
  expect(await refused("hrana1", describing)).toEqual(tooNew("describe", "hrana2"));
  expect(await refused("hrana2", cursor(1, 1))).toEqual(tooNew("open_cursor", "hrana3"));
});

test("refuses requests once the token is invalid, as over HTTP, until the client greets with a valid token", async () => {
  const { api, client, orders, owner, slug, token } = await connected();
  const short = await token("orders", { expiration: "1h" });
  expect(await client.hello(short)).toEqual({ type: "hello_ok" });
  await client.ask(open(1));
  await client.ask(run(1, "begin"));
  const refusals = async (jwt: string) => {
    const { error } = await client.request(run(1, "select 1"));
    const answer = await post({ url: orders.url, token: jwt }, "v2/pipeline", { requests: [stmt("select 1")] });
    const { message, code } = await answer.json();
    expect(error).toEqual({ message, code });
    return message;
  };
  await api.advance(3600);
  expect(await refusals(short)).toBe(refuse.sqlTokenExpired().message);
  expect(await client.hello(orders.token)).toEqual({ type: "hello_ok" });
  expect(await client.ask({ type: "get_autocommit", stream_id: 1 })).toMatchObject({ is_autocommit: false });
  await owner.ok("rotateDatabaseTokens", { ...slug, databaseName: "orders" });
  expect(await refusals(orders.token)).toBe(refuse.sqlTokenRotated().message);
  expect(await client.hello(await token("orders"))).toEqual({ type: "hello_ok" });
  expect(await client.column(1, "select 1")).toEqual(["1"]);
  expect(await client.hello(orders.token)).toMatchObject({ type: "hello_error" });
  expect(await client.closed).toEqual([1008, messages.HELLO_REFUSED]);
});

test("a read-only token cannot write, and a new hello changes what the requests after it may do", async () => {
  const { client, orders, token } = await connected();
  await client.ask(open(1));
  const before = client.column(1, "create table t (x)");
  const renewed = client.hello(await token("orders", { authorization: "read-only" }));
  const after = client.column(1, "insert into t values (1)");
  expect([await before, await renewed, await after]).toEqual([[], { type: "hello_ok" }, "BLOCKED"]);
  expect(await column(orders, "select count(*) from t")).toEqual(["0"]);
});

test("applies changes of the database's configuration and its deletion to open sockets", async () => {
  const { client, orders, owner, slug } = await connected();
  const at = { ...slug, databaseName: "orders" };
  await client.ask(open(1));
  const configure = (body: object) => owner.ok("updateDatabaseConfiguration", { ...at, body } as never);
  await configure({ block_reads: true });
  expect((await client.request(run(1, "select 1"))).error?.message).toContain(messages.READS_BLOCKED);
  await configure({ block_reads: false, block_writes: true });
  expect((await client.request(run(1, "create table t (x)"))).error?.message).toContain(messages.WRITES_BLOCKED);
  await configure({ block_writes: false, allowed_ips: ["10.0.0.1"] });
  expect((await client.request(run(1, "select 1"))).error?.message).toBe(
    messages.addressRefused({ ipAddress: "127.0.0.1" }),
  );
  await configure({ allowed_ips: [] });
  expect(await client.column(1, "select 1")).toEqual(["1"]);
  await owner.ok("deleteDatabase", at);
  expect((await client.request(run(1, "select 1"))).error?.message).toBe(
    messages.namespaceMissing({ name: orders.id }),
  );
});

test("a socket by hostname does not reach a new database of the same name through an old stream", async () => {
  const { api, database, owner, slug, token } = await sqlWorld();
  const orders = await database("orders");
  const client = await SocketClient.open(api.url, { headers: { Host: orders.host } });
  await client.hello(orders.token);
  await client.ask(open(1));
  await owner.ok("deleteDatabase", { ...slug, databaseName: "orders" });
  await database("orders");
  await client.hello(await token("orders"));
  expect(await client.column(1, "select 1")).toBe("STREAM_EXPIRED");
  await client.ask(open(2));
  expect(await client.column(2, "select 1")).toEqual(["1"]);
});

test("closing a socket ends its streams, and rolls back their transactions", async () => {
  const { client, orders } = await connected();
  await execute(orders, "create table t (x)");
  await client.ask(open(1));
  await client.ask(run(1, "begin immediate"));
  await client.ask(run(1, "insert into t values (1)"));
  const waiting = execute(orders, "insert into t values (2)");
  client.socket.terminate();
  await waiting;
  expect(await column(orders, "select x from t")).toEqual(["2"]);
});

test("rolls back an idle transaction, and keeps a stream without one open", { tags: ["more"] }, async () => {
  const { client, orders } = await connected();
  await execute(orders, "create table t (x)");
  for (const id of [1, 2]) await client.ask(open(id));
  await client.ask(run(1, "create temp table u as select 7 as x"));
  await client.ask(run(2, "begin immediate"));
  await vi.waitFor(() => execute(orders, "insert into t values (3)"), { timeout: 60_000 });
  expect((await client.request(run(2, "commit"))).error).toEqual({
    message: messages.STREAM_EXPIRED,
    code: "STREAM_EXPIRED",
  });
  expect(await client.column(1, "select x from u")).toEqual(["7"]);
  await client.ask(close(2));
  expect(await client.ask(open(2))).toEqual({ type: "open_stream" });
});

test("a database has at most 100 open streams, over HTTP and WebSockets together", async () => {
  const { client, orders } = await connected();
  const { baton } = await pipeline(orders, [stmt("select 1")]);
  expect(baton).not.toBeNull();
  const opened = await Promise.all(Array.from({ length: 100 }, (_, id) => client.ask(open(id))));
  expect(opened.filter((each) => each === messages.TOO_MANY_STREAMS)).toHaveLength(1);
  expect(await client.column(99, "select 1")).toBe("STREAM_NOT_OPEN");
  expect((await post(orders, "v2/pipeline", { requests: [stmt("select 1")] })).status).toBe(429);
  await client.ask(close(99));
  await client.ask(close(0));
  expect(await client.ask(open(0))).toEqual({ type: "open_stream" });
});

test("a socket has at most 1,000 streams, including those that could not be opened", async () => {
  const { client } = await connected();
  for (let id = 1; id <= 1001; id++) client.send({ type: "request", request_id: id, request: open(id) });
  expect(await client.closed).toEqual([1008, messages.TOO_MANY_STREAMS]);
});

test("a statement that is stopped ends its stream alone", { tags: ["more"] }, async () => {
  const { client } = await connected();
  await Promise.all([client.ask(open(1)), client.ask(open(2))]);
  expect(await client.column(1, ENDLESS)).toBe("SQLITE_INTERRUPT");
  expect((await client.request(run(1, "select 1"))).error?.message).toBe(messages.STREAM_FAILED);
  expect(await client.column(2, "select 1")).toEqual(["1"]);
});

test("a reset closes all sockets", async () => {
  const { api, client } = await connected();
  await client.ask(open(1));
  await client.ask(run(1, "begin immediate"));
  await api.reset();
  expect(await client.closed).toEqual([1012, messages.SERVER_RESET]);
});

test("a load of a snapshot rolls back transactions, stops what runs for long, and closes all sockets", async () => {
  const { api, client } = await connected();
  await client.ask(open(1));
  await client.ask(open(2));
  await client.column(1, "create table saved (x)");
  await api.save("seeded");
  await client.column(1, "begin immediate");
  await client.column(1, "insert into saved values (1)");
  const running = client.column(2, ENDLESS);
  // Its response shows that the server has received the request before it.
  await client.ask(open(3));
  await api.load("seeded");
  expect(await running).toBe("STREAM_EXPIRED");
  expect(await client.closed).toEqual([1012, messages.SNAPSHOT_LOADED]);
});

test("a server that stops answers the requests in progress, and closes the sockets", async () => {
  const { api, client } = await connected();
  await client.ask(open(1));
  const answering = client.column(1, SLOW);
  // Its response shows that the server has received the request before it.
  await client.ask(open(2));
  await api.close();
  expect(await answering).toEqual(["1000000"]);
  expect(await client.closed).toEqual([1001, messages.SERVER_STOPS]);
});

test("a server stops although a client does not close its socket", { tags: ["more"] }, async () => {
  const { api, client } = await connected();
  client.socket.pause();
  await api.close();
});

test("fault rules and the journal apply to requests over WebSockets", async () => {
  const { api, orders, client } = await connected();
  const failed = (status: number) => injectedFault({ status });
  await client.ask(open(1));
  api.clearJournal();
  api.fault({ operation: "sql", status: 503 });
  expect(await client.ask(run(1, "create table t (x)"))).toBe(failed(503));
  api.fault({ operation: "sql", body: { type: "response_ok", request_id: 3, response: { type: "odd" } } });
  expect(await client.ask(run(1, "create table t (x)"))).toEqual({ type: "odd" });
  const slow = api.fault({ operation: "sql", latency: 100 });
  expect(await client.column(1, "select name from sqlite_schema")).toEqual(["t"]);
  api.fault({ operation: "sql", hang: "after" });
  const hanging = vi.fn();
  void client.request(run(1, "insert into t values (1)")).then(hanging);
  await client.ask(open(2));
  await vi.waitFor(async () => expect(await client.column(2, "select x from t")).toEqual(["1"]));
  api.fault({ operation: "sql", reset: "before" });
  void client.request(run(2, "delete from t")).then(hanging);
  expect((await client.closed)[0]).toBe(1006);
  expect(hanging).not.toHaveBeenCalled();
  expect(await column(orders, "select x from t")).toEqual(["1"]);
  const path = `/sql/${orders.id}/execute`;
  const [first, second, third] = api.journal();
  expect(first).toMatchObject({ operation: "sql", method: "WS", path, status: 503 });
  expect([second?.status, third?.status, third?.fault?.id]).toEqual([200, 200, slow]);
});

test("the journal has the opening of a socket, and no token", async () => {
  const { api, orders } = await connected();
  api.clearJournal();
  await SocketClient.to(orders);
  await expect(SocketClient.open(orders.url, { offered: ["soap"] })).rejects.toThrow("400");
  const path = `/sql/${orders.id}/`;
  expect(api.journal()).toMatchObject([101, 400].map((status) => ({ operation: "sql", method: "GET", path, status })));
});

test("runs nothing more for a client that does not read what it has asked for", { tags: ["more"] }, async () => {
  const { api, client, orders } = await connected();
  await client.ask(open(1));
  api.clearJournal();
  client.socket.pause();
  const asked = Array.from({ length: 300 }, () => client.request(run(1, "select hex(zeroblob(500000))")));
  const answered = () => api.journal().filter(({ method }) => method === "WS").length;
  // When nothing more is answered while others are, the server waits for the client.
  for (let before = -1; before !== answered(); ) {
    before = answered();
    for (let count = 0; count < 200; count += 1) await execute(orders, "select 1");
  }
  expect(answered()).toBeGreaterThan(0);
  expect(answered()).toBeLessThan(50);
  client.socket.resume();
  await Promise.all(asked);
  expect(answered()).toBe(300);
});

test("the rows of a socket are durable like those of a request", async () => {
  const data = dataFile();
  const { api, database } = await sqlWorld({ data });
  const orders = await database("orders");
  const client = await SocketClient.to(orders);
  await client.ask(open(1));
  await client.ask(run(1, "create table t (x)"));
  await Promise.all([
    ...Array.from({ length: 20 }, (_, id) => {
      const sent = [client.ask(open(id + 2)), client.ask(run(id + 2, `insert into t values (${id})`))];
      return Promise.all([...sent, client.ask(close(id + 2))]);
    }),
  ]);
  await api.close();
  const again = await sqlWorld({ data });
  const place = { url: again.url(orders.id), token: orders.token };
  expect(await column(place, "select count(*) from t")).toEqual(["20"]);
});

test("opens streams for the database that has the hostname now", async () => {
  const { api, owner, slug, database, orders } = await connected();
  const { jwt } = await owner.ok("createGroupToken", { ...slug, groupName: "default", query: {}, body: {} } as never);
  const client = await SocketClient.open(api.url, { headers: { Host: orders.host } });
  await client.hello(jwt);
  await client.ask(open(1));
  await client.column(1, "create table t (x)");
  await owner.ok("deleteDatabase", { ...slug, databaseName: "orders" });
  await database("orders");
  expect(await client.column(1, "select 1")).toBe("STREAM_EXPIRED");
  await client.ask(open(2));
  expect(await client.column(2, "select count(*) from sqlite_schema")).toEqual(["0"]);
});
