import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { listen } from "../../platform/reference/http/listen";
import { MAX_BODY_BYTES, MAX_BODY_DEPTH } from "../../platform/reference/requests/body";
import { raw } from "./calling";
import { exchange } from "./exchange";
import { world } from "./world";

const DATABASES = "/v1/organizations/acme/databases";
const NAME = "a".repeat(10);

const nested = (depth: number): string => `{"name":"${NAME}","x":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;
const long = (bytes: number): string => `{"name":"${NAME}"}`.padEnd(bytes);

describe("a request body", () => {
  test.each([
    ["is accepted at the maximum length", long(MAX_BODY_BYTES), 200],
    ["is rejected if it is too long", long(MAX_BODY_BYTES + 1), 413],
    ["is accepted at the maximum depth", nested(MAX_BODY_DEPTH), 200],
    ["is rejected if it is nested too deeply", nested(MAX_BODY_DEPTH + 1), 400],
    [
      "is rejected if it consists only of brackets",
      "[".repeat(MAX_BODY_BYTES / 2) + "]".repeat(MAX_BODY_BYTES / 2),
      400,
    ],
    ["is rejected if it contains a number out of range", '{"name":1e999}', 400],
    ["is rejected if it contains a name under `__proto__`", '{"__proto__":{"name":"a"}}', 400],
    [
      "is rejected if it contains bytes that are not text",
      Buffer.from([...Buffer.from('{"name":"'), 0xff, 0xfe, ...Buffer.from('"}')]),
      400,
    ],
    ["is rejected if it contains an incomplete character", '{"name":"\\ud800"}', 400],
    ["is rejected if it contains the character U+0000", '{"name":"a\\u0000"}', 400],
    ["can repeat a key, in which case the last value is used", `{"name":"first","NAME":"${NAME}"}`, 200],
  ])("§8 %s", async (_what, body, status) => {
    const { api, liveNames } = await world();
    const answer = await raw(api.url + DATABASES, { method: "POST", credential: api.apiToken, body });
    expect(answer.status).toBe(status);
    expect(await liveNames()).toEqual(status === 200 ? [NAME] : []);
  });

  test.each([
    ["a bare word", "swordfish", 1, 1],
    ["a bare word as a value", '{"name": "a",\n "key": swordfish}', 2, 9],
    ["a word after the end", '{"name": "a"} swordfish', 1, 15],
    ["an unclosed string", '{"name": "swordfish', 1, 20],
    ["single quotes", "{'swordfish': 1}", 1, 2],
    ["an unclosed object", '{"name": "swordfish"', 1, 21],
    ["a missing comma", '["swordfish" 1]', 1, 14],
    ["a colon after a bare word", '{"name": swordfish:', 1, 10],
  ])(
    "§4 is rejected because of %s; the error gives the position, never the text",
    async (_what, body, line, column) => {
      const { api } = await world();
      const answer = await raw(api.url + DATABASES, { method: "POST", credential: api.apiToken, body });
      expect(answer.status).toBe(400);
      const { error } = await answer.json();
      expect(error).toBe(`the request body is not valid JSON: line ${line}, column ${column}`);
    },
  );

  test("wire-facts 13.3 may have keys in any letter case, but its values keep their case", async () => {
    const { api, owner, slug, liveNames } = await world();
    const patch = (body: object) =>
      raw(`${api.url}${DATABASES}/a/configuration`, {
        method: "PATCH",
        credential: api.apiToken,
        body: JSON.stringify(body),
      });
    await owner.ok("createDatabase", { ...slug, body: { name: "a" } });
    expect((await patch({ SIZE_Limit: "1GB", Allowed_IPs: ["10.0.0.0/8"] })).status).toBe(200);
    const configuration = await owner.ok("retrieveDatabaseConfiguration", { ...slug, databaseName: "a" });
    expect(configuration).toMatchObject({ size_limit: "1GB", allowed_ips: ["10.0.0.0/8"] });
    expect(await liveNames()).toEqual(["a"]);
  });
});

test.each([
  ["an endless body", DATABASES, undefined, 413],
  ["an endless file", `${DATABASES}/dumps`, undefined, 413],
  ["an endless file with an invalid credential", `${DATABASES}/dumps`, "a.b.c", 401],
])("§8 rejects %s, and closes the connection without reading further", async (_what, path, forged, status) => {
  const { api } = await world();
  const credential = forged ?? api.apiToken;
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  const heard: Buffer[] = [];
  socket.on("data", (chunk) => heard.push(chunk));
  const headers = `Host: x\r\nAuthorization: Bearer ${credential}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  socket.write(`POST ${path} HTTP/1.1\r\n${headers}`);
  const chunk = `10000\r\n${"a".repeat(65_536)}\r\n`;
  const send = () => {
    while (!socket.destroyed && socket.write(chunk)) {}
    socket.once("drain", send);
  };
  send();
  await new Promise((resolve) => socket.once("close", resolve));
  expect(Buffer.concat(heard).toString()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect((await raw(`${api.url}/v1/locations`, { credential: api.apiToken })).status).toBe(200);
});

