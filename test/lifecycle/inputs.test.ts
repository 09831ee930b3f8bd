// @module-tag no-database-is-lost
// @module-tag failures-and-interruptions
// @module-tag all-drift-is-shown
// @module-tag no-false-differences

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AnyResource } from "../../kit/definition";
import { compare } from "../../kit/lifecycle/comparison";
import { nameProposer } from "../../kit/lifecycle/naming";
import { IMPORTED, type Properties, UNKNOWN } from "../../kit/lifecycle/properties";
import { check } from "../../kit/steps/check";
import { PRESETS, SCOPES, scopeProblem } from "../../platform/values/scope";
import { canonicalUuid, isCanonicalUuid } from "../../platform/values/uuid";
import { database } from "../../provider/resources/database/database";
import { apiToken } from "../../provider/resources/token/api-token";

const name = fc.stringMatching(/^[a-z]([a-z0-9-]{0,20}[a-z0-9])?$/);
const scopes = fc.uniqueArray(fc.constantFrom(...SCOPES, ...Object.keys(PRESETS)), { minLength: 1 });
const propose = nameProposer({ logicalName: "orders", randomSeed: new Uint8Array(32) });

const databaseArgs = fc.record({ name, group: name }, { requiredKeys: ["group"] });
const tokenArgs = fc.record({
  name,
  group: name,
  scopes,
  keepers: fc.dictionary(fc.string({ minLength: 1 }), fc.string()),
});
const wishes: [AnyResource, fc.Arbitrary<Properties>][] = [
  [database, databaseArgs],
  [apiToken, tokenArgs],
];

describe("the provider", () => {
  test.each(["constructor", "__proto__", "toString"])("rejects `%s` as a scope and as a property name", (name) => {
    expect(scopeProblem(name)).toBeDefined();
    const { failures } = check(database, {
      news: { group: "default", [name === "__proto__" ? "valueOf" : name]: "x" },
      olds: {},
      account: "acme",
      propose,
    });
    expect(failures).toHaveLength(1);
  });

  test("converts every spelling of a UUID to the same canonical form", () => {
    fc.assert(
      fc.property(fc.uuid(), fc.constantFrom("", "urn:uuid:", "{"), fc.boolean(), (uuid, prefix, capitals) => {
        const spelled = `${prefix}${capitals ? uuid.toUpperCase() : uuid.replaceAll("-", "")}${prefix === "{" ? "}" : ""}`;
        expect(canonicalUuid(spelled)).toBe(uuid);
        expect(isCanonicalUuid(uuid)).toBe(true);
      }),
    );
  });
});

describe.each(wishes)("inputs of $type", (resource, args) => {
  test("are valid after the first check, and do not change in later checks", () => {
    fc.assert(
      fc.property(args, (news) => {
        const request = { account: "acme", propose };
        const first = check(resource, { ...request, news, olds: {} });
        expect(first.failures).toEqual([]);
        expect(first.inputs).toMatchObject(news);
        const second = check(resource, { ...request, news, olds: first.inputs });
        expect(second).toEqual(first);
      }),
    );
  });

  test("differ from the state only where the program sets another value", () => {
    fc.assert(
      fc.property(args, args, (first, second) => {
        const checked = (news: Properties, olds: Properties) =>
          check(resource, { news, olds, account: "acme", propose }).inputs;
        const before = checked(first, {});
        const after = checked(second, before);
        const state = { ...before, groupId: "0a28102d-6906-11ee-8553-eaa7715aeaf2", groupName: before.group };
        expect(compare(resource, { oldInputs: before, state, news: before })).toEqual([]);
        const asked = compare(resource, { oldInputs: before, state, news: after }).map(({ property }) => property.name);
        for (const property of ["name", "group"])
          expect(asked.includes(property)).toBe(after[property] !== before[property]);
      }),
    );
  });

  test("pass the check even if a value is unknown", () => {
    fc.assert(
      fc.property(args, fc.constantFrom("name", "group"), (news, property) => {
        const { inputs, failures } = check(resource, {
          news: { ...news, [property]: UNKNOWN },
          olds: {},
          account: "acme",
          propose,
        });
        expect(failures).toEqual([]);
        expect(inputs[property]).toBe(UNKNOWN);
      }),
    );
  });
});

