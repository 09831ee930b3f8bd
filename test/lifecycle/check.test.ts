// @module-tag failures-and-interruptions
// @module-tag secrets-stay-secret
// @module-tag clear-messages
// @module-tag the-reference-api

import { expect, test } from "vitest";
import type * as z from "zod";
import type { AnyResource } from "../../kit/definition";
import { argumentShapeProblems } from "../../kit/lifecycle/arguments";
import { nameProposer } from "../../kit/lifecycle/naming";
import { type Properties, UNKNOWN } from "../../kit/lifecycle/properties";
import { check } from "../../kit/steps/check";
import { CIPHERS, keyLengthOf } from "../../platform/values/cipher";
import { functions } from "../../provider/functions/list";
import { DatabaseSeed } from "../../provider/resources/database/seed";
import { resources } from "../../provider/resources/list";
import { settings } from "../../provider/settings";

const checked = (type: string, news: Properties, account = "acme") =>
  check(resources.find((resource) => resource.type === type) as AnyResource, {
    news,
    olds: {},
    account,
    propose: nameProposer({ logicalName: "x", randomSeed: new Uint8Array(32) }),
  });

const failuresOf = (...of: Parameters<typeof checked>) =>
  checked(...of).failures.map(({ property, reason }) => `${property}: ${reason}`);

const DB_ID = "0a28102d-6906-11ee-8553-eaa7715aeaf2";
const KEY = "s3cretKeyOfADatabaseForTheTestOfTheEngineA0=";
const SIGNATURE = "X-Signature=s3cret";
const NOON = "2026-11-20T12:00:00Z";

type Row = readonly [type: string, args: Properties, problem: RegExp];

const inDefault = (args: Properties) => ({ group: "default", ...args });
const configured = (args: Properties, problem: RegExp): Row => [
  "DatabaseConfiguration",
  { database: DB_ID, ...args },
  problem,
];
const seeded = (seed: unknown, problem: RegExp): Row => ["Database", inDefault({ seed }), problem];
const encrypted = (encryption: unknown, problem: RegExp): Row => ["Database", inDefault({ encryption }), problem];
const extended = (extensions: unknown, problem: RegExp): Row => ["Group", { location: "ams", extensions }, problem];

