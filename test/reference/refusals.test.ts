// @module-tag the-reference-api

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, api as contract, type Operation } from "../../platform/contract/api";
import type { Endpoint, Request } from "../../platform/contract/endpoint";
import {
  EMAIL_OR_USERNAME,
  SCHEMA_DATABASE,
  SEED_NAME_MISSING,
  SEED_TIMESTAMP_MISPLACED,
  SEED_URL_MISSING,
  USERNAME_MISSING,
  USERNAMES_DIFFER,
} from "../../platform/reference/messages";
import type { Seed } from "../../platform/reference/seed/seed";
import type { OpenReferenceApi } from "../../platform/reference/server";
import { INVALID_NAME } from "../../platform/values/messages";
import { calling } from "./calling";
import { startServers } from "./servers";
import { NOON } from "./world";

const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const [ACME, FROZEN, FREE] = [uuid(1), uuid(2), uuid(3)];
/** Lacks the version that RFC 9562 requires, but is not malformed. */
const NOWHERE = "00000000-0000-0000-0000-000000000001";
const [SHOP, OLD_DEFAULT, PAST, ANCIENT] = [uuid(11), uuid(12), uuid(13), uuid(14)];
const [ORDERS, GUARDED, LEDGER, INSIDE, EARLY, LATE] = [uuid(21), uuid(22), uuid(23), uuid(24), uuid(25), uuid(26)];
const [GROUP_GONE, DATABASE_GONE] = [uuid(31), uuid(32)];
/** The name of a database that fits into a hostname with the slug `acme`, but with no longer one. */
const LONG = "a".repeat(58);

const olgas = [{ username: "olga", role: "owner" as const }];
const seed: Seed = {
  users: ["olga", "adam", "bob", "mira", "vera", "stan", "max"].map((username) => ({ username })),
  organizations: [
    {
      slug: "acme",
      id: ACME,
      members: [
        ...olgas,
        { username: "adam", role: "admin" },
        { username: "bob", role: "admin" },
        { username: "mira", role: "member" },
        { username: "vera", role: "viewer" },
      ],
      invites: [{ email: "lea@else.example" }],
      tokens: [
        { name: "ci", id: "of-olga", user: "olga", usable: false },
        { name: "adams", id: "of-adam", user: "adam", usable: false },
      ],
      groups: [
        { name: "default" },
        { name: "shop", uuid: SHOP },
        { name: "protected", delete_protection: true },
        { name: "full" },
        { name: "attic", archived: true },
        { name: "long" },
        { name: "default", uuid: OLD_DEFAULT, deleted_at: NOON },
        { name: "past", uuid: PAST, deleted_at: NOON },
        { name: "ancient", uuid: ANCIENT, deleted_at: "-6d" },
      ],
      databases: [
        { name: "orders", uuid: ORDERS, group: "shop" },
        { name: "taken", group: "shop" },
        { name: "secret", group: "shop", encryption_cipher: "aes256gcm" },
        { name: "ledger", group: "default" },
        { name: "guarded", uuid: GUARDED, group: "full", delete_protection: true },
        { name: "stored", group: "attic" },
        { name: LONG, group: "long" },
        { name: "ledger", uuid: LEDGER, group: "shop", deleted_at: NOON },
        { name: "late", uuid: LATE, group: "shop", deleted_at: "-6d" },
        { name: "inside", uuid: INSIDE, group: OLD_DEFAULT },
        { name: "early", uuid: EARLY, group: PAST, deleted_at: "-1d" },
      ],
    },
    {
      slug: "globex",
      members: [...olgas, { username: "adam", role: "member" }, { username: "mira", role: "owner" }],
      groups: [{ name: "default" }],
      databases: [{ name: "taken" }],
    },
    { slug: "empty", members: olgas },
    { slug: "locked", members: olgas, groups: [{ name: "protected", delete_protection: true }] },
    {
      slug: "frozen",
      id: FROZEN,
      members: olgas,
      restore_enabled: false,
      groups: [{ name: "default" }, { name: "gone", uuid: GROUP_GONE, deleted_at: NOON }],
      databases: [{ name: "gone", uuid: DATABASE_GONE, deleted_at: NOON }],
    },
    { slug: "free", id: FREE, members: olgas, plan: "starter" },
    { slug: "stan", type: "personal", members: [{ username: "stan", role: "owner" }], groups: [{ name: "home" }] },
  ],
};

