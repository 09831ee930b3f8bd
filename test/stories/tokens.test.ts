// @module-tag no-database-is-lost
// @module-tag tokens

import { expect, test } from "vitest";
import { expired, expiresSoon, firstSinceImport } from "../../kit/lifecycle/messages";
import { importedWithoutSecret, noLongerExists } from "../../kit/lifecycle/restore/messages";
import { isRefusal } from "../../kit/refusal";
import {
  apiTokenOutOfSight,
  firstTriggersRecorded,
  keyRotation,
  ownApiToken,
  ownApiTokenManaged,
  SQL_TOKEN_UNIMPORTABLE,
  tokenNameInsteadOfId,
  tokenStaysValid,
} from "../../provider/resources/token/messages";
import { clientOf } from "../engine/engine-fixture";
import { aDatabaseToken, aGroupToken, anApiToken, aRotation, dbIdOf, inGroup } from "./declarations";
import { deleteGroup, groupNamed, isDeleted, isRestored, organizationSlug, willBeRestored } from "./outside";
import { type Expectation, type StoryScene, story } from "./story";

const works = ({ here }: StoryScene, token: string): Promise<boolean> =>
  clientOf(here.api, token)
    .validateApiToken({})
    .then(
      () => true,
      (refusal) => {
        if (isRefusal(refusal, "unauthenticated")) return false;
        throw refusal;
      },
    );

const verified = ({ here: { api } }: StoryScene, token: string, dbId: string): Promise<boolean> =>
  api.verifySqlToken(token, dbId).then(
    () => true,
    () => false,
  );

/** Notes the values of tokens under their logical names and a number. */
async function note(scene: StoryScene, number: number, ...slots: readonly string[]): Promise<void> {
  for (const slot of slots) scene.facts[`${slot} ${number}`] = await scene.secret(slot);
}

const both = (quarter: string, scopes: readonly string[]) => ({
  wide: anApiToken({ keepers: { quarter } }),
  narrow: anApiToken({ group: "default", scopes }),
});

const changed = both("2", ["read"]);

test(
  "mints, imports and revokes tokens, and replaces a token that was revoked outside Pulumi",
  story({
    wished: both("1", ["full-access"]),
    preview: false,
    up: { changes: { wide: "create", narrow: "create" }, writes: ["createApiToken", "createApiToken"] },
    async afterwards(scene) {
      await note(scene, 1, "wide", "narrow");
      for (const slot of ["wide", "narrow"]) expect(await works(scene, scene.fact(`${slot} 1`))).toBe(true);
      const { tokens } = await scene.here.outside.listApiTokens({ organizationSlug });
      const scopes = [...(tokens.find(({ id }) => id === scene.id("narrow"))?.scopes ?? [])];
      expect(scopes).toHaveLength(9);
      scene.facts.scopes = scopes.reverse().join(" ");
    },
    next: [
      {
        // A list of all scopes, in any order, is equivalent to `full-access` and causes no update.
        wished: ({ fact }) => both("1", fact("scopes").split(" ")),
        preview: false,
        up: { writes: [] },
      },
      {
        outside: ({ here, id }) => here.outside.revokeApiToken({ organizationSlug, tokenId: id("narrow") }),
        expected: { changes: { narrow: "create" }, says: [noLongerExists({ title: "", reason: "" }).slice(0, -1)] },
        async afterwards(scene) {
          await note(scene, 2, "wide", "narrow");
          expect(await works(scene, scene.fact("narrow 1"))).toBe(false);
          expect(await works(scene, scene.fact("narrow 2"))).toBe(true);
          expect(scene.fact("wide 2")).toBe(scene.fact("wide 1"));
        },
      },
      {
        wished: changed,
        expected: { changes: { narrow: "replace scopes", wide: "replace keepers" } },
        async afterwards(scene) {
          await note(scene, 3, "wide", "narrow");
          for (const token of ["narrow 2", "wide 1"]) expect(await works(scene, scene.fact(token))).toBe(false);
          expect(await works(scene, scene.fact("narrow 3"))).toBe(true);
        },
      },
      {
        async outside({ here, facts }) {
          const body = { organization: organizationSlug };
          const { id, token } = await here.outside.createApiToken({ tokenName: "by-hand", body });
          Object.assign(facts, { "by-hand": id, foreign: token });
        },
        wished: { ...changed, imported: anApiToken({ name: "by-hand" }, { import: "by-hand" }) },
        preview: false,
        up: ({ fact }) => ({ fails: tokenNameInsteadOfId({ id: fact("by-hand") }) }),
        afterwards: async (scene) => expect(await works(scene, scene.fact("foreign"))).toBe(true),
      },
      {
        // An imported token has no `token` in its state. The missing value must not count as a difference.
        wished: ({ fact }) => ({ ...changed, imported: anApiToken({ name: "by-hand" }, { import: fact("by-hand") }) }),
        preview: false,
        up: {
          changes: { imported: "import" },
          says: [importedWithoutSecret({ kind: "API token", property: "token" })],
        },
      },
      {
        wished: {},
        preview: false,
        up: { changes: { wide: "delete", narrow: "delete", imported: "delete" } },
        async afterwards(scene) {
          for (const token of ["narrow 3", "wide 3", "foreign"])
            expect(await works(scene, scene.fact(token))).toBe(false);
        },
      },
    ],
  }),
);

