import { describe, expect, test } from "vitest";
import { raw } from "./calling";
import { world } from "./world";

const DATABASES = "/v1/organizations/acme/databases";
const CONFIGURATION = `${DATABASES}/a/configuration`;

describe("a malformed request is refused in a clear sentence", () => {
  // Promise: The reference API
  test.each<[string, string, unknown, string]>([
    ["POST", DATABASES, undefined, "the request body is missing: it must be a JSON object"],
    ["POST", DATABASES, [], "the request body must be a JSON object, but is an empty list"],
    ["POST", DATABASES, {}, "name is missing: it must be text"],
    ["POST", DATABASES, { name: 1 }, "name must be text, but is 1"],
    [
      "POST",
      DATABASES,
      { name: "b", seed: { type: "copy", timestamp: "noon" } },
      'seed.type must be "database", "dump" or "database_upload", but is "copy"; ' +
        'seed.timestamp must be an instant such as "2026-01-31T12:00:00Z", but is "noon"',
    ],
    [
      "POST",
      "/v1/organizations/acme/groups",
      { name: "b", location: "ams", extensions: ["vec", "lua"] },
      'extensions must be "all" or a list of "vector", "vec", "crypto", "fuzzy", "math", "stats", "text", "unicode", "uuid" or "regexp", but is ["vec","lua"]',
    ],
    ["PATCH", CONFIGURATION, { delete_protection: "yes" }, 'delete_protection must be true or false, but is "yes"'],
    ["PATCH", CONFIGURATION, { allowed_ips: [{}] }, "allowed_ips[0] must be text, but is an object"],
    [
      "POST",
      `${DATABASES}/a/auth/tokens?authorization=all`,
      { fine_grained_permissions: [{ a: [] }] },
      'authorization must be "full-access" or "read-only", but is "all"',
    ],
    [
      "POST",
      `${DATABASES}/a/auth/tokens`,
      { fine_grained_permissions: [{ a: [] }] },
      "fine_grained_permissions[0].a must be a list with at least one item, but is an empty list",
    ],
    ["GET", `${DATABASES}?limit=0`, undefined, 'limit must be a whole number from 1 to 1000, but is "0"'],
    [
      "GET",
      `${DATABASES}?limit=99999999999999999999999`,
      undefined,
      'limit must be a whole number from 1 to 1000, but is "99999999999999999999999"',
    ],
    ["GET", `${DATABASES}?limit=1e2`, undefined, 'limit must be a whole number from 1 to 1000, but is "1e2"'],
    ["POST", "/v3/organizations/{id}/databases/nonsense/restore", {}, 'databaseId must be a UUID, but is "nonsense"'],
    ["POST", "/v2/organizations/acme/invites", { email: "nobody" }, 'email must be an email address, but is "nobody"'],
    ["PUT", "/_reference/clock", {}, 'now is missing: it must be an instant such as "2026-01-31T12:00:00Z"'],
    [
      "POST",
      "/_reference/clock/advance",
      { second: 1 },
      'seconds is missing: it must be a number; the request body has no field "second"; its fields are seconds',
    ],
    [
      "POST",
      "/_reference/faults",
      { operation: "createDatabases", status: 503 },
      'operation must be the name of an operation in /openapi.json, or "*", but is "createDatabases"',
    ],
  ])("§7 %s %s with %j", async (method, path, body, error) => {
    const { api, database } = await world();
    await database("a");
    const sent = { method, credential: api.apiToken, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const answer = await raw(api.url + path.replace("{id}", api.organizationId), sent);
    expect([answer.status, await answer.json()]).toEqual([400, { error }]);
  });

  // Promise: The reference API
  test("§2.4 without repeating a token in the wrong field", async () => {
    const { api } = await world();
    const body = JSON.stringify({ token: "x", database: api.apiToken });
    const answer = await raw(`${api.url}/_reference/sql-tokens/verify`, { method: "POST", body });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { error: 'database must be a UUID, but is "[credential]"' },
    ]);
  });
});

describe("a size limit", () => {
  const limitTo = async (size_limit: string) => {
    const { api, database } = await world();
    await database("a");
    const body = JSON.stringify({ size_limit });
    const answer = await raw(api.url + CONFIGURATION, { method: "PATCH", credential: api.apiToken, body });
    return [answer.status, await answer.json()];
  };
  const UNITS = "b, k, kb, ki, kib, m, mb, mi, mib, g, gb, gi, gib, t, tb, ti, tib";

  // Promise: The reference API
  test.each(["", "0", "1mb", "1MiB", "1.5 GiB", "256 MB", "512k", "2Ti", "1048576 B", "9223372036854775807"])(
    "§2.2 of %j is accepted, and kept as it is written",
    async (size) => {
      expect(await limitTo(size)).toEqual([200, expect.objectContaining({ size_limit: size })]);
    },
  );

  // Promise: The reference API
  test.each([
    " ",
    " 1mb",
    "1mb ",
    "1  mb",
    "1\tmb",
    "-1",
    "+1",
    "1e9",
    "0.5",
    "1,5gb",
    "1pb",
    "lots",
    "9223372036854775808",
    "8388608tib",
  ])("§2.2 of %j is refused with the name of every unit", async (size) => {
    const error = `size_limit: "${size}" is not a size. Write whole bytes or a number with a unit ("256mb") that makes a whole number of bytes, at most 9223372036854775807 bytes. Units, in any case: ${UNITS}. Empty text means no limit.`;
    expect(await limitTo(size)).toEqual([400, { error }]);
  });

  test("§2.2 that is very long is quoted only at its beginning", async () => {
    const [status, { error }] = await limitTo("9".repeat(100_000));
    expect(status).toBe(400);
    expect(error.length).toBeLessThan(400);
  });
});

describe("bodies that are not UTF-8", () => {
  // Promise: The reference API
  test.each<[string, string, Buffer]>([
    ["ISO 8859-1", DATABASES, Buffer.from('{"name":"caf\u00e9"}', "latin1")],
    ["UTF-16", DATABASES, Buffer.from('\ufeff{"name":"a"}', "utf16le")],
    ["half a character", "/_reference/clock/advance", Buffer.from([...Buffer.from('{"seconds":1,"x":"'), 0xe2, 0x82])],
  ])("§4 are refused: %s", async (_what, path, body) => {
    const { api, liveNames } = await world();
    const answer = await raw(api.url + path, { method: "POST", credential: api.apiToken, body: new Uint8Array(body) });
    expect([answer.status, await answer.json()]).toEqual([400, { error: "the request body is not valid UTF-8" }]);
    expect(await liveNames()).toEqual([]);
  });

  test("§7 return 401 to a caller without a credential", async () => {
    const { api } = await world();
    const answer = await raw(api.url + DATABASES, { method: "POST", body: new Uint8Array([0xff]) });
    expect(answer.status).toBe(401);
  });
});

describe("a PATCH without a body changes nothing, like an empty object", () => {
  // Promise: The reference API
  test.each([CONFIGURATION, "/v1/organizations/acme/groups/default/configuration", "/v1/organizations/acme"])(
    "§4.3 %s",
    async (path) => {
      const { api, database } = await world();
      await database("a");
      const patched = async (body?: string) => {
        const answer = await raw(api.url + path, { method: "PATCH", credential: api.apiToken, body });
        return [answer.status, await answer.json()];
      };
      const expected = await patched("{}");
      expect(expected[0]).toBe(200);
      for (const body of [undefined, "", "null"]) expect(await patched(body)).toEqual(expected);
    },
  );
});