/** The default path parameters of each request. */
const USUAL = {
  organizationSlug: "acme",
  organizationId: ACME,
  groupName: "shop",
  groupId: SHOP,
  databaseName: "orders",
  databaseId: ORDERS,
  username: "vera",
  email: "lea@else.example",
  tokenId: "of-adam",
  tokenName: "new",
  location: "aws-us-east-1",
  locationCode: "aws-us-east-1",
  instanceName: "aws-us-east-1",
};

const named = (name: string, more: object = {}) => ({ body: { name, ...more } });

/** Bodies and queries without which a request is malformed. */
const USUAL_OF: { readonly [Name in Operation]?: object } = {
  createOrganization: named("new"),
  updateSubscription: { body: { plan: "scaler" } },
  addMember: { body: { username: "max" } },
  updateMember: { body: { role: "viewer" } },
  createInvite: { body: { email: "new@else.example" } },
  createGroup: named("new", { location: "aws-us-east-1" }),
  renameGroup: named("new"),
  transferGroup: { body: { organization: "globex" } },
  createDatabase: named("new"),
  createDatabaseById: named("new"),
  uploadDump: { body: { file: new File(["create table t (x);"], "dump.sql") } },
  transferDatabase: { body: { org: "globex" } },
  addInstance: { body: { location: "aws-eu-west-1" } },
  listDeletedDatabases: { query: { deleted: "true" } },
};

type By = NonNullable<Parameters<OpenReferenceApi["token"]>[0]>;

/** The default sender is Olga, with a credential for all her organizations. */
type Row = readonly [situation: string, request: object, status: number, error: string | RegExp, by?: By];

const noDatabase = (name: string): string => `could not find database with name [${name}]: record not found`;
const isTaken = (name: string): string => `database with name [${name}] already exists`;
const isTooLong = (kind: string, most: number): string =>
  `invalid ${kind} name: name must contain between 1 and ${most} characters`;
const isProtected = (what: string): string => `${what} is delete-protected and cannot be deleted`;
const notFound = "organization not found";
const groupNotFound = "group not found";
const adminsOnly = "this operation is only allowed for admin or owner";
const isMember = "user [mira] is already a member of organization [acme]";
const invalidRole = "invalid role";
const groupExists = "group already exists";

const everywhere = (user: string): By => ({ user, organization: null });
const ofShop: By = { group: "shop" };

const KEY = Buffer.alloc(32, 7).toString("base64");
const [AES, AEGIS] = ["aes256gcm", "aegis256"].map((cipher) => ({ encryption_key: KEY, encryption_cipher: cipher }));

const seeded = (seed: object, more: object = {}) => named("new", { group: "shop", seed, ...more });
const copy = (name: string, more: object = {}) => seeded({ type: "database", name }, more);
const dump = (url: string, more: object = {}) => seeded({ type: "dump", url, ...more });
const copyAt = (timestamp: string) => seeded({ type: "database", name: "orders", timestamp });

