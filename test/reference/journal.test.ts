// @module-tag the-reference-api

import { once } from "node:events";
import { type ClientRequest, request } from "node:http";
import type { Socket } from "node:net";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from "vitest";
import { KEY_HEADER } from "../../platform/reference/control/guard";
import { listen } from "../../platform/reference/http/listen";
import { type UnreadRequest, unansweredStatus } from "../../platform/reference/http/unanswered";
import { raw } from "./calling";
import { exchange } from "./exchange";
import { NOON, world } from "./world";

const DATABASES = "/v1/organizations/acme/databases";

let written: MockInstance<typeof process.stderr.write>;

beforeEach(() => {
  written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
});
afterEach(() => written.mockRestore());

const logged = () => written.mock.calls.map(([line]) => JSON.parse(String(line)));

/**
 * Waits until the journal has `count` entries. Returns the method, path and status of every entry in the journal and in
 * the log.
 */
async function lines({ api }: Pick<Awaited<ReturnType<typeof world>>, "api">, count: number) {
  const turn = () => raw(`${api.url}/page/pulse`, { headers: { Cookie: "" } });
  while (api.journal().length < count) await turn();
  const shown = ({ method, path, status }: { method: string; path: string; status: number }) => [method, path, status];
  return { journal: api.journal().map(shown), log: logged().map(shown) };
}

