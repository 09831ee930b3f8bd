// @module-tag the-reference-api

import { writeFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse, parseDocument } from "yaml";
import { FaultRules } from "../../platform/reference/faults/faults";
import { GROUP_WITHOUT_SCOPES, SCOPES_WITHOUT_GROUP } from "../../platform/reference/messages";
import { readContent } from "../../platform/reference/seed/content";
import {
  ANCESTOR_OF_ITSELF,
  aliasesTooLarge,
  anchorMissing,
  DELETION_MISSING,
  DUPLICATE_LOCATION,
  duplicate,
  fileEmpty,
  fileNotUtf8,
  fileUnreadable,
  locationCodeUnknown,
  momentMalformed,
  NESTED_TOO_DEEPLY,
  ORGANIZATION_NOT_MANAGED,
  PARENT_MISSING,
  PARENT_NOT_UUID,
  referenceMissing,
  SECOND_DOCUMENT,
  tokenGroupDeleted,
  tokenUserNotMember,
  userMissing,
} from "../../platform/reference/seed/messages";
import { Seed } from "../../platform/reference/seed/seed";
import { INVALID_NAME, invalidScope } from "../../platform/values/messages";
import { PRESETS, SCOPES } from "../../platform/values/scope";
import { FAMILY, file, folder, ORDERS, readSeed, SEED } from "./seed-files";
import { world } from "./world";

const WRONG = `
users: [{ username: ada }, { username: max, mail: max@acme.example }]
locations: azure
organizations:
  - slug: acme
    plan: gold
    palette: dark
    members:
      - { username: ada, role: owner }
      - { username: bob, role: viewer }
    groups:
      - name: default
        location: mars
        colour: blue
        size: 5
      - { name: default, deleted_at: yesterday }
      - name: default
    databases:
      - { name: Orders, group: shop }
      - { name: copy, parent: nothing, storage_bytes: -1 }
    tokens:
      - { name: ci, user: max, group: default, scopes: [read, all] }
  - slug: globex
    members:
      - { username: ada, role: member }
    slug: globex
`;

const MISTAKES = [
  "seed.yaml:2: users: 1: mail: unknown key",
  "seed.yaml:3: locations: must be ",
  "seed.yaml:6: organizations: 0: plan: must be ",
  "seed.yaml:7: organizations: 0: palette: unknown key",
  `seed.yaml:10: organizations: 0: members: 1: username: ${userMissing({ username: "bob" })}`,
  `seed.yaml:13: organizations: 0: groups: 0: location: ${locationCodeUnknown({ location: "mars" })}`,
  "seed.yaml:14: organizations: 0: groups: 0: colour: unknown key",
  "seed.yaml:15: organizations: 0: groups: 0: size: unknown key",
  `seed.yaml:16: organizations: 0: groups: 1: deleted_at: ${momentMalformed({ text: "yesterday" })}`,
  `seed.yaml:17: organizations: 0: groups: 2: name: ${duplicate({ kind: "group", text: "default" })}`,
  `seed.yaml:19: organizations: 0: databases: 0: name: ${INVALID_NAME}`,
  `seed.yaml:19: organizations: 0: databases: 0: group: ${referenceMissing({ kind: "group", name: "shop" })}`,
  `seed.yaml:20: organizations: 0: databases: 1: parent: ${referenceMissing({ kind: "database", name: "nothing" })}`,
  "seed.yaml:20: organizations: 0: databases: 1: storage_bytes: must be at least",
  `seed.yaml:22: organizations: 0: tokens: 0: user: ${tokenUserNotMember({ username: "max" })}`,
  `seed.yaml:22: organizations: 0: tokens: 0: scopes: 1: ${invalidScope({ text: "all", scopes: SCOPES, presets: Object.keys(PRESETS) })}`,
  `seed.yaml:24: organizations: 1: members: ${ORGANIZATION_NOT_MANAGED}`,
  `seed.yaml:26: ${duplicate({ kind: "key", text: "slug" })}`,
];

async function saidOf(text: string): Promise<string[]> {
  const path = await file(text);
  return readSeed(path).then(
    () => [],
    (thrown: Error) => thrown.message.split("\n"),
  );
}