const CREATIONS: readonly Row[] = [
  ["wire-facts 3.4 under a taken name", named("ledger"), 409, isTaken("ledger")],
  ["wire-facts 3.4 under a name of another group", named("ledger", { group: "shop" }), 409, isTaken("ledger"), ofShop],
  ["wire-facts 3.4 in an unknown group", named("new", { group: "nowhere" }), 400, groupNotFound],
  ["wire-facts 10 without a name", named(""), 400, isTooLong("database", 58)],
  ["wire-facts 10 under too long a name", named(`${LONG}a`), 400, isTooLong("database", 58)],
  ...["Upper", "under_score", "-first", "last-", "a.b"].map(
    (name): Row => [`wire-facts 10 under the name ${name}`, named(name), 400, /^invalid database name: /],
  ),
  ["§2.2 with an invalid size limit", named("new", { size_limit: "big" }), 400, /^size_limit.*"big"/],
  ["as a schema database", named("new", { is_schema: true }), 400, SCHEMA_DATABASE],
  ["as the child of a schema database", named("new", { schema: "orders" }), 400, SCHEMA_DATABASE],
  [
    "wire-facts 3.4 without the group of the token",
    {},
    403,
    "group-scoped tokens must specify a group in the request",
    ofShop,
  ],
  ["§5 rule 3 in another group", named("new", { group: "default" }), 404, "group default not found", ofShop],
  ["as a copy of an unknown database", copy("nowhere"), 400, noDatabase("nowhere")],
  ["as a copy of a deleted database", copy("inside"), 400, noDatabase("inside")],
  ["as a copy of a database outside the caller's group", copy("ledger"), 400, noDatabase("ledger"), ofShop],
  ["as a copy with another engine", copy("orders", { use_tursodb: true }), 400, /orders.*engine/],
  ["as a copy without the encryption of its source", copy("secret"), 400, /secret.*aes256gcm/],
  ["as a copy with another cipher", copy("secret", { remote_encryption: AEGIS }), 400, /secret.*aes256gcm/],
  ["as an encrypted copy", copy("orders", { remote_encryption: AES }), 400, /orders.*not encrypted/],
  ["as a copy from the future", copyAt("2026-03-01T12:00:00.001Z"), 400, /future/],
  ["as a copy from no time", copyAt("yesterday"), 400, /seed\.timestamp.*"yesterday"/],
  ["wire-facts 3.3 as a copy of nothing", seeded({ type: "database" }), 400, SEED_NAME_MISSING],
  [
    "wire-facts 3.3 from a dump at a time",
    dump("https://a.invalid", { timestamp: NOON }),
    400,
    SEED_TIMESTAMP_MISPLACED,
  ],
  ...["", "file:///etc/passwd", "ftp://nowhere.invalid/dump.sql"].map(
    (url): Row => [`wire-facts 3.3 from a dump at "${url}"`, dump(url), 400, SEED_URL_MISSING],
  ),
  ["wire-facts 3.3 from an unknown seed", seeded({ type: "magic" }), 400, /seed\.type.*"magic"/],
];

const expirations = ["soon", "7", "-1h", "0s", "1y", "1h ", "1e3s", "1h,2m", "300000w"];
const attaching = (name: string) => ({ body: { permissions: { read_attach: { databases: [name] } } } });

const SQL_TOKENS: readonly Row[] = [
  ...expirations.map(
    (expiration): Row => [
      `wire-facts 2.2 that expires in "${expiration}"`,
      { query: { expiration } },
      400,
      "Invalid expiration format",
    ],
  ),
  ["wire-facts 2.3 that attaches an unknown database", attaching("nowhere"), 400, noDatabase("nowhere")],
  ["wire-facts 2.3 that attaches a database of another group", attaching("ledger"), 400, noDatabase("ledger"), ofShop],
];

const pages = ["page", "page_size"].flatMap((name) =>
  ["0", "x", "1e1", "1000001"].map(
    (text): Row => [`§4.6 with the ${name} ${text}`, { query: { [name]: text } }, 400, new RegExp(`^${name} `)],
  ),
);

const inAcme = { organization: "acme" };
const minting = (body: object) => ({ body: { ...inAcme, ...body } });
const forDefault = (...scopes: string[]) => minting({ group: "default", scopes });