test(
  "§3 mints a new token after the token's group is deleted, even if the group is restored",
  story({
    async past({ here, facts }) {
      facts.orders = await here.database("orders", "other");
    },
    before: { ci: anApiToken({ group: "other", scopes: ["read"] }) },
    async outside(scene) {
      const { here, fact } = scene;
      await note(scene, 1, "ci");
      await deleteGroup(scene, "other");
      await here.outside.restoreDatabase({ organizationId: here.api.organizationId, databaseId: fact("orders") });
      expect(await works(scene, fact("ci 1"))).toBe(false);
    },
    expected: { changes: { ci: "create" }, says: [noLongerExists({ title: "", reason: "" }).slice(0, -1)] },
    afterwards: async (scene) => expect(await works(scene, await scene.secret("ci"))).toBe(true),
  }),
);

test(
  "§5 rule 9 does not treat a token as deleted when the user sees only their own tokens",
  story({
    before: { ci: anApiToken({}) },
    async outside(scene) {
      await note(scene, 1, "ci");
      scene.stack.useToken(await scene.here.api.token({ user: "max" }));
    },
    expected: ({ id }) => ({ fails: apiTokenOutOfSight({ id: id("ci") }).answer }),
    afterwards: ({ managed }) => expect(managed("ci")).toMatchObject({ type: "ApiToken" }),
    next: [
      {
        wished: {},
        preview: false,
        up: ({ id }) => ({ fails: apiTokenOutOfSight({ id: id("ci") }).answer }),
        async afterwards(scene) {
          expect(scene.managed("ci")).toMatchObject({ type: "ApiToken" });
          expect(await works(scene, scene.fact("ci 1"))).toBe(true);
        },
      },
    ],
  }),
);

test(
  "replaces a token when the program adds or removes `keepers`, and says so if an import prevents it",
  story({
    async past({ here, facts }) {
      const { id } = await here.outside.createApiToken({ tokenName: "old", body: { organization: organizationSlug } });
      facts.old = id;
    },
    before: ({ fact }) => ({
      ci: anApiToken({}),
      app: aGroupToken({ group: "default" }),
      old: anApiToken({ name: "old" }, { import: fact("old") }),
    }),
    outside: (scene) => note(scene, 1, "ci"),
    wished: ({ fact }) => rotated({ month: "12" }, fact("old")),
    expected: ({ fact }) => ({
      changes: { ci: "replace keepers", app: "replace keepers", old: "update keepers" },
      says: [firstSinceImport({ property: "keepers", title: 'API token "old"', id: fact("old") })],
    }),
    up: { says: [tokenStaysValid({ thing: 'group "default"', end: undefined })] },
    async afterwards(scene) {
      await note(scene, 2, "ci");
      expect(await works(scene, scene.fact("ci 1"))).toBe(false);
      expect(await works(scene, scene.fact("ci 2"))).toBe(true);
      expect(scene.managed("app").id).not.toBe(scene.id("app"));
      expect(scene.managed("old").id).toBe(scene.fact("old"));
    },
    next: [
      {
        wished: ({ fact }) => ({ ...rotated({ month: "12" }, fact("old")), old: anApiToken({ name: "old" }) }),
        preview: { changes: { old: "replace keepers" } },
        up: false,
      },
      {
        wished: rotated({ month: "1" }),
        preview: false,
        up: {
          changes: { ci: "replace keepers", app: "replace keepers", old: "replace keepers" },
          says: [tokenStaysValid({ thing: 'group "default"', end: undefined })],
        },
        async afterwards(scene) {
          expect(await works(scene, scene.fact("ci 2"))).toBe(false);
          expect(scene.managed("old").id).not.toBe(scene.fact("old"));
        },
      },
    ],
  }),
);

