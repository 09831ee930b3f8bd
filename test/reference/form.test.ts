// @module-tag the-reference-api

import { describe, expect, test } from "vitest";
import { operationUnknown, refuse } from "../../platform/reference/messages";
import {
  BODY,
  choice,
  FORMATS,
  fieldMissing,
  fieldUnknown,
  fieldWrong,
  GIVEN,
  NOT_EMPTY_LIST,
  TYPES,
} from "../../platform/reference/requests/messages";
import { invalidSize, notWholeNumber } from "../../platform/values/messages";
import { raw } from "./calling";
import { world } from "./world";

const DATABASES = "/v1/organizations/acme/databases";
const wrong = (field: string, accepted: string, given: string): string => `${field} ${fieldWrong({ accepted, given })}`;
const missing = (field: string, type: string): string => `${field} ${fieldMissing({ accepted: String(TYPES[type]) })}`;

const CONFIGURATION = `${DATABASES}/a/configuration`;

describe("a malformed request", () => {
  test.each<[string, string, string, unknown, string]>([
    ["a number as the name", "POST", DATABASES, { name: 1 }, wrong("name", "text", "1")],
    ["no name", "POST", DATABASES, {}, missing("name", "string")],
    ["no body", "POST", DATABASES, undefined, missing(BODY, "object")],
    ["a list as the body", "POST", DATABASES, [], wrong(BODY, "a JSON object", GIVEN.emptyList)],
    [
      "an invalid type and time of a seed",
      "POST",
      DATABASES,
      { name: "b", seed: { type: "copy", timestamp: "noon" } },
      `${wrong("seed.type", choice({ choices: ['"database"', '"dump"', '"database_upload"'] }), '"copy"')}; ${wrong("seed.timestamp", String(FORMATS.datetime), '"noon"')}`,
    ],
    [
      "unknown extensions",
      "POST",
      "/v1/organizations/acme/groups",
      { name: "b", location: "ams", extensions: ["vec", "lua"] },
      wrong(
        "extensions",
        '"all" or a list of "vector", "vec", "crypto", "fuzzy", "math", "stats", "text", "unicode", "uuid" or "regexp"',
        '["vec","lua"]',
      ),
    ],
    [
      "text in place of true or false",
      "PATCH",
      CONFIGURATION,
      { delete_protection: "yes" },
      wrong("delete_protection", "true or false", '"yes"'),
    ],
    [
      "an object as an IP range",
      "PATCH",
      CONFIGURATION,
      { allowed_ips: [{}] },
      wrong("allowed_ips[0]", "text", GIVEN.object),
    ],
    [
      "an unknown authorization",
      "POST",
      `${DATABASES}/a/auth/tokens?authorization=all`,
      { fine_grained_permissions: [{ a: [] }] },
      wrong("authorization", choice({ choices: ['"full-access"', '"read-only"'] }), '"all"'),
    ],
    [
      "an empty list of actions",
      "POST",
      `${DATABASES}/a/auth/tokens`,
      { fine_grained_permissions: [{ a: [] }] },
      wrong("fine_grained_permissions[0].a", NOT_EMPTY_LIST, GIVEN.emptyList),
    ],
    ["a limit of 0", "GET", `${DATABASES}?limit=0`, undefined, `limit ${notWholeNumber({ largest: 1000, text: "0" })}`],
    [
      "a limit above the largest integer",
      "GET",
      `${DATABASES}?limit=99999999999999999999999`,
      undefined,
      `limit ${notWholeNumber({ largest: 1000, text: "99999999999999999999999" })}`,
    ],
    [
      "an email address without a domain",
      "POST",
      "/v2/organizations/acme/invites",
      { email: "nobody" },
      wrong("email", "an email address", '"nobody"'),
    ],
    [
      "no time for the clock",
      "PUT",
      "/_reference/clock",
      {},
      `now ${fieldMissing({ accepted: String(FORMATS.datetime) })}`,
    ],
    [
      "a misspelled field",
      "POST",
      "/_reference/clock/advance",
      { second: 1 },
      `${missing("seconds", "number")}; ${BODY} ${fieldUnknown({ field: '"second"', known: ["seconds"] })}`,
    ],
    [
      "an unknown operation of a fault",
      "POST",
      "/_reference/faults",
      { operation: "createDatabases", status: 503 },
      `operation ${operationUnknown({ given: '"createDatabases"' })}`,
    ],
  ])("§7 gets an error that points to the mistake: %s (%s %s)", async (_what, method, path, body, error) => {
    const { api, database } = await world();
    await database("a");
    const sent = { method, credential: api.apiToken, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const answer = await raw(api.url + path.replace("{id}", api.organizationId), sent);
    expect([answer.status, await answer.json()]).toEqual([400, { error }]);
  });

  test("§2.4 gets an error that does not repeat a token sent in the wrong field", async () => {
    const { api } = await world();
    const body = JSON.stringify({ token: "x", database: api.apiToken });
    const answer = await raw(`${api.url}/_reference/sql-tokens/verify`, { method: "POST", body });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { error: wrong("database", "a UUID", '"[credential]"') },
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
  const UNITS = "b k kb ki kib m mb mi mib g gb gi gib t tb ti tib".split(" ");

  test.each(["", "0", "1mb", "1MiB", "1.5 GiB", "256 MB", "512k", "2Ti", "1048576 B", "9223372036854775807"])(
    "§2.2 is accepted and stored exactly as written: %j",
    async (size) => {
      expect(await limitTo(size)).toEqual([200, expect.objectContaining({ size_limit: size })]);
    },
  );

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
  ])("§2.2 is rejected with a list of all valid units: %j", async (size) => {
    const error = `size_limit: ${invalidSize({ text: size, largestSize: 2n ** 63n - 1n, units: UNITS })}`;
    expect(await limitTo(size)).toEqual([400, { error }]);
  });

  test("§2.2 is truncated in the error message if it is very long", async () => {
    const [status, { error }] = await limitTo("9".repeat(100_000));
    expect(status).toBe(400);
    expect(error.length).toBeLessThan(400);
  });
});

describe("bodies that are not UTF-8", () => {
  test.each<[string, string, Buffer]>([
    ["ISO 8859-1", DATABASES, Buffer.from('{"name":"caf\u00e9"}', "latin1")],
    ["UTF-16", DATABASES, Buffer.from('\ufeff{"name":"a"}', "utf16le")],
    [
      "an incomplete character",
      "/_reference/clock/advance",
      Buffer.from([...Buffer.from('{"seconds":1,"x":"'), 0xe2, 0x82]),
    ],
  ])("§4 are rejected: %s", async (_what, path, body) => {
    const { api, liveNames } = await world();
    const answer = await raw(api.url + path, { method: "POST", credential: api.apiToken, body: new Uint8Array(body) });
    expect([answer.status, await answer.json()]).toEqual([400, { error: refuse.bodyNotUtf8().message }]);
    expect(await liveNames()).toEqual([]);
  });

  test("§7 cause a 401 response if the caller has no credential", async () => {
    const { api } = await world();
    const answer = await raw(api.url + DATABASES, { method: "POST", body: new Uint8Array([0xff]) });
    expect(answer.status).toBe(401);
  });
});

describe("a PATCH without a body gives the same response as one with `{}`", () => {
  test.each([CONFIGURATION, "/v1/organizations/acme/groups/default/configuration", "/v1/organizations/acme"])(
    "§4.3 at the path %s",
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