const API_TOKENS: readonly Row[] = [
  ["wire-facts 5.1 with scopes but no group", minting({ scopes: ["read"] }), 400, /group/],
  ["wire-facts 5.1 with nothing but scopes", { body: { scopes: ["read"] } }, 400, /group/],
  ["wire-facts 5.1 without an organization", { body: { group: "default", scopes: ["read"] } }, 400, /organization/],
  ["wire-facts 5.1 with a group but no scopes", minting({ group: "default" }), 400, /scope/],
  ["wire-facts 5.1 with an empty list of scopes", forDefault(), 400, /scope/],
  ["§5 rule 5 with an unknown scope", forDefault("read", "write"), 400, /write/],
  ["wire-facts 5.1 for an unknown group", minting({ group: "nowhere", scopes: ["read"] }), 404, groupNotFound],
  ["wire-facts 5.1 for an unknown organization", minting({ organization: "nowhere" }), 404, notFound],
  ["wire-facts 1.2 for the UUID of an organization", minting({ organization: ACME }), 404, notFound],
  ["wire-facts 5.1 for an organization without a slug", minting({ organization: "" }), 400, /organization/],
  ["wire-facts 5.1 under a taken name", { tokenName: "ci", body: inAcme }, 409, /ci/],
  ["§5 rule 3 without restriction, with a restricted credential", {}, 403, /unrestricted/, inAcme],
  ...["mira", "vera"].map((user): Row => ["§5 rule 4 for a group", forDefault("read"), 403, adminsOnly, { user }]),
];

/** @param long What has a name that is too long for a hostname in the target organization. */
const transfers = (to: "organization" | "org", long: object): readonly Row[] => [
  ["wire-facts 1.6 if the caller is only a member of the target organization", {}, 403, adminsOnly, everywhere("adam")],
  ["wire-facts 1.6 if the caller is only a member of its organization", {}, 403, adminsOnly, everywhere("mira")],
  ["wire-facts 9 if the caller is no member of the target organization", {}, 404, notFound, everywhere("bob")],
  ["wire-facts 9 to an unknown organization", { body: { [to]: "nowhere" } }, 404, notFound],
  ["§5 rule 3 with a credential of its organization", {}, 404, notFound, inAcme],
  ["§5 rule 3 with a credential of the target organization", {}, 404, notFound, { organization: "globex" }],
  ["to its own organization", { body: { [to]: "acme" } }, 400, /already.*acme/],
  ["wire-facts 10 if a name is too long there", long, 400, isTooLong("database", 56)],
];

const BOTH = { body: { username: "max", email: "max@users.example" } };
const RESTORE_AND_OTHERS = { restore_enabled: false, overages: true };
const RECOVERY_DISABLED = "recovery is disabled for the organization";
const isGone = (kind: string, id: string): string =>
  `no deleted ${kind} with id [${id}] exists, or its recovery window has passed`;
const personal = { organizationSlug: "stan" };
const stan: By = { user: "stan", organization: "stan" };