function rotated(keepers: Readonly<Record<string, string>>, imported?: string) {
  return {
    ci: anApiToken({ keepers }),
    app: aGroupToken({ group: "default", keepers }),
    old: anApiToken({ name: "old", keepers }, imported === undefined ? {} : { import: imported }),
  };
}

test(
  "rotates no key when a rotation gets its first triggers, and says so",
  story({
    before: { orders: inGroup("orders"), app: aDatabaseToken({ database: dbIdOf("orders") }) },
    outside: (scene) => note(scene, 1, "app"),
    wished: leaked(undefined),
    expected: { changes: { rotation: "create" }, says: [firstTriggersRecorded({ hasValue: false })], writes: [] },
    next: [
      {
        wished: leaked("1"),
        expected: {
          changes: { rotation: "update triggers" },
          says: [firstTriggersRecorded({ hasValue: true })],
          writes: [],
        },
        async afterwards(scene) {
          expect(await verified(scene, scene.fact("app 1"), scene.id("orders"))).toBe(true);
        },
      },
      {
        wished: leaked("2"),
        expected: ({ id }) => ({
          changes: { rotation: "update triggers" },
          says: [keyRotation({ kind: "database", name: "orders", id: id("orders") })],
          writes: ["rotateDatabaseTokens"],
        }),
        async afterwards(scene) {
          expect(await verified(scene, scene.fact("app 1"), scene.id("orders"))).toBe(false);
        },
      },
      { wished: leaked(undefined), expected: { changes: { rotation: "update triggers" }, writes: [] } },
    ],
  }),
);

function leaked(leak: string | undefined) {
  return {
    orders: inGroup("orders"),
    app: aDatabaseToken({ database: dbIdOf("orders") }),
    rotation: aRotation({ database: dbIdOf("orders"), ...(leak === undefined ? {} : { triggers: { leak } }) }),
  };
}

/** The requests that read any number of SQL-engine tokens and rotations. */
const FEW: Expectation["requests"] = { inAnyOrder: ["retrieveOrganization", "listDatabases", "listGroups"] };

const DAY_S = 86_400;
const HOUR_S = 3_600;

const issued = (quarter: string) => ({
  orders: inGroup("orders"),
  rotation: aRotation({ database: dbIdOf("orders"), triggers: { quarter } }),
  app: aDatabaseToken({
    database: dbIdOf("orders"),
    authorization: "read-only",
    expiration: "30d",
    renewBefore: "7d",
    keepers: { generation: { of: "rotation", output: "generation" } },
  }),
  wide: aGroupToken({ group: "default", authorization: "read-only" }),
});

