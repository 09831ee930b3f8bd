// @module-tag no-database-is-lost

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { Properties } from "../../kit/lifecycle/properties";
import { isRefusal } from "../../kit/refusal";
import { invoke } from "../../kit/steps/invoke";
import { api, type Operation } from "../../platform/contract/api";
import type { Endpoint } from "../../platform/contract/endpoint";
import { HttpConnection } from "../../provider/client/http/client";
import { functions } from "../../provider/functions/list";
import { resources } from "../../provider/resources/list";
import type { Declared, Value } from "../fake-engine/declared-program";
import { fakeStack } from "../fake-engine/fake-engine";
import { full } from "../full";
import { withBystanders } from "./bystanders";
import { objectsIn } from "./fault-scenarios";

const HOSTILE = [
  "..",
  ".",
  "",
  "/",
  "../../v1/organizations/globex",
  "a/b",
  "orders/../other",
  "orders/configuration",
  "?deleted=true",
  "#",
  "%2f",
  "%2e%2e",
  "..%2f..",
  "..;/",
  "\\..\\",
  "\u0000",
  "orders\u0000",
  "\r\nHost: evil",
  "\ud800",
  "\u202egnp",
  "ordеrs",
  "﹒﹒／",
  " orders ",
  "__proto__",
  "constructor",
  "*",
  "{databaseId}",
  "//evil.example/x",
  "http://evil.example/",
  "x".repeat(5_000),
];

const hostile = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: "binary", maxLength: 40 }), fc.string());
const runs = { numRuns: full ? 2_000 : 50 };

async function listener() {
  const heard: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    heard.push(url);
    response.end("{}");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const connection = new HttpConnection({
    baseUrl: `http://127.0.0.1:${port}`,
    apiToken: "secret",
    userAgent: "tests",
  });
  onTestFinished(async () => {
    await connection.close();
    server.close();
  });
  return { heard, client: connection.client({ signal: new AbortController().signal }) };
}

test("encodes any name or id as one path segment, or rejects it without sending a request", async () => {
  const { heard, client } = await listener();
  const operations = (Object.entries(api) as [Operation, Endpoint][]).filter(([, { paths }]) => paths[0].includes("{"));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...operations),
      fc.array(hostile, { minLength: 3, maxLength: 3 }),
      async (chosen, values) => {
        const [operation, { paths }] = chosen;
        const names = [...paths[0].matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));
        const given = Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]));
        heard.length = 0;
        const asking = client as unknown as Record<string, (request: Properties) => Promise<unknown>>;
        const failure = await asking[operation]?.(given).then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        if (heard.length === 0) {
          expect(failure).toMatchObject({ name: "Refusal" });
          return;
        }
        const [path = "", ...rest] = String(heard[0]).split("?");
        expect(rest).toEqual([]);
        expect(path.split("/").map(decodeURIComponent)).toEqual(
          paths[0].split("/").map((segment) => (segment.startsWith("{") ? given[segment.slice(1, -1)] : segment)),
        );
        expect(new URL(path, "http://host").pathname.split("/").length).toBe(paths[0].split("/").length);
      },
    ),
    runs,
  );
});

const wish = (type: string, args: Readonly<Record<string, fc.Arbitrary<Value>>>): fc.Arbitrary<Declared> =>
  fc.record({ type: fc.constant(type), args: fc.record(args) as fc.Arbitrary<Declared["args"]> });

const onlyRefusals = (thrown: unknown): undefined => {
  if (!isRefusal(thrown)) throw thrown;
};

test("creates a resource under its exact name or rejects the name, and changes no other resource", async () => {
  const { here, wire, outside, before } = await withBystanders();
  const wishes: fc.Arbitrary<Declared> = fc.oneof(
    wish("Database", { name: hostile, group: fc.constantFrom("default", ...HOSTILE) }),
    wish("Group", { name: hostile, location: fc.constantFrom("aws-us-east-1", ...HOSTILE) }),
    wish("ApiToken", { name: hostile }),
    wish("ApiToken", { name: hostile, group: hostile, scopes: fc.array(hostile) }),
    wish("DatabaseConfiguration", { database: hostile, sizeLimit: hostile }),
  );
  await fc.assert(
    fc.asyncProperty(wishes, async (declared) => {
      const stack = fakeStack({ api: here.api, baseUrl: wire.url });
      const { failure } = await stack.run(new Map([["x", declared]]), { preview: false });
      if (failure === undefined)
        expect((await stack.managed()).get("x")?.outputs).toMatchObject({ name: declared.args.name });
      expect(wire.requests.filter(({ operation }) => operation === undefined)).toEqual([]);
    }),
    runs,
  );
  const after = await objectsIn(here, outside);
  for (const [id, told] of before) expect(after.get(id)).toBe(told);
});

test("imports only the resource with the given id", async () => {
  const { here, wire, outside, before } = await withBystanders();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...resources), hostile, async ({ type }, id) => {
      const stack = fakeStack({ api: here.api, baseUrl: wire.url });
      const program = new Map([["x", { type, args: {}, import: id }]]);
      expect((await stack.run(program, { preview: false })).failure).toBeDefined();
      expect(wire.requests.filter(({ operation }) => operation === undefined)).toEqual([]);
    }),
    runs,
  );
  expect(await objectsIn(here, outside)).toEqual(before);
});

test("a function requests only the resource that its arguments identify", async () => {
  const { wire, context } = await withBystanders();
  const names = [...new Set(functions.flatMap(({ args }) => Object.keys(args.shape)))];
  const questions = fc.dictionary(fc.constantFrom(...names), hostile);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...functions), questions, async (asked, args) => {
      const own = Object.fromEntries(Object.entries(args).filter(([name]) => name in asked.args.shape));
      const { result } = (await invoke(asked, own, context).catch(onlyRefusals)) ?? {};
      for (const name of ["name", "dbId", "uuid"])
        if (result && own[name] !== undefined) expect(result[name]).toBe(own[name]);
      expect(wire.requests.filter(({ operation, method }) => operation === undefined || method !== "GET")).toEqual([]);
    }),
    runs,
  );
});