const TABLE: { readonly [Name in Operation]?: readonly Row[] } = {
  createOrganization: [
    ["§5 rule 3 with a restricted credential", {}, 403, /organization-scoped token/, inAcme],
    ...["true", "false"].flatMap((dry_run): Row[] => [
      ["wire-facts 1.4 with a taken slug", { query: { dry_run }, ...named("acme") }, 409, /acme/],
      ["wire-facts 1.4 with the slug of a personal account", { query: { dry_run }, ...named("mira") }, 409, /mira/],
      ["wire-facts 1.4 with a name for no hostname", { query: { dry_run }, ...named("Acme Inc") }, 400, /name/],
      ["wire-facts 1.4 without a name", { query: { dry_run }, ...named("") }, 400, /name/],
    ]),
  ],
  updateOrganization: [
    ["wire-facts 1.3 with `restore_enabled` and others", { body: RESTORE_AND_OTHERS }, 400, /restore_enabled/],
  ],
  deleteOrganization: [
    ["wire-facts 1.4 that has databases", {}, 400, /acme.*databases/],
    ["wire-facts 1.4 that is personal", personal, 400, /personal/, stan],
    ["§2.2 with a delete-protected group", { organizationSlug: "locked" }, 403, isProtected("group protected")],
  ],
  addMember: [
    ["wire-facts 1.5 who is no user", { body: { username: "nobody" } }, 404, "could not find user [nobody]"],
    ["wire-facts 1.5 who is a member", { body: { username: "mira" } }, 409, isMember],
    ["wire-facts 1.5 as owner", { body: { username: "max", role: "owner" } }, 400, invalidRole],
    ["wire-facts 1.5 without a name", { body: {} }, 400, USERNAME_MISSING],
    ["wire-facts 1.5 with two names", { body: { username: "max", member: "stan" } }, 400, USERNAMES_DIFFER],
    ["wire-facts 1.5 to a personal account", personal, 400, /personal/, stan],
  ],
  updateSubscription: [["wire-facts 1.7 to an unknown plan", { body: { plan: "hobby" } }, 400, /^plan.*"hobby"/]],
  updateMember: [
    ["wire-facts 1.5 to an unknown role", { body: { role: "king" } }, 400, invalidRole],
    ["wire-facts 1.5 to owner", { body: { role: "owner" } }, 400, invalidRole],
    ["wire-facts 1.5 of an owner by an admin", { username: "olga" }, 403, /owner/, { user: "adam" }],
    ["wire-facts 1.5 of the last owner", { username: "olga" }, 400, /at least one owner/],
  ],
  removeMember: [
    ["wire-facts 1.5 who is an owner, by an admin", { username: "olga" }, 403, /owner/, { user: "adam" }],
    ["wire-facts 1.5 who is the last owner", { username: "olga" }, 400, /at least one owner/],
  ],
  createInvite: [
    ["wire-facts 8 of a member", { body: { username: "mira" } }, 409, isMember],
    ["wire-facts 8 of a member by email", { body: { email: "MIRA@users.example" } }, 409, isMember],
    ["wire-facts 8 of nobody", { body: { username: "nobody" } }, 404, "could not find user [nobody]"],
    ["wire-facts 8 of no one", { body: {} }, 400, EMAIL_OR_USERNAME],
    ["wire-facts 8 by name and email", BOTH, 400, EMAIL_OR_USERNAME],
    ["wire-facts 8 as owner", { body: { username: "max", role: "owner" } }, 400, invalidRole],
    [
      "wire-facts 8 on the free plan",
      { organizationSlug: "free" },
      400,
      "organization free can't invite users because plan starter doesn't support it",
    ],
    ["wire-facts 8 to a personal account", personal, 400, /personal/, stan],
  ],
  createGroup: [
    ["wire-facts 2.2 under a taken name", named("shop", { location: "ams" }), 409, groupExists],
    ["wire-facts 2.2 in an unknown location", named("new", { location: "amss" }), 400, "invalid location: amss"],
    ["wire-facts 10 under too long a name", named(`${LONG}a`, { location: "ams" }), 400, isTooLong("group", 58)],
    [
      "wire-facts 2.2 with an unknown extension",
      { body: { name: "new", location: "ams", extensions: ["teleport"] } },
      400,
      /^extensions.*teleport/,
    ],
  ],
  deleteGroup: [
    ["wire-facts 9 that is protected", { groupName: "protected" }, 403, isProtected("group protected")],
    ["§2.2 with a protected database", { groupName: "full" }, 403, isProtected("database guarded")],
  ],
  renameGroup: [
    ["wire-facts 2.2 to a taken name", named("default"), 409, groupExists],
    ["wire-facts 2.2 to the name of a hidden group", named("default"), 409, groupExists, ofShop],
    ["wire-facts 10 to no name", named(""), 400, isTooLong("group", 58)],
    ["wire-facts 10 to too long a name", named(`${LONG}a`), 400, isTooLong("group", 58)],
    ["wire-facts 10 to an invalid name", named("Shop"), 400, `invalid group name: ${INVALID_NAME}`],
  ],
  addGroupLocation: [["wire-facts 2.2 that is unknown", { location: "amss" }, 400, "invalid location: amss"]],
  removeGroupLocation: [
    ["wire-facts 2.2 that is unknown", { location: "amss" }, 400, "invalid location: amss"],
    ["wire-facts 2.2 that is the primary one", {}, 400, /aws-us-east-1/],
  ],
  transferGroup: [
    ...transfers("organization", { groupName: "long" }),
    ["if its name is taken there", { groupName: "default" }, 409, groupExists],
    ["if the name of a database in it is taken there", {}, 409, isTaken("taken")],
  ],
  restoreGroup: [
    [
      "wire-facts 4.4 while recovery is disabled",
      { organizationId: FROZEN, groupId: GROUP_GONE },
      400,
      RECOVERY_DISABLED,
    ],
    ["wire-facts 4.4 whose name is taken", { groupId: OLD_DEFAULT }, 400, /default.*in use/],
    ["wire-facts 4.4 that is live", {}, 404, /no deleted group/],
    ["wire-facts 4.4 after five days", { groupId: ANCIENT }, 404, isGone("group", ANCIENT)],
  ],
  createDatabase: CREATIONS,
  createDatabaseById: [
    ...CREATIONS,
    ["wire-facts 3.7 by an unknown UUID of a group", named("new", { group_id: NOWHERE }), 400, groupNotFound],
    ["wire-facts 3.7 by name and UUID of a group", named("new", { group: "shop", group_id: SHOP }), 400, /group/],
    [
      "§5 rule 3 in another group by UUID",
      named("new", { group_id: NOWHERE }),
      404,
      `group ${NOWHERE} not found`,
      ofShop,
    ],
  ],
  deleteDatabase: [["§2.2 that is protected", { databaseName: "guarded" }, 403, isProtected("database guarded")]],
  deleteDatabaseById: [["§2.2 that is protected", { databaseId: GUARDED }, 403, isProtected("database guarded")]],
  updateDatabaseConfiguration: [
    ["§2.2 with an invalid size", { body: { size_limit: "big" } }, 400, /^size_limit.*"big"/],
    ["§2.2 with an invalid endpoint", { body: { allowed_aws_vpc_ids: ["vpc-1"] } }, 400, /^allowed_aws_vpc_ids.*vpc-1/],
    ...["300.1.1.1", "10/8", "0x0a.0.0.0/8", "010.0.0.0/8", "10.0.0.0/08", "10.0.0.0/33", "10.0.0.0/8/8", "10.0.0.0/"]
      .concat("fe80::1%eth0", "fe80::1%eth0/64", "::ffff:0x1.2.3.4", "::ffff:010.2.3.4")
      .map(
        (address): Row => [
          `§2.2 with the address ${address}`,
          { body: { allowed_ips: [address] } },
          400,
          /^allowed_ips/,
        ],
      ),
  ],
  wakeDatabase: [["wire-facts 3.2 in an archived group", { databaseName: "stored" }, 400, /attic.*unarchive/]],
  transferDatabase: [
    ...transfers("org", { databaseName: LONG }),
    ["§5 rule 3 with a credential of its group", {}, 404, notFound, { ...ofShop, scopes: ["db:configure"] }],
    ["to an organization without a group `default`", { body: { org: "empty" } }, 400, /empty.*default/],
    ["wire-facts 3.4 whose name is taken there", { databaseName: "taken" }, 409, isTaken("taken")],
  ],
  addInstance: [
    ["wire-facts 3.2 in an unknown location", { body: { location: "amss" } }, 400, "invalid location: amss"],
  ],
  removeInstance: [["wire-facts 3.2 in a location of the group", {}, 400, /aws-us-east-1.*group shop/]],
  createDatabaseToken: SQL_TOKENS,
  createDatabaseTokenById: SQL_TOKENS,
  createGroupToken: SQL_TOKENS,
  createGroupTokenById: SQL_TOKENS,
  restoreDatabase: [
    [
      "§7 row 1 while recovery is disabled",
      { organizationId: FROZEN, databaseId: DATABASE_GONE },
      400,
      RECOVERY_DISABLED,
    ],
    ["§4.1 whose name is taken", { databaseId: LEDGER }, 400, isTaken("ledger")],
    ["§4.1 whose name is taken in another group", { databaseId: LEDGER }, 400, isTaken("ledger"), ofShop],
    ["§4.1 under an invalid name", { databaseId: LEDGER, body: { name: "Not A Name" } }, 400, /^invalid database name/],
    ["§7 row 1 with its group, whose name is taken", { databaseId: INSIDE }, 400, /default.*in use/],
    ["§3 row 1 before its group, which was deleted later", { databaseId: EARLY }, 400, /past/],
    ["§7 row 3 that is live", {}, 404, /no deleted database/],
    ["§7 row 3 after five days", { databaseId: LATE }, 404, isGone("database", LATE)],
    ["§7 row 2, §5 rule 8 by a member", { databaseId: LEDGER }, 403, adminsOnly, { user: "mira" }],
  ],
  listAuditLogs: pages,
  listTopQueries: [
    ["wire-facts 3.2 since no time", { query: { from: "yesterday" } }, 400, /^invalid from parameter: .*"yesterday"/],
  ],
  createApiToken: API_TOKENS,
  createNestedApiToken: API_TOKENS,
  revokeOwnApiToken: [
    ["wire-facts 5.2 of another user", { tokenName: "adams" }, 404, /adams/],
    ["§5 rule 3 of another organization", { tokenName: "ci" }, 404, /ci/, { organization: "globex" }],
  ],
  revokeApiToken: [["§5 rule 9 of another user", {}, 404, /of-adam/, { user: "vera" }]],
};