test(
  "wire-facts 2.3 issues SQL-engine tokens once, renews them in time, and keeps them when the database is restored",
  story({
    wished: issued("1"),
    preview: false,
    up: {
      changes: { orders: "create", rotation: "create", app: "create", wide: "create" },
      says: [firstTriggersRecorded({ hasValue: true })],
      writes: { inAnyOrder: ["createDatabase", "createDatabaseTokenById", "createGroupTokenById"] },
    },
    async afterwards(scene) {
      const { here, id, fact, managed } = scene;
      await note(scene, 1, "app", "wide");
      const app = { expiresAt: "2026-03-31T12:00:00.000Z", authorization: "read-only" };
      expect(managed("app").outputs).toMatchObject(app);
      expect(await here.api.verifySqlToken(fact("app 1"), id("orders"))).toMatchObject({
        level: "database",
        authorization: "read-only",
        expires_at: app.expiresAt,
      });
      expect(managed("wide").outputs).toMatchObject({ expiration: "never", authorization: "read-only" });
      expect(managed("wide").outputs).not.toHaveProperty("expiresAt");
      expect(await here.api.verifySqlToken(fact("wide 1"), id("orders"))).toMatchObject({ authorization: "read-only" });
    },
    next: [
      {
        outside: ({ here }) => here.api.advance(23 * DAY_S - HOUR_S),
        expected: { requests: FEW },
        up: false,
      },
      {
        // Shortly before a token expires, a plain preview reports the renewal, and the next update issues a new token.
        outside: ({ here }) => here.api.advance(HOUR_S),
        expected: {
          changes: { app: "replace expiresAt" },
          says: [
            expiresSoon({ kind: "database token", end: "2026-03-31T12:00:00Z", property: "renewBefore", before: "7d" }),
          ],
          writes: ["createDatabaseTokenById"],
        },
        up: ({ id }) => ({
          says: [tokenStaysValid({ thing: `database ${id("orders")}`, end: "2026-03-31T12:00:00Z" })],
        }),
        async afterwards(scene) {
          await note(scene, 2, "app", "wide");
          expect(scene.managed("app").outputs.expiresAt).toBe("2026-04-23T12:00:00.000Z");
          expect(scene.fact("wide 2")).toBe(scene.fact("wide 1"));
          for (const token of ["app 1", "app 2"])
            expect(await verified(scene, scene.fact(token), scene.id("orders"))).toBe(true);
        },
      },
      {
        // One update restores the database, rotates its key, and replaces the token whose keepers changed. The group
        // token stays valid.
        outside: ({ here, id }) => here.delete(id("orders")),
        wished: issued("2"),
        expected: ({ id }) => ({
          changes: { orders: "update deletedAt", rotation: "update triggers", app: "replace keepers" },
          says: [
            isDeleted("orders", { at: "2026-03-24T12:00:00Z" }),
            keyRotation({ kind: "database", name: "orders", id: id("orders") }),
          ],
          writes: ["restoreDatabase", "rotateDatabaseTokens", "createDatabaseTokenById"],
        }),
        preview: ({ id }) => ({ says: [willBeRestored("orders", id("orders"))] }),
        up: ({ id }) => ({
          says: [
            isRestored("orders"),
            tokenStaysValid({ thing: `database ${id("orders")}`, end: "2026-04-23T12:00:00Z" }),
          ],
        }),
        async afterwards(scene) {
          await note(scene, 3, "app", "wide");
          expect(await verified(scene, scene.fact("app 2"), scene.id("orders"))).toBe(false);
          for (const token of ["app 3", "wide 1"])
            expect(await verified(scene, scene.fact(token), scene.id("orders"))).toBe(true);
        },
      },
      {
        wished: {},
        preview: false,
        up: ({ id }) => ({
          changes: { orders: "delete", rotation: "delete", app: "delete", wide: "delete" },
          says: [
            tokenStaysValid({ thing: 'group "default"', end: undefined }),
            tokenStaysValid({ thing: `database ${id("orders")}`, end: "2026-04-23T12:00:00Z" }),
          ],
          writes: ["deleteDatabaseById"],
        }),
      },
    ],
  }),
);

const turned = (turn: string) => {
  const keepers = { generation: { of: "rotation", output: "generation" } };
  return {
    orders: inGroup("orders"),
    rotation: aRotation({ group: "default", triggers: { turn } }),
    app: aDatabaseToken({ database: dbIdOf("orders"), keepers }),
    wide: aGroupToken({ group: "default", keepers }),
    made: anApiToken({ keepers: { turn } }),
    // Depends on the other token, so that both tokens always change in the same order.
    fixed: anApiToken({ name: "fixed", keepers: { turn } }, { after: "made" }),
  };
};

