// @module-tag no-database-is-lost
// @module-tag previews-are-true
// @module-tag clear-messages

import { describe, expect, test } from "vitest";
import {
  organizationIdMismatch,
  organizationIdUnconfirmed,
  sqlTokenInsteadOfApiToken,
  UNREADABLE_ORGANIZATION,
} from "../../provider/client/messages";
import { organizationTokenNeeded, scopesMissing } from "../../provider/permissions/messages";
import { TOKEN_IN_OTHER_STACK } from "../../provider/resources/token/messages";
import { SEED } from "../engine/seed";
import type { Declared } from "../fake-engine/declared-program";
import {
  aConfiguration,
  aDatabase,
  aDatabaseNamed,
  aDatabaseToken,
  aGroupToken,
  aMember,
  anApiToken,
  aRotation,
  type Declarations,
  dbIdOf,
  organizationSettings,
  tenants,
} from "./declarations";
import { organizationSlug, use, withOrganizationId } from "./outside";
import { type Story, story } from "./story";

const GLOBEX = "5d1f7c2e-9a44-4f0b-b6c8-2e3a4b5c6d7e";
const STAGING = "5c9d6c52-3c3f-4a0f-8e6f-2b1f0f5a7d10";
const DEFAULT = "0a28102d-6906-11ee-8553-eaa7715aeaf2";

const ofAcme = {
  groups: [{ name: "default", uuid: DEFAULT }, { name: "other" }],
  databases: [{ name: "staging", uuid: STAGING, group: "default" }],
};
const organizations = SEED.organizations.map((one) => ({
  ...one,
  ...(one.slug === organizationSlug ? ofAcme : { id: GLOBEX }),
}));
const seed: NonNullable<Story["seed"]> = { ...SEED, organizations };
const identified: Partial<Story> = { seed, settings: withOrganizationId };
const onRefresh: Partial<Story> = {
  seed,
  settings: (api) => ({ ...withOrganizationId(api), driftDetection: "on-refresh" }),
};

type Credential = Parameters<typeof use>[0];

const scoped = (...scopes: string[]) => use({ group: "default", scopes });

const needed = (work: string) => `${work} requires an admin or owner of organization "acme", but "max" is a member`;

const organizationLevel = (action: string, pinnedTo = DEFAULT) => organizationTokenNeeded({ action, pinnedTo });

const orders = aDatabaseNamed("orders");
const zoe = aMember({ username: "zoe", role: "viewer" });
const ofOrders = { database: dbIdOf("orders") };

const issued = (turn: string) => ({
  orders,
  app: aDatabaseToken(ofOrders),
  wide: aGroupToken({ group: DEFAULT }),
  rotation: aRotation({ group: DEFAULT, triggers: { turn } }),
});