const at = (line: number, text: string): RegExp =>
  new RegExp(`seed\\.yaml:${line}: (.*: )?${text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}(\n|$)`);

describe("reading a seed file", () => {
  test.each([
    ["text that is not YAML", "users: [", /seed\.yaml:1: .*sequence/],
    ["brackets that are never closed, once for each sentence", "{{{", /^[^\n]+seed\.yaml:\d: [^\n]+\n[^\n]+$/],
    ["an unknown key", SEED.replace("plan: pro", "paln: pro"), /seed\.yaml:7:.*paln: unknown key/],
    ["an unknown plan", SEED.replace("plan: pro", "plan: gold"), /seed\.yaml:7:.*plan/],
    [
      "a member who is not a user",
      SEED.replace("{ username: vera, role", "{ username: bob, role"),
      /seed\.yaml:10:.*"bob"/,
    ],
    ["an unknown location", SEED.replace("aws-eu-west-1", "mars"), /seed\.yaml:13:.*"mars"/],
    ["an invalid size", SEED.replace("1gb", "much"), /seed\.yaml:15:.*size_limit/],
    ["an unknown group", SEED.replace("group: shop", "group: shpo"), /seed\.yaml:16:.*"shpo"/],
    ["a token of an unknown user", SEED.replace("user: ada", "user: bob"), /seed\.yaml:19:.*"bob"/],
    ["a token with scopes alone", SEED.replace("group: default, scopes", "scopes"), at(19, SCOPES_WITHOUT_GROUP)],
    ["a token with a group alone", SEED.replace(", scopes: [read-only]", ""), at(19, GROUP_WITHOUT_SCOPES)],
    [
      "a token of a deleted group",
      SEED.replace("group: default, scopes", "group: shop, scopes"),
      at(19, `group: ${tokenGroupDeleted({ group: "shop" })}`),
    ],
    [
      "an alias without an anchor",
      SEED.replace("plan: pro", "plan: *nothing"),
      at(7, anchorMissing({ alias: "nothing" })),
    ],
    ["a duplicate key", SEED.replace("plan: pro", "slug: acme"), at(7, duplicate({ kind: "key", text: "slug" }))],
    [
      "a duplicate user",
      SEED.replace("- username: vera", "- username: ada"),
      at(4, duplicate({ kind: "user", text: "ada" })),
    ],
    [
      "a duplicate member",
      SEED.replace("{ username: vera, role", "{ username: ada, role"),
      at(10, duplicate({ kind: "member", text: "ada" })),
    ],
    [
      "a duplicate group",
      SEED.replace("{ name: shop, location: aws-eu-west-1, deleted_at: 2026-02-28T12:00:00Z }", "{ name: default }"),
      at(13, duplicate({ kind: "group", text: "default" })),
    ],
    [
      "a duplicate UUID of a group",
      SEED.replace("- name: default", `- { name: default, uuid: ${ORDERS} }`).replace(
        "{ name: shop,",
        `{ name: shop, uuid: ${ORDERS.toUpperCase()},`,
      ),
      at(13, `uuid: ${duplicate({ kind: "group UUID", text: ORDERS })}`),
    ],
    [
      "a duplicate live database",
      SEED.replace("{ name: orders, group: shop", "{ name: live, group: default"),
      at(16, duplicate({ kind: "database", text: "live" })),
    ],
    [
      "a duplicate UUID of a database",
      SEED.replace("{ name: gone,", `{ name: gone, uuid: ${ORDERS},`),
      at(17, `uuid: ${duplicate({ kind: "database UUID", text: ORDERS })}`),
    ],
    ["an invalid time", SEED.replace("2026-02-28T12:00:00Z", "yesterday"), /seed\.yaml:13:.*deleted_at: "yesterday"/],
    ["a time out of range", SEED.replace("2026-02-28T12:00:00Z", "-999999w"), /seed\.yaml:13:.*deleted_at: .*9999/],
    [
      "a duplicate location",
      FAMILY.replace("aws-eu-west-1", "aws-us-east-1"),
      at(6, `other_locations: ${DUPLICATE_LOCATION}`),
    ],
    ["an unknown parent", FAMILY.replace("parent: orders", "parent: ordres"), /seed\.yaml:8:.*parent: .*"ordres"/],
    [
      "a database that descends from itself",
      FAMILY.replace("storage_bytes: 5000000000", "parent: other-copy"),
      at(9, `parent: ${ANCESTOR_OF_ITSELF}`),
    ],
    [
      "a former name of a parent that is neither in the seed nor named by its UUID",
      FAMILY.replace("parent: orders,", "parent: ordres, parent_name: orders,"),
      at(8, `parent: ${PARENT_NOT_UUID}`),
    ],
    [
      "a former name without a parent",
      FAMILY.replace("parent: orders, branched_at: -1d12h", "parent_name: orders"),
      at(8, PARENT_MISSING),
    ],
    [
      "a deletion with the group that has no time",
      FAMILY.replace("deleted_at: -36h", "group_deleted_at: -36h"),
      at(8, `group_deleted_at: ${DELETION_MISSING}`),
    ],
    [
      "a location of a database that its group has already",
      FAMILY.replace("{ name: copy,", "{ name: copy, added_locations: [aws-eu-west-1],"),
      at(8, `added_locations: ${DUPLICATE_LOCATION}`),
    ],
    [
      "a duplicate id of an invite",
      FAMILY.replace("{ email: Eve", "{ id: 7, email: Eve").replace("{ email: mallory", "{ id: 7, email: mallory"),
      at(13, `id: ${duplicate({ kind: "invite id", text: "7" })}`),
    ],
    [
      "a duplicate id of a token",
      SEED.replace("{ name: ci,", "{ name: ci, id: t1,").replace(
        "{ name: vera-laptop,",
        "{ name: vera-laptop, id: t1,",
      ),
      at(20, `id: ${duplicate({ kind: "token id", text: "t1" })}`),
    ],
    [
      "two tokens of one user with one name, of which one is only listed",
      SEED.replace("{ name: vera-laptop, user: vera }", "{ name: ci, user: ada, usable: false }"),
      at(20, duplicate({ kind: "token of ada", text: "ci" })),
    ],
    ["a branch without a parent", FAMILY.replace("parent: orders, ", ""), at(8, PARENT_MISSING)],
    [
      "a duplicate invite",
      FAMILY.replace("mallory@", "eve@"),
      at(13, duplicate({ kind: "invite", text: "eve@users.example" })),
    ],
    ["a duplicate token", SEED.replace("vera-laptop", "ci"), at(20, duplicate({ kind: "token", text: "ci" }))],
    [
      "a duplicate slug",
      `${SEED}  - { slug: acme, members: [{ username: ada, role: owner }] }\n`,
      at(21, duplicate({ kind: "organization", text: "acme" })),
    ],
  ])("reports %s, and names the line", async (_what, text, message) => {
    await expect(readSeed(await file(text))).rejects.toThrow(message);
  });

  test("reports all invalid values and references in one run, each with its line", async () => {
    expect(await saidOf(WRONG)).toEqual(MISTAKES.map((text) => expect.stringContaining(text)));
  });

  test("skips sections that an earlier mistake makes unreadable", async () => {
    const wrong = SEED.replace("- name: default", "- nmae: default")
      .replace("- username: vera", "- username: 5")
      .replace("role: owner", "role: onwer")
      .replace("group: shop, uuid", "group: 5, uuid")
      .replace("deleted_at: 2026-02-28T12:00:00Z", "deleted_at: yesterday")
      .replace("plan: pro", "type: *nothing");
    const lines = (await saidOf(wrong)).map((line) => Number(/seed\.yaml:(\d+)/.exec(line)?.[1]));
    expect(lines).toEqual([4, 7, 9, 12, 12, 13, 16]);
  });

  test("reports a mistake in an aliased value at the line of the anchor", async () => {
    const wrong = SEED.replace("{ username: vera, role: viewer }", "*member").replace(
      "users:",
      "users: [&member { username: vera, rloe: viewer }]\norganisations:",
    );
    expect(await saidOf(wrong)).toContainEqual(expect.stringMatching(/seed\.yaml:2: .*rloe: unknown key/));
  });

  test("never crashes, no matter which value in the file is replaced", async () => {
    const places = pathsIn(parse(SEED));
    const seed = fc.tuple(fc.constantFrom(...places), fc.jsonValue()).map(([path, value]) => {
      const document = parseDocument(SEED);
      document.setIn(path, value);
      return document.toJS();
    });
    await fc.assert(
      fc.asyncProperty(seed, async (given) => {
        // Skips strings, which would be read as file paths.
        fc.pre(typeof given !== "string");
        const said = await readContent(given, Seed, "seed").then(
          () => "",
          (thrown: Error) => thrown.message,
        );
        for (const line of said.split("\n")) expect(line).toMatch(/^$|^seed: /);
      }),
    );
  });

  test("names the line of each mistake, or only the property if a program passes the seed as an object", async () => {
    const wrong = SEED.replace("plan: pro", "plan: gold").replace("aws-eu-west-1", "mars");
    await expect(readSeed(await file(wrong))).rejects.toThrow(/seed\.yaml:7:.*plan.*\n.*seed\.yaml:13:.*"mars"/);
    const seed = { users: [], organizations: [{ slug: "Acme", members: [] }] };
    await expect(world({ seed })).rejects.toThrow(/seed: users: .*\nseed: organizations: 0: slug: /);
  });

  test("rejects a character that some stores cannot hold, and names the line and the property", async () => {
    const wrong = FAMILY.replace("data: { group: default }", 'data: { "gr\\0oup": default }').replace(
      "author: ada",
      'author: "ada\\0"',
    );
    expect(await saidOf(wrong)).toEqual([
      expect.stringMatching(/seed\.yaml:15: .*audit_logs: 0: data: .*U\+0000/),
      expect.stringMatching(/seed\.yaml:16: .*audit_logs: 1: author: .*U\+0000/),
    ]);
  });

  test.each([
    ["a second YAML document", `${SEED}---\n${SEED}`, `seed.yaml:21: ${SECOND_DOCUMENT}`],
    ["endless brackets", `users: ${"[".repeat(20_000)}`, `seed.yaml:1: ${NESTED_TOO_DEEPLY}`],
    ["an empty file", "# to do\n", fileEmpty({ content: "seed", file: "seed.yaml" })],
    ["plain text", "users", 'seed.yaml:1: must be an object, but is "users"'],
    ["a duplicate quoted key", `"users": []\n${SEED}`, duplicate({ kind: "key", text: "users" })],
    [
      "nested aliases",
      `a: &a [${"x,".repeat(10)}]\nb: &b [${"*a,".repeat(10)}]\nc: &c [${"*b,".repeat(10)}]\nd: [${"*c,".repeat(10)}]`,
      aliasesTooLarge({ file: "seed.yaml" }),
    ],
    [
      "an alias of itself",
      `${SEED}    audit_logs: [{ code: a, author: ada, data: &a { b: *a } }]\n    plan: gold\n`,
      "plan",
    ],
  ])("explains why it rejects %s", async (_what, text, said) => {
    expect((await saidOf(text))[0]).toContain(said);
  });

  test("rejects a file that is not UTF-8", async () => {
    const path = await file("");
    await writeFile(path, Buffer.from([...Buffer.from(SEED.replace("vera", "ver")), 0xe4]));
    await expect(readSeed(path)).rejects.toThrow(fileNotUtf8({ file: path }));
    await expect(readContent(path, FaultRules, "faults")).rejects.toThrow(fileNotUtf8({ file: path }));
  });

  test("reports the name of a file that cannot be read", async () => {
    await expect(readSeed(folder)).rejects.toThrow(fileUnreadable({ content: "seed", file: folder, reason: "EISDIR" }));
  });
});

function pathsIn(value: unknown, path: readonly (string | number)[] = []): (string | number)[][] {
  const inside = typeof value === "object" && value !== null ? Object.entries(value) : [];
  const steps = inside.map(([key, each]) => [Array.isArray(value) ? Number(key) : key, each] as const);
  return [[...path], ...steps.flatMap(([step, each]) => pathsIn(each, [...path, step]))];
}