test.each<Row>([
  ["Database", { name: "Orders", group: "g" }, /^name: .* only lowercase letters/],
  ["Database", { name: "a-", group: "g" }, /^name: .* must not start or end with a hyphen/],
  ["Database", { group: "My Group" }, /^group: .* only lowercase letters/],
  ["Database", {}, /^group: is required$/],
  ["Database", { group: 7 }, /^group: must be a string, not a number: write it in quotation marks$/],
  ["Database", { group: "g", nmae: "x" }, /^nmae: Database has no property `nmae`; .* name, group,/],
  ["Group", { location: "AWS US" }, /^location: "AWS US" is not a valid location code/],
  ["Group", { location: "ams", locations: ["lhr", "X"] }, /^locations\[1\]: "X" is not a valid location code/],
  extended(["vectors"], /^extensions\[0\]: must be "/),
  extended("all", /^extensions: must be a list, not a string: write it as \["…", "…"\]$/),
  extended(["all", "vector"], /^extensions\[1\]: is already part of "all"/),

  configured({ database: "orders" }, /^database: "orders" is not a DbId/),
  configured({ blockWrites: "true" }, /^blockWrites: must be a boolean, not a string: write true or false$/),
  configured({ sizeLimit: "big" }, /^sizeLimit: "big" is not a valid size.* at most 9223372036854775807\. .* kib,/),
  configured({ sizeLimit: "-1" }, /^sizeLimit: "-1" is not/),
  configured({ sizeLimit: "8388608tib" }, /^sizeLimit: "8388608tib" is not/),
  configured({ sizeLimit: " 1gb" }, /^sizeLimit: " 1gb" is not/),
  configured({ allowedIps: ["10.0.0.1", "10.0.0.256"] }, /^allowedIps\[1\]: "10\.0\.0\.256" is not a valid IP address/),
  configured({ allowedIps: ["10.0.0.0/33"] }, /^allowedIps\[0\]: "10\.0\.0\.0\/33" is not/),
  configured({ allowedIps: ["2001:db8::/129"] }, /^allowedIps\[0\]: "2001:db8::\/129" is not/),
  configured({ allowedAwsVpcIds: ["vpc-1"] }, /^allowedAwsVpcIds\[0\]: "vpc-1" is not a valid AWS VPC endpoint ID/),

  [
    "ApiToken",
    inDefault({ scopes: ["read", "write"] }),
    /^scopes\[1\]: "write" is not a valid scope \(.*read.*preset \(.*read-only/,
  ],
  ["ApiToken", inDefault({ scopes: [] }), /^scopes: a group-scoped token needs scopes/],
  ["ApiToken", inDefault({}), /^scopes: a group-scoped token needs scopes/],
  ["ApiToken", { scopes: ["read"] }, /^group: `scopes` require a `group`/],
  ["ApiToken", { name: "../x" }, /^name: a token name is part of a URL/],
  ["ApiToken", { keepers: [] }, /^keepers: must be an object, not a list: write it as \{ key: "value" \}$/],

  ["DatabaseToken", { database: "orders" }, /^database: "orders" is not a DbId/],
  ["GroupToken", inDefault({ expiration: "soon" }), /^expiration: "soon" is not a duration/],
  [
    "GroupToken",
    inDefault({ authorization: "all" }),
    /^authorization: must be "full-access" or "read-only", not another/,
  ],
  ["GroupToken", inDefault({ renewBefore: "1d" }), /^renewBefore: requires `expiration`/],
  ["GroupToken", inDefault({ expiration: "7d", renewBefore: "1w" }), /^renewBefore: "1w" must be shorter/],
  ["SigningKeyRotation", {}, /^database: set exactly one of `database` and `group`$/],
  ["SigningKeyRotation", inDefault({ database: DB_ID }), /^database: set exactly one of/],

  seeded({}, /^seed: must set `database`, `dumpFile` or `dumpUrl`$/),
  seeded({ timestamp: NOON }, /^seed: must set `database`/),
  seeded({ database: "orders", dumpFile: "x" }, /^seed\.dumpFile: conflicts with `database`/),
  seeded("orders", /^seed: must be an object, not a string: write it as \{ database: … \}$/),
  seeded({ database: "orders", at: "x" }, /^seed: has no property `at`/),
  seeded({ dumpFile: "x", timestamp: NOON }, /^seed\.timestamp: requires `database`/),
  seeded({ database: "orders", timestamp: "yesterday" }, /^seed\.timestamp: must be an RFC 3339 timestamp/),
  seeded({ database: "o", timestamp: "2026-11-20T08:00:00" }, /^seed\.timestamp: must be an RFC 3339 timestamp/),
  seeded({ database: "My Orders" }, /^seed\.database: must be a DbId or a name/),
  seeded({ dumpFile: "" }, /^seed\.dumpFile: must not be empty$/),
  seeded({ dumpFile: "https://x/y.sql" }, /^seed\.dumpFile: must be the path of a file; use `dumpUrl`/),
  seeded({ dumpUrl: `orders.sql?${SIGNATURE}` }, /^seed\.dumpUrl: must be an http or https URL$/),
  seeded({ dumpUrl: `ftp://x/y?${SIGNATURE}` }, /^seed\.dumpUrl: must be an http or https URL$/),
  // An invalid property beside the seed adds no error about the seed.
  ["Database", inDefault({ seed: { database: "orders" }, sizeLimit: "big" }), /^sizeLimit: /],

  encrypted({ cipher: "aegis256", key: KEY.slice(0, -8) }, /^encryption\.key: must be 32 bytes in base64 for aegis256/),
  encrypted({ cipher: "aes128gcm", key: KEY }, /^encryption\.key: must be 16 bytes/),
  encrypted({ cipher: "aegis256", key: `${KEY.slice(0, -4)}é!!=` }, /^encryption\.key: must be 32 bytes/),
  encrypted({ cipher: KEY, key: KEY }, /^encryption\.cipher: must be ("[a-z0-9]+"(, | or )?)+, not another string$/),
  encrypted(
    { cipher: "aegis256", key: null },
    /^encryption\.key: must be a string, not null: write it in quotation marks$/,
  ),
  encrypted({ cipher: "aegis256" }, /^encryption\.key: is required$/),
  encrypted({ key: KEY }, /^encryption\.cipher: is required$/),
  encrypted(KEY, /^encryption: must be an object/),
])("the check of %s rejects %j in one message without secrets", (type, args, problem) => {
  const failures = failuresOf(type, args);
  expect(failures).toEqual([expect.stringMatching(problem)]);
  expect(failures[0]).not.toContain("s3cret");
});

test.each([
  ["a given name that is too long", 4, { name: "a".repeat(59), group: "g" }, /"aaaa" must have at most 58 characters/],
  ["a given name without room", 62, { name: "x", group: "g" }, /slug of 62 characters leaves no room/],
  ["a given name without room", 70, { name: "x", group: "g" }, /slug of 70 characters leaves no room/],
  ["a generated name without room", 63, { group: "g" }, /slug of 63 characters leaves no room/],
  ["a generated name with little room", 54, { group: "g" }, /at least 9 characters, but .* organization has at most 8/],
])("the check rejects %s in an organization whose slug has %i characters", (_, length, args, problem) => {
  const failures = failuresOf("Database", args, "a".repeat(length));
  expect(failures).toEqual([expect.stringMatching(problem)]);
  expect(failures[0]).toMatch(/^name: /);
});

test.each<[type: string, args: Properties]>([
  ["DatabaseConfiguration", { database: DB_ID, sizeLimit: "" }],
  ["DatabaseConfiguration", { database: DB_ID, sizeLimit: "256mb" }],
  ["DatabaseConfiguration", { database: DB_ID, allowedIps: ["203.0.113.7", "2001:db8::1", "10.0.0.0/8", "::/0"] }],
  ["DatabaseConfiguration", { database: DB_ID, allowedIps: ["10.0.0.1", UNKNOWN], sizeLimit: UNKNOWN }],
  ["ApiToken", inDefault({ scopes: ["read-only", "db:create"] })],
  ["ApiToken", { group: UNKNOWN }],
  ["Database", { group: DB_ID.toUpperCase() }],
  ["Group", { location: "moon-base-1" }],
  ["Database", inDefault({ seed: { database: "orders" } })],
  ["Database", inDefault({ seed: { database: DB_ID.toUpperCase(), timestamp: "2026-11-20T08:00:00.123+01:00" } })],
  ["Database", inDefault({ seed: { database: UNKNOWN } })],
  ["Database", inDefault({ seed: { dumpFile: "../orders.sql" } })],
  ["Database", inDefault({ seed: { dumpUrl: "https://example.com/orders.sql" } })],
])("the check of %s accepts %j", (type, args) => {
  expect(failuresOf(type, args)).toEqual([]);
});

test("a seed is secret only if its URL has a part that the description of `dumpUrl` names", () => {
  const secretsOf = (seed: object) => checked("Database", inDefault({ seed })).secrets;
  const parts = {
    "a query": `https://x/y?${SIGNATURE}`,
    "a fragment": "https://x/y#z",
    "a user name": "https://a@x/y",
    "a password": "https://:b@x/y",
  };
  for (const [part, dumpUrl] of Object.entries(parts)) {
    expect(secretsOf({ dumpUrl }), part).toEqual(["seed"]);
    expect(DatabaseSeed.shape.dumpUrl.description).toContain(part);
  }
  for (const seed of [{ dumpUrl: "https://x/y" }, { dumpFile: "y" }, { database: "orders" }])
    expect(secretsOf(seed)).toEqual([]);
});

test("the check accepts a key of the required length, with or without padding, and marks it as secret", () => {
  for (const cipher of CIPHERS) {
    const key = Buffer.alloc(keyLengthOf(cipher), 7).toString("base64");
    for (const spelling of [key, key.replace(/=+$/, "")])
      expect(checked("Database", inDefault({ encryption: { cipher, key: spelling } }))).toMatchObject({
        ...{ failures: [], secrets: ["encryption"] },
      });
  }
});

const shapes: [name: string, schema: z.ZodType][] = [
  ...resources.map(({ type, args }): [string, z.ZodObject] => [type, args]),
  ...functions.map(({ name, args }): [string, z.ZodObject] => [name, args]),
  ["dbplatform", settings.schema as z.ZodObject] as [string, z.ZodObject],
].flatMap(([name, { shape }]) =>
  Object.entries<z.ZodType>(shape).map(([property, schema]): [string, z.ZodType] => [`${name}.${property}`, schema]),
);

const TEXT = "s3cret-value";
const WRONG = [
  TEXT,
  7,
  0.5,
  Number.NaN,
  true,
  null,
  [TEXT],
  [7],
  [[TEXT]],
  { key: TEXT },
  { key: 7 },
  { key: { TEXT } },
];

const EXPLAINED = new RegExp(
  [
    /^must be (a|an) [a-z ]+, not (a|an|null)[a-z ]*: write \S/,
    /^must be ("[a-z-]+"( or )?)+, not /,
    /^must be (a whole number|at least \d+|an RFC 3339 timestamp, such as "[^"]+")$/,
    /^has no property|^is required$|is not a UUID$/,
  ]
    .map(({ source }) => source)
    .join("|"),
);

test.each(shapes)("rejects %s of the wrong type, shows what to write, and does not repeat the value", (_, schema) => {
  const reasons = WRONG.flatMap((value) =>
    argumentShapeProblems("property", schema, value).map(({ reason }) => reason),
  );
  expect(reasons.length).toBeGreaterThan(0);
  for (const reason of reasons) {
    expect(reason).toMatch(EXPLAINED);
    if (!reason.endsWith("is not a UUID")) expect(reason).not.toContain(TEXT);
  }
});