describe("§5 rule 5 a token that lacks scopes", () => {
  const OTHERS = ["db:create", "db:delete", "db:configure", "db:mint-token", "db:rotate-creds", "group:configure"];
  const limits = (args: object) => ({ orders, limits: aConfiguration({ ...ofOrders, ...args }) });
  const rotation = (of: object, quarter: string) => ({ orders, rotation: aRotation({ ...of, triggers: { quarter } }) });

  test.each<[string, Declarations, Declarations, readonly string[]]>([
    ["a creation", {}, { orders }, ["db:create"]],
    ["a replacement", { orders }, { orders: aDatabaseNamed("another") }, ["db:create", "db:delete"]],
    ["a configuration", limits({}), limits({ blockReads: true }), ["db:configure"]],
    ["a database token", { orders }, { orders, app: aDatabaseToken(ofOrders) }, ["db:mint-token"]],
    ["a group token", {}, { app: aGroupToken({ group: "default" }) }, ["group:mint-token"]],
    ["a rotation for a database", rotation(ofOrders, "3"), rotation(ofOrders, "4"), ["db:rotate-creds"]],
    [
      "a rotation for a group",
      rotation({ group: "default" }, "3"),
      rotation({ group: "default" }, "4"),
      ["group:rotate-creds"],
    ],
  ])("gets one error that names all of them when %s fails", (_, before, wished, scopes) =>
    story({
      ...onRefresh,
      before,
      outside: scoped(...OTHERS.filter((scope) => !scopes.includes(scope))),
      wished,
      expected: { fails: scopesMissing({ scopes: ["read", ...scopes] }) },
    })(),
  );

  test(
    "gets one error that names all of them when a deletion fails",
    story({
      ...onRefresh,
      before: { orders },
      outside: scoped("db:create"),
      wished: {},
      preview: false,
      up: { fails: scopesMissing({ scopes: ["read", "db:delete"] }) },
    }),
  );

  test(
    "reads nothing without `read`",
    story({
      ...identified,
      before: { orders },
      outside: scoped("db:create"),
      expected: { fails: scopesMissing({ scopes: ["read"] }) },
    }),
  );

  const inRow = Object.fromEntries(
    ["a", "b", "c", "d", "e", "f"].map((name, index, names) => [
      name,
      aDatabase({ name, group: "default" }, { dependsOn: names[index - 1] }),
    ]),
  );
  const created = (name: string, more = "") =>
    new RegExp(`cannot create database "${name}"${more}: .*${scopesMissing({ scopes: ["db:create"] })}`);

  test(
    "is warned of at most four resources for the same reason",
    story({
      ...identified,
      outside: scoped("read"),
      wished: { ...inRow, limits: aConfiguration({ database: dbIdOf("f"), blockReads: true }) },
      preview: {
        changes: Object.fromEntries([...Object.keys(inRow), "limits"].map((slot) => [slot, "create"])),
        says: [
          ...["a", "b", "c"].map((name) => created(name)),
          created("d", " either"),
          scopesMissing({ scopes: ["db:configure"] }),
        ],
      },
      up: false,
    }),
  );

  const secrets = (turn: string) => ({
    orders,
    app: aDatabaseToken({ ...ofOrders, keepers: { turn } }),
    rotation: aRotation({ ...ofOrders, triggers: { turn } }),
  });

  test(
    "is warned that it may not replace tokens or rotate keys",
    story({
      ...identified,
      before: secrets("1"),
      outside: scoped("read"),
      wished: secrets("2"),
      preview: {
        changes: { app: "replace keepers", rotation: "update triggers" },
        says: [
          scopesMissing({ scopes: ["db:mint-token"] }),
          scopesMissing({ scopes: ["db:rotate-creds"] }),
          /^Rotating the signing key/,
        ],
      },
      up: { fails: [scopesMissing({ scopes: ["db:mint-token"] }), /replace/] },
    }),
  );
});

describe("a group-scoped token", () => {
  const { answer, advice } = UNREADABLE_ORGANIZATION;

  test.each<[string, Declarations, Declarations]>([
    ["a read", { orders }, { orders }],
    ["a creation", {}, { orders, stock: aDatabaseNamed("stock") }],
  ])("learns that `organizationId` is missing from %s", (_, before, wished) =>
    story({ before, outside: scoped("full-access"), wished, expected: { fails: `${answer}. ${advice}` } })(),
  );

  test(
    "creates no group, also if `organizationId` is missing",
    story({
      seed,
      outside: scoped("read"),
      wished: { tenants },
      expected: { fails: organizationLevel("create groups") },
    }),
  );

  const ci = anApiToken({ name: "ci" });
  const acme = organizationSettings({ overages: true });
  const refused = (slot: string, declared: Declared, action: string) => ({
    wished: { [slot]: declared },
    preview: { changes: { [slot]: "create" }, says: [organizationLevel(action)] },
    up: { fails: organizationLevel(action) },
  });

  test(
    "manages neither groups nor API tokens, members and settings",
    story({
      ...identified,
      outside: scoped("full-access"),
      next: [
        refused("tenants", tenants, "create groups"),
        refused("ci", ci, "create API tokens"),
        refused("ci", anApiToken({ name: "ci", group: "default", scopes: ["read"] }), "create API tokens"),
        refused("zoe", zoe, "add members"),
        refused("acme", acme, "change the organization's settings"),
      ],
    }),
  );

  test.each<[string, Declared, string]>([
    ["an API token, which belongs in a stack of its own", ci, `, or ${TOKEN_IN_OTHER_STACK}`],
    ["the settings of its organization", acme, ""],
  ])("does not read %s", (_, declared, wayOut) =>
    story({
      ...identified,
      before: { declared },
      outside: scoped("full-access"),
      expected: { fails: new RegExp(`cannot (list API tokens|read the organization's record) .*${wayOut}$`) },
    })(),
  );

  test.each<[string, Declared, Credential, string]>([
    ["its group", tenants, { group: "tenants", scopes: ["full-access"] }, "delete groups"],
    ["an API token", ci, { group: "default", scopes: ["full-access"] }, "revoke API tokens"],
  ])("does not delete %s", (_, declared, credential, action) =>
    story({
      ...onRefresh,
      before: { declared },
      outside: use(credential),
      wished: {},
      preview: false,
      up: { fails: `a group-scoped API token cannot ${action}` },
    })(),
  );

  test.each<[string, Declared]>([
    ["database", aDatabaseToken({ database: STAGING })],
    ["group", aGroupToken({ group: DEFAULT })],
  ])("keeps a SQL-engine token in the state whose %s it does not see", (_, token) =>
    story({
      ...identified,
      before: { token },
      outside: use({ group: "other", scopes: ["full-access"] }),
      expected: { fails: /pinned to group/ },
      afterwards: ({ firstId, managed }) => expect(managed("token").id).toBe(firstId("token")),
    })(),
  );

  test(
    "issues tokens and rotates keys within its scopes",
    story({
      ...identified,
      before: { orders },
      outside: scoped("read", "db:mint-token", "group:mint-token", "db:rotate-creds", "group:rotate-creds"),
      wished: issued("1"),
      preview: false,
      up: { changes: { app: "create", wide: "create", rotation: "create" }, says: [/^This update rotates no key/] },
      next: [
        {
          wished: issued("2"),
          preview: false,
          up: {
            changes: { rotation: "update triggers" },
            says: [/^Rotating the signing key/],
            writes: ["rotateGroupTokens"],
          },
        },
      ],
    }),
  );
});