describe("the diff", () => {
  const state = {
    name: "orders",
    group: "default",
    groupId: "0a28102d-6906-11ee-8553-eaa7715aeaf2",
    groupName: "default",
  };
  const of = (oldInputs: Properties, news: Properties, more: Properties = {}) =>
    compare(database, { oldInputs, news, state: { ...state, ...more } }).map(
      ({ path, kind, replaces }) => `${kind} ${path}${replaces ? ", replaces" : ""}`,
    );
  const args = { name: "orders", group: "default" };

  test.each<[string, string[], string[]]>([
    ["unchanged inputs", of(args, args), []],
    ["the group written as its UUID", of(args, { ...args, group: state.groupId }), []],
    ["the group written as its UUID in uppercase", of(args, { ...args, group: state.groupId.toUpperCase() }), []],
    ["a different group", of(args, { ...args, group: "other" }), ["update group, replaces"]],
    ["a different name", of(args, { ...args, name: "sales" }), ["update name, replaces"]],
    ["an unknown group", of(args, { ...args, group: UNKNOWN }), ["update group, replaces"]],
    ["a database renamed outside", of(args, args, { name: "renamed" }), ["update name"]],
    ["a database moved outside", of(args, args, { groupId: "1", groupName: "other" }), ["update group"]],
    [
      "a group renamed outside and written as its UUID",
      of({ ...args, group: state.groupId }, { ...args, group: state.groupId }, { groupName: "new" }),
      [],
    ],
    ["a database renamed outside and in the program", of(args, { ...args, name: "renamed" }, { name: "renamed" }), []],
    ["a database deleted outside", of(args, args, { deletedAt: "now" }), ["delete deletedAt"]],
    [
      "a database deleted outside and renamed in the program",
      of(args, { ...args, name: "sales" }, { deletedAt: "now" }),
      ["update name", "delete deletedAt"],
    ],
    [
      "a database deleted outside and moved in the program",
      of(args, { ...args, group: "other" }, { deletedAt: "now" }),
      ["update group", "delete deletedAt"],
    ],
  ])("reports the right differences, with their kinds and paths, for %s", (_, found, expected) => {
    expect(found).toEqual(expected);
  });

  test.each([
    ["replaces a token that was created without", {}, true],
    ["does not replace a token that was imported without", { [IMPORTED]: true }, false],
  ])("%s `keepers` if the program adds them", (_, mark, replaces) => {
    const found = compare(apiToken, {
      oldInputs: { name: "ci" },
      state: { name: "ci", ...mark },
      news: { name: "ci", keepers: { a: "1" } },
    });
    expect(found).toMatchObject([{ path: "keepers", kind: "add", replaces }]);
  });

  test("reports each changed key of a map separately", () => {
    const found = compare(apiToken, {
      oldInputs: { keepers: { a: "1", b: "1" } },
      state: { keepers: { a: "1", b: "1" } },
      news: { keepers: { a: "2", "c d": "1" } },
    });
    expect(found.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      "update keepers.a",
      "delete keepers.b",
      'add keepers["c d"]',
    ]);
  });

  test.each([
    ['a"b', 'keepers["a\\"b"]'],
    ["a\nb", 'keepers["a\nb"]'],
    ["a\\", "keepers"],
    ['\\"', "keepers"],
  ])("gives a path that the engine can parse for the map key %j", (key, path) => {
    const change = { oldInputs: { keepers: { [key]: "1" } }, state: { keepers: { [key]: "1" } } };
    expect(compare(apiToken, { ...change, news: { keepers: { [key]: "2" } } })).toMatchObject([{ path }]);
  });
});