let api: OpenReferenceApi;

beforeAll(async () => {
  api = await startServers({ now: NOON, seed });
});

afterAll(() => api.close());

const TABLES = [
  "organizations",
  "members",
  "invites",
  "tokens",
  "groups",
  "databases",
  "signing_keys",
  "audit_logs",
] as const;

const everything = () =>
  api.store.read((state) => Promise.all(TABLES.map((table) => state.selectFrom(table).selectAll().execute())));

async function assertRefused(operation: Operation, [, more, status, error, by]: Row, code?: string): Promise<void> {
  const caller = calling(api, await api.token(by ?? everywhere("olga")));
  const before = await everything();
  const request = { ...USUAL, ...USUAL_OF[operation], ...more } as Request<Api[Operation]>;
  expect(await caller.refused(operation, request)).toEqual({
    status,
    error: typeof error === "string" ? error : expect.stringMatching(error),
    ...(code && { code }),
  });
  expect(await everything()).toEqual(before);
}

const operations = Object.entries(contract) as [Operation, Endpoint][];

test("every refusal that an operation of the contract names has a row", () => {
  const named = operations.flatMap(([operation, { refusals = {} }]) =>
    Object.keys(refusals).map((status) => `${operation} ${status}`),
  );
  const rows = Object.entries(TABLE).flatMap(([operation, own]) => own.map(([, , status]) => `${operation} ${status}`));
  expect(named.filter((refusal) => !rows.includes(refusal))).toEqual([]);
});