test.each([
  ["its headers", "POST / HTTP/1.1\r\nHost:"],
  ["its body", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{"],
])("§8 disconnects a caller that never finishes %s", async (_what, begun) => {
  const listening = await listen({ port: 0, host: "127.0.0.1", arrivalMs: 100 });
  listening.serve({ fetch: async (request: Request) => new Response(await request.text()), unread: () => undefined });
  expect(await exchange(listening.url, begun)).toMatch(/^HTTP\/1\.1 408 /);
  await listening.close();
});

test("keeps an idle connection open for a minute", async () => {
  const { api } = await world();
  const answer = await raw(`${api.url}/v1/locations`, { credential: api.apiToken });
  expect(answer.headers.get("keep-alive")).toBe("timeout=60");
});

describe("malformed requests", () => {
  const get = (path: string, headers = "") => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`;
  test.each([
    [400, "the character U+0000 in a path", get(`${DATABASES}/%00`)],
    [400, "the character U+0000 in a parameter", get(`${DATABASES}?cursor=%00`)],
    [404, "an invalid escape", get(`${DATABASES}/%zz`)],
    [404, "an escape that ends too soon", get(`${DATABASES}/%`)],
    [404, "escaped bytes that are not text", get(`${DATABASES}/%ff%fe`)],
    [404, "a name that looks like a path", get(`${DATABASES}/..%2f..%2fv1%2flocations`)],
    [404, "the name `constructor`", get(`${DATABASES}/constructor`)],
    [404, "the organization `__proto__`", get("/v1/organizations/__proto__/groups")],
    [404, "an empty name", get("/v1/organizations//databases")],
    [404, "a name of 9,000 letters", get(`${DATABASES}/${"%61".repeat(3_000)}`)],
    [431, "a path of 20,000 letters", get(`/${"a".repeat(20_000)}`)],
    [431, "a header of 20,000 letters", get("/v1/locations", `X: ${"a".repeat(20_000)}\r\n`)],
    [400, "the path `*`", get("*")],
    [400, "an unknown method", get("/v1/locations").replace("GET", "FETCH")],
    [400, "a missing host", "GET /v1/locations HTTP/1.1\r\nConnection: close\r\n\r\n"],
    [400, "an invalid host", get("/v1/locations").replace("Host: x", "Host: a b/c")],
    [400, "two lengths of one body", get(DATABASES, "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n")],
    [400, "bytes that are not HTTP", "\x16\x03\x01\x02\x00\r\n\r\n"],
    [200, "unexpected parameters", get(`${DATABASES}?__proto__=1&constructor=2&=3&%zz=%zz`)],
    [200, "a parameter given twice, of which the first is read", get(`${DATABASES}?limit=1&limit=nonsense`)],
  ])("§4 return %i for %s", async (status, _what, request) => {
    const { api } = await world();
    const asked = request.replace("Host: x\r\n", `Host: x\r\nAuthorization: Bearer ${api.apiToken}\r\n`);
    expect(await exchange(api.url, asked)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });
});