/** Returns the audit-log entries for created and revoked API tokens, oldest first. */
async function changesOfApiTokens({ here }: StoryScene): Promise<string[]> {
  const { audit_logs } = await here.outside.listAuditLogs({ organizationSlug });
  return audit_logs
    .reverse()
    .filter(({ code }) => code.startsWith("user-token-"))
    .map(({ code, data }) => `${code.replace("user-token-", "")} ${data.id}`);
}

test(
  "rotates signing keys before issuing new tokens, and revokes old API tokens",
  story({
    before: turned("1"),
    async outside(scene) {
      expect(scene.managed("rotation").outputs.generation).toBe("0");
      await note(scene, 1, "app", "wide");
      scene.facts.default = (await groupNamed(scene, "default"))?.uuid ?? "";
    },
    wished: turned("2"),
    preview: false,
    up: ({ id, fact }) => ({
      changes: {
        rotation: "update triggers",
        app: "replace keepers",
        wide: "replace keepers",
        made: "replace keepers",
        fixed: "replace keepers",
      },
      says: [
        keyRotation({
          kind: "group",
          name: "default",
          id: fact("default"),
          contained: [{ name: "orders", id: id("orders") }],
          more: 0,
        }),
        tokenStaysValid({ thing: `database ${id("orders")}`, end: undefined }),
        tokenStaysValid({ thing: 'group "default"', end: undefined }),
      ],
    }),
    async afterwards(scene) {
      const { id, managed, secret, written } = scene;
      const ofSqlTokens = written.filter((operation) => !operation.endsWith("ApiToken"));
      expect(ofSqlTokens[0]).toBe("rotateGroupTokens");
      expect(ofSqlTokens.slice(1).sort()).toEqual(["createDatabaseTokenById", "createGroupTokenById"]);
      expect(managed("rotation").outputs.generation).toBe("1");
      for (const slot of ["app", "wide"]) {
        expect(await verified(scene, scene.fact(`${slot} 1`), id("orders"))).toBe(false);
        expect(await verified(scene, await secret(slot), id("orders"))).toBe(true);
      }
      expect(await changesOfApiTokens(scene)).toEqual([
        `create ${id("made")}`,
        `create ${id("fixed")}`,
        `create ${managed("made").id}`,
        `revoke ${id("fixed")}`,
        `create ${managed("fixed").id}`,
        `revoke ${id("made")}`,
      ]);
    },
  }),
);

const lasting = (app: object, wide: object = {}) => ({
  orders: inGroup("orders"),
  app: aDatabaseToken({ database: dbIdOf("orders"), ...app }),
  wide: aGroupToken({ group: "default", expiration: "30d", ...wide }),
});

const MONTH_END = "2026-03-31T12:00:00Z";

test(
  "renews a token as `renewBefore` says, or once it has expired, and replaces it for another argument",
  story({
    before: lasting({ expiration: "30d" }),
    outside: (scene) => note(scene, 1, "app"),
    wished: lasting({ expiration: "30d", renewBefore: "29d" }),
    expected: { changes: { app: "update renewBefore" }, writes: [] },
    async afterwards(scene) {
      expect(scene.managed("app").outputs).toMatchObject({ renewBefore: "29d", token: scene.fact("app 1") });
    },
    next: [
      {
        outside: ({ here }) => here.api.advance(10 * DAY_S),
        wished: lasting({ expiration: "30d", renewBefore: "20d" }),
        preview: {
          changes: { app: "replace expiresAt renewBefore" },
          says: [expiresSoon({ kind: "database token", end: MONTH_END, property: "renewBefore", before: "20d" })],
        },
        up: false,
      },
      {
        outside: ({ here }) => here.api.advance(20 * DAY_S - HOUR_S),
        wished: lasting({ authorization: "read-only" }),
        expected: { changes: { app: "replace authorization expiration renewBefore" } },
        up: ({ id }) => ({ says: [tokenStaysValid({ thing: `database ${id("orders")}`, end: MONTH_END })] }),
      },
      {
        outside: ({ here }) => here.api.advance(HOUR_S),
        expected: {
          changes: { wide: "replace expiresAt" },
          says: [expired({ kind: "group token", end: MONTH_END })],
          writes: ["createGroupTokenById"],
        },
      },
    ],
  }),
);

const without = (text: string) => new RegExp(`^(?!.*${text})`, "s");