test.each<[string, Declarations, string]>([
  ["members", { zoe }, "managing members"],
  ["settings", { acme: organizationSettings({ overages: true }) }, "changing the settings"],
])("warns a token whose user is no admin that it may not manage %s", (_, wished, work) =>
  story({
    outside: use({ user: "max", organization: "acme" }),
    wished,
    preview: { changes: Object.fromEntries(Object.keys(wished).map((slot) => [slot, "create"])), says: [needed(work)] },
    up: { fails: needed(work) },
  })(),
);

describe("an organization", () => {
  test(
    "that the token cannot access is named in the error",
    story({
      settings: { organization: "acmee" },
      wished: { orders },
      expected: {
        fails: 'organization "acmee" does not exist, or this API token has no access to it',
      },
    }),
  );

  test.each<[string, Credential, string, (actualId: string) => string]>([
    [
      "organization-level",
      { organization: "acme" },
      GLOBEX,
      (actualId) => organizationIdMismatch({ organization: "acme", organizationId: GLOBEX, actualId }).answer,
    ],
    [
      "group-scoped",
      { group: "default", scopes: ["full-access"] },
      GLOBEX,
      () => organizationIdUnconfirmed({ organization: "acme", organizationId: GLOBEX }).answer,
    ],
  ])("that `organizationId` does not mean is refused with a token that is %s", (_, credential, organizationId, fails) =>
    story({
      seed,
      settings: { organizationId },
      outside: use(credential),
      wished: { orders },
      expected: ({ here }) => ({ fails: fails(here.api.organizationId) }),
    })(),
  );
});

const without = (secret: string) => new RegExp(`^(?!.*${secret})`, "s");

test(
  "says that a SQL-engine token is no API token, and for which database or group it is",
  story({
    seed,
    before: { orders },
    async outside({ here: { outside }, stack, facts }) {
      facts.jwt = (await outside.createDatabaseToken({ organizationSlug, databaseName: "orders" })).jwt;
      stack.useToken(facts.jwt);
    },
    expected: ({ firstId, fact }) => ({
      fails: [sqlTokenInsteadOfApiToken({ kind: "database", id: firstId("orders") }), without(fact("jwt"))],
    }),
    next: [
      {
        async outside({ here: { outside }, stack, facts }) {
          facts.jwt = (await outside.createGroupToken({ organizationSlug, groupName: "default" })).jwt;
          stack.useToken(facts.jwt);
        },
        expected: ({ fact }) => ({
          fails: [sqlTokenInsteadOfApiToken({ kind: "group", id: DEFAULT }), without(fact("jwt"))],
        }),
      },
    ],
  }),
);