describe.each(Object.entries(TABLE) as [Operation, readonly Row[]][])(
  "§5 rule 4, §7 row 1, §7 row 2, §7 row 3 %s is refused and changes nothing",
  (operation, rows) => {
    test.each(rows)("%s", (...row) => assertRefused(operation, row as unknown as Row));
  },
);

/** Parameters in paths that need not name an object, because the request creates it or any value is valid. */
const NEW = [
  "createApiToken tokenName",
  "createNestedApiToken tokenName",
  "addGroupLocation location",
  "removeGroupLocation location",
];

const UNKNOWN: Readonly<Record<string, readonly [unknown: string, error: string | RegExp]>> = {
  organizationSlug: ["nowhere", notFound],
  organizationId: [NOWHERE, notFound],
  groupName: ["nowhere", groupNotFound],
  groupId: [NOWHERE, groupNotFound],
  databaseName: ["nowhere", noDatabase("nowhere")],
  databaseId: [NOWHERE, new RegExp(`could not find database with id \\[${NOWHERE}\\]`)],
  username: ["max", "could not find member"],
  email: ["nobody@else.example", "invite not found"],
  tokenId: ["nowhere", /token.*nowhere/],
  tokenName: ["nowhere", /token.*nowhere/],
  location: ["aws-eu-west-1", /aws-eu-west-1/],
  locationCode: ["amss", /amss/],
  instanceName: ["aws-us-west-2", "could not find instance aws-us-west-2 of database orders"],
  "removeMember username": ["max", "user [max] is not a member of org [acme]"],
  "removeInstance databaseName": ["nowhere", "could not find database nowhere to delete instance from"],
  "restoreDatabase databaseId": [NOWHERE, /no deleted database/],
  "restoreGroup groupId": [NOWHERE, /no deleted group/],
};