const ofOthers = ({ fact }: StoryScene, turn: string) => ({
  app: aDatabaseToken({ database: fact("orders"), keepers: { turn } }),
  wide: aGroupToken({ group: fact("other") }),
  rotation: aRotation({ database: fact("orders"), triggers: { turn } }),
  rotationOfAll: aRotation({ group: fact("other") }),
});

const belongTo = (thing: string, ...owned: string[]) => owned.map((kind) => `This ${kind} belongs to that ${thing}`);

test(
  "keeps the tokens of a renamed group, and of what is deleted until it can no longer be restored",
  story({
    async past(scene) {
      scene.facts.orders = await scene.here.database("orders", "other");
      scene.facts.other = (await groupNamed(scene, "other"))?.uuid ?? "";
    },
    before: (scene) => ofOthers(scene, "1"),
    async outside(scene) {
      await note(scene, 1, "app", "wide");
      await scene.here.outside.renameGroup({ organizationSlug, groupName: "other", body: { name: "main" } });
    },
    afterwards: ({ managed }) => expect(managed("wide").outputs).toMatchObject({ groupName: "main" }),
    expected: { requests: FEW },
    next: [
      {
        outside: (scene) => deleteGroup(scene, "main"),
        expected: {
          says: [
            ...belongTo("database", "database token", "signing key rotation"),
            ...belongTo("group", "group token", "signing key rotation"),
          ],
        },
      },
      {
        wished: (scene) => ({ ...ofOthers(scene, "1"), app: ofOthers(scene, "2").app }),
        preview: { fails: "was deleted on" },
        up: false,
      },
      {
        wished: (scene) => ({ ...ofOthers(scene, "1"), rotation: ofOthers(scene, "2").rotation }),
        preview: { fails: "was deleted on" },
        up: false,
      },
      {
        outside: ({ here, fact }) =>
          here.outside.restoreDatabase({ organizationId: here.api.organizationId, databaseId: fact("orders") }),
        wished: (scene) => ofOthers(scene, "1"),
        expected: { writes: [] },
        async afterwards(scene) {
          for (const token of ["app", "wide"]) {
            expect(await scene.secret(token)).toBe(scene.fact(`${token} 1`));
            expect(await verified(scene, scene.fact(`${token} 1`), scene.fact("orders"))).toBe(true);
          }
        },
      },
      {
        async outside(scene) {
          await deleteGroup(scene, "main");
          await scene.here.api.advance(5 * DAY_S + 1);
        },
        wished: {},
        expected: {
          says: [
            /^Database token no longer exists: .* no database/,
            /^Group token no longer exists: .* no group/,
            /^Signing key rotation no longer exists: .* no database/,
            /^Signing key rotation no longer exists: .* no group/,
          ],
        },
      },
    ],
  }),
);

test(
  "does not rotate the key of another database that has taken the name of a deleted database",
  story({
    settings: { driftDetection: "on-refresh" },
    async past({ here, facts }) {
      facts.orders = await here.database("orders");
    },
    before: ({ fact }) => ({ rotation: aRotation({ database: fact("orders"), triggers: { turn: "1" } }) }),
    async outside({ here, fact }) {
      await here.delete(fact("orders"));
      await here.database("orders");
    },
    wished: ({ fact }) => ({ rotation: aRotation({ database: fact("orders"), triggers: { turn: "2" } }) }),
    expected: { fails: "was deleted on" },
  }),
);

const app = aDatabaseToken({ database: dbIdOf("orders") });
const wide = aGroupToken({ group: "default" });

test.each([
  ["database", { orders: inGroup("orders"), token: app }, "createDatabaseTokenById"],
  ["group", { orders: inGroup("orders"), token: wide }, "createGroupTokenById"],
] as const)(
  "says that a %s token may have been issued whose response was lost, and reveals no token",
  (_, wished, operation) =>
    story({
      before: { orders: inGroup("orders") },
      outside: ({ here }) => here.api.fault({ operation, reset: "after" }),
      wished,
      preview: false,
      up: {
        fails: ["it is unknown whether a token was issued", /rotate the signing key with a `SigningKeyRotation`$/],
      },
      next: [
        {
          outside: ({ here }) => here.api.fault({ operation, body: "truncated" }),
          preview: false,
          up: { fails: without("eyJ"), writes: [operation] },
        },
        { expected: { changes: { token: "create" } } },
      ],
    })(),
);