describe("the journal and the log have one line for each refused request", () => {
  const get = (path: string, headers = "") => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`;
  test.each<[string, string, [method: string, path: string, status: number]]>([
    ["bytes that are not HTTP", "\x16\x03\x01\x02\x00\r\n\r\n", ["-", "-", 400]],
    ["an unknown method", get("/v1/locations").replace("GET", "FETCH"), ["-", "-", 400]],
    ["headers that are too long", get("/v1/locations", `X: ${"a".repeat(20_000)}\r\n`), ["-", "-", 431]],
    ["a missing host", "GET /v1/locations?x=1 HTTP/1.1\r\nConnection: close\r\n\r\n", ["GET", "/v1/locations", 400]],
    ["an invalid host", get("/v1/locations").replace("Host: x", "Host: a b/c"), ["GET", "/v1/locations", 400]],
    ["the path `*`", get("*"), ["GET", "*", 400]],
    ["an unknown Expect header", get("/v1/user", "Expect: miracles\r\n"), ["GET", "/v1/user", 417]],
    ["a CONNECT request", "CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n", ["CONNECT", "x:443", 400]],
    ["an unknown path", get("/v1/nothing"), ["GET", "/v1/nothing", 404]],
    ["a known path under another method", get("/v1/locations").replace("GET", "PUT"), ["PUT", "/v1/locations", 404]],
    ["a missing credential", get("/v1/locations"), ["GET", "/v1/locations", 401]],
    [
      "an invalid length of the body",
      `POST ${DATABASES} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nlong\r\n`,
      ["POST", DATABASES, 400],
    ],
    ["a host name that is not a loopback name", get("/_reference/clock"), ["GET", "/_reference/clock", 403]],
    ["a host name that is not a loopback name, for the page", get("/"), ["GET", "/", 403]],
  ])("with %s", async (_what, bytes, line) => {
    const here = await world({ log: "json" });
    await exchange(here.api.url, bytes);
    expect(await lines(here, 1)).toEqual({ journal: [line], log: [line] });
    expect(here.api.journal()[0]?.time).toBe(NOON);
  });

  test.each([
    ["a body that is too long", `${DATABASES}?x=1`, "a".repeat(2 ** 20 + 1), 413, "createDatabase"],
    ["a body that is not UTF-8", DATABASES, new Uint8Array([0xff]), 400, "createDatabase"],
    ["a body that is not JSON", DATABASES, "{", 400, "createDatabase"],
    ["an invalid fault rule", "/_reference/faults", "{}", 400, undefined],
    ["a fault rule that is too long", "/_reference/faults", "a".repeat(2 ** 20 + 1), 413, undefined],
  ])("with %s", async (_what, path, body, status, operation) => {
    const here = await world({ log: "json" });
    await raw(here.api.url + path, { method: "POST", credential: here.api.apiToken, body });
    const line = ["POST", path.replace("?x=1", ""), status];
    expect(await lines(here, 1)).toEqual({ journal: [line], log: [line] });
    expect(here.api.journal()[0]?.operation).toBe(operation);
  });

  test("with a wrong or missing Reference-Key, and that line never contains the real key", async () => {
    const here = await world({ log: "json", host: "0.0.0.0" });
    const { url, key = "" } = here.api;
    const escaped = [...key].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join("");
    await raw(`${url}/_reference/clock`);
    await raw(`${url}/_reference/clock`, { headers: { [KEY_HEADER]: "guess-of-a-key" } });
    await raw(url);
    await raw(`${url}/page/sign-in`, { method: "POST", body: new URLSearchParams({ key: "guess-of-a-key" }) });
    await raw(`${url}/_reference/${key}`);
    await raw(`${url}/v1/${escaped}?key=${key}`);
    await raw(`${url}/_reference/clock`, { headers: { [KEY_HEADER]: key } });
    const refused = [
      ["GET", "/_reference/clock", 401],
      ["GET", "/_reference/clock", 401],
      ["GET", "/", 401],
      ["POST", "/page/sign-in", 401],
      ["GET", "/_reference/[key]", 401],
      ["GET", "/v1/[key]", 404],
    ];
    const { journal, log } = await lines(here, refused.length);
    expect(journal).toEqual(refused);
    expect(log).toEqual([...refused, ["GET", "/_reference/clock", 200]]);
    for (const secret of [key, escaped, "guess-of-a-key"])
      expect(JSON.stringify([here.api.journal(), logged()])).not.toContain(secret);
  });
});

test.each([
  ["closes its connection", 400, (upload: ClientRequest) => upload.socket?.destroy()],
  ["resets its connection", 0, (upload: ClientRequest) => (upload.socket as Socket).resetAndDestroy()],
])("a request whose caller %s while sending it is recorded with the status %i", async (_how, status, leave) => {
  const here = await world({ log: "json" });
  const headers = { "Content-Length": 100, Authorization: `Bearer ${here.api.apiToken}`, Expect: "100-continue" };
  const upload = request(here.api.url + DATABASES, { method: "POST", headers });
  upload.on("error", () => undefined).write("{");
  // The server knows nothing of a request that is given up before its headers have arrived.
  await once(upload, "continue");
  leave(upload);
  expect((await lines(here, 1)).journal).toEqual([["POST", DATABASES, status]]);
  expect(here.api.journal()[0]?.operation).toBe("createDatabase");
});

test("records an unfinished request once, with the status 408", async () => {
  const told: (UnreadRequest | number)[] = [];
  const listening = await listen({ port: 0, host: "127.0.0.1", arrivalMs: 100 });
  listening.serve({
    async fetch(request: Request, { incoming }: { incoming: { socket: { errored: Error | null } } }) {
      await request.text().catch(() => undefined);
      told.push(unansweredStatus(incoming.socket.errored));
      return new Response();
    },
    unread: (refused) => told.push(refused),
  });
  await exchange(listening.url, "POST / HTTP/1.1\r\nHost:");
  await exchange(listening.url, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{");
  await listening.close();
  expect(told).toEqual([{ method: "-", path: "-", status: 408 }, 408]);
});

test("records successful requests to the reference API's own routes in the log, but not in the journal", async () => {
  const here = await world({ log: "json" });
  const own = ["/_reference/journal", "/docs", "/openapi.json", "/", "/page/page.css"];
  for (const path of own) expect((await raw(here.api.url + path)).status).toBe(200);
  // Every health check would be a line.
  expect((await raw(`${here.api.url}/_reference/health`)).status).toBe(200);
  const platform = ["/.well-known/jwks.json", "/releases/latest", "/v1/locations"];
  for (const path of platform) await raw(here.api.url + path, { credential: here.api.apiToken });
  const { journal, log } = await lines(here, platform.length);
  expect(journal).toEqual(platform.map((path) => ["GET", path, 200]));
  expect(log).toEqual([...own, ...platform].map((path) => ["GET", path, 200]));
});

test("records requests even while the clock cannot be read", async () => {
  const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const here = await world({ log: "json" });
  await here.api.store.transaction([], (state) => sql`alter table settings rename to lost`.execute(state));
  await raw(`${here.api.url}/v1/nothing`);
  await raw(`${here.api.url}${DATABASES}/dumps`, { method: "POST", body: "x" });
  expect((await lines(here, 2)).journal).toEqual([
    ["GET", "/v1/nothing", 404],
    ["POST", `${DATABASES}/dumps`, 500],
  ]);
  said.mockRestore();
});