const parameters = operations.flatMap(([operation, { paths }]) =>
  [...paths[0].matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [operation, name] as const),
);

test.each(parameters.filter((parameter) => !NEW.includes(parameter.join(" "))))(
  "wire-facts 9 %s returns 404 for an unknown %s",
  (operation, name) => {
    const [value, error] = UNKNOWN[`${operation} ${name}`] ?? UNKNOWN[name] ?? [];
    return assertRefused(operation, ["", { [name]: value }, 404, error ?? ""]);
  },
);

test.each(parameters.filter(([, name]) => name.endsWith("Id") && name !== "tokenId"))(
  "§7 row 1 %s returns 400 for a %s that is not a UUID",
  (operation, name) => assertRefused(operation, ["", { [name]: "shop" }, 400, new RegExp(`^${name} must be a UUID`)]),
);

const NO_PAGES = [...["0", "1001", "1.5", "1e2", "0x10", ""].map((limit) => ({ limit })), { cursor: "nonsense" }];

test.each(
  operations
    .filter(([, { query }]) => "cursor" in query.shape)
    .flatMap(([operation]) => NO_PAGES.map((query) => [operation, query] as const)),
)("§8 row 2 %s returns 400 for the page %o", (operation, page) => {
  const query = operation === "listDeletedDatabases" ? { deleted: "true", ...page } : page;
  return assertRefused(operation, ["", { query }, 400, new RegExp(Object.keys(page).join())]);
});

/** For each lowest role, a user of the next lower one, and how messages name those who may. */
const BELOW = { member: ["vera", "members"], admin: ["mira", "admin or owner"], owner: ["adam", "owners"] } as const;

test.each(operations.flatMap(([operation, { access }]) => (access.role ? [[operation, access.role] as const] : [])))(
  "wire-facts 1.6 %s is refused to callers below the role `%s`",
  (operation, role) => {
    const [user, allowed] = BELOW[role];
    const doing = operation === "updateMember" ? "updating member roles" : "this operation";
    const error = `${doing} is only allowed for ${allowed}`;
    return assertRefused(operation, ["", { username: "adam" }, 403, error, { user }]);
  },
);

test.each(operations.filter(([, { access }]) => ["user", "organization"].includes(access.level)).map(([name]) => name))(
  "§5 rule 7 %s is refused to group-scoped tokens",
  (operation) =>
    assertRefused(operation, ["", {}, 403, "group-scoped token cannot access org-level resources", ofShop]),
);

test.each(operations.filter(([, { access }]) => access.plan).map(([name]) => name))(
  "§8 row 5 %s is refused on the free plan",
  (operation) =>
    assertRefused(
      operation,
      ["", { organizationSlug: "free", organizationId: FREE }, 403, /starter plan/],
      "feature_not_available_for_starter_plan",
    ),
);