test(
  "rotates the key again if the response was lost, and imports a rotation by the id of its database alone",
  story({
    before: leaked("1"),
    outside: ({ here }) => here.api.fault({ operation: "rotateDatabaseTokens", reset: "after" }),
    wished: leaked("2"),
    preview: false,
    up: { fails: "could not rotate database tokens" },
    next: [
      {
        expected: {
          changes: { rotation: "update triggers" },
          says: [/^Rotating the signing key/],
          writes: ["rotateDatabaseTokens"],
        },
        afterwards: ({ managed }) => expect(managed("rotation").outputs).toMatchObject({ generation: "1" }),
      },
      {
        wished: ({ id }) => ({
          ...leaked("2"),
          imported: aRotation({ database: id("orders"), triggers: { leak: "1" } }, { import: "orders" }),
        }),
        preview: ({ id }) => ({ fails: `\`import: "${id("orders")}"\`` }),
        up: false,
      },
    ],
  }),
);

const twins = { orders: inGroup("orders"), app, twin: app, wide, wideTwin: wide };

test(
  "records two identical tokens that were issued in the same second, and imports none",
  story({
    before: twins,
    async outside({ id, secret }) {
      expect(await secret("app")).toBe(await secret("twin"));
      expect(id("app")).not.toBe(id("twin"));
    },
    expected: { requests: FEW },
    next: [app, wide].map((token) => ({
      wished: { ...twins, token: { ...token, import: "some-id" } },
      preview: { fails: SQL_TOKEN_UNIMPORTABLE },
      up: false,
    })),
  }),
);

/** Notes the only API token of Max, which is the provider's credential if `isUsed`. */
const tokenOfMax =
  (isUsed: boolean) =>
  async ({ here, stack, facts }: StoryScene) => {
    // An admin sees the tokens of other users, too.
    await here.api.member("max", "admin");
    const token = await here.api.token({ user: "max" });
    const { tokens } = await here.outside.listApiTokens({ organizationSlug });
    const own = tokens.find(({ owner }) => owner?.username === "max");
    Object.assign(facts, { id: own?.id, name: own?.name, token });
    if (isUsed) stack.useToken(token);
  };

const kept = ({ fact }: StoryScene, version: string, name = fact("name")) => ({
  max: anApiToken({ name, keepers: { version } }, version === "1" ? { import: fact("id") } : {}),
});

test(
  "never revokes an imported API token of a user who has no other, with which the provider authenticates",
  story({
    past: tokenOfMax(true),
    before: (scene) => kept(scene, "1"),
    expected: ({ fact }) => ({ says: [ownApiTokenManaged({ name: fact("name") })] }),
    next: [
      {
        wished: (scene) => kept(scene, "2"),
        expected: ({ fact }) => ({ fails: ownApiToken({ name: fact("name") }) }),
      },
      {
        wished: (scene) => kept(scene, "2", "another"),
        expected: ({ fact }) => ({ fails: ownApiToken({ name: fact("name") }) }),
      },
      {
        wished: {},
        preview: false,
        up: ({ fact }) => ({ fails: ownApiToken({ name: fact("name") }) }),
        afterwards: async (scene) => expect(await works(scene, scene.fact("token"))).toBe(true),
      },
    ],
  }),
);

test(
  "replaces and revokes an imported API token of another user, also by one for a group",
  story({
    past: tokenOfMax(false),
    before: (scene) => kept(scene, "1"),
    wished: (scene) => kept(scene, "2"),
    expected: { changes: { max: "replace keepers" } },
    afterwards: async (scene) => expect(await works(scene, scene.fact("token"))).toBe(false),
    next: [
      {
        wished: ({ fact }) => ({
          max: anApiToken({ name: fact("name"), keepers: { version: "2" }, group: "default", scopes: ["read"] }),
        }),
        expected: { changes: { max: "replace group scopes" } },
      },
    ],
  }),
);
