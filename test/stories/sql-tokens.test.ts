// @module-tag no-database-is-lost
// @module-tag tokens

import { expect, test } from "vitest";
import { expired, expiresSoon } from "../../kit/lifecycle/messages";
import {
  firstTriggersRecorded,
  keyRotation,
  SQL_TOKEN_UNIMPORTABLE,
  tokenStaysValid,
} from "../../provider/resources/token/messages";
import {
  aDatabaseNamed,
  aDatabaseToken,
  aGroupToken,
  anApiToken,
  aRotation,
  dbIdOf,
  idOf,
  tenants,
} from "./declarations";
import { databaseDeleted, databaseRestored, databaseRestorePlanned } from "./messages";
import { deleteGroup, groupNamed, noteSecrets, organizationSlug } from "./outside";
import { type Expectation, type StoryScene, story } from "./story";

const verified = ({ here: { api } }: StoryScene, token: string, dbId: string): Promise<boolean> =>
  api.verifySqlToken(token, dbId).then(
    () => true,
    () => false,
  );

test(
  "rotates no key when a rotation gets its first triggers, and says so",
  story({
    before: { orders: aDatabaseNamed("orders"), app: aDatabaseToken({ database: dbIdOf("orders") }) },
    outside: (scene) => noteSecrets(scene, 1, "app"),
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
          expect(await verified(scene, scene.fact("app 1"), scene.firstId("orders"))).toBe(true);
        },
      },
      {
        wished: leaked("2"),
        expected: ({ firstId }) => ({
          changes: { rotation: "update triggers" },
          says: [keyRotation({ kind: "database", name: "orders", id: firstId("orders") })],
          writes: ["rotateDatabaseTokens"],
        }),
        async afterwards(scene) {
          expect(await verified(scene, scene.fact("app 1"), scene.firstId("orders"))).toBe(false);
        },
      },
      { wished: leaked(undefined), expected: { changes: { rotation: "update triggers" }, writes: [] } },
    ],
  }),
);

function leaked(leak: string | undefined) {
  return {
    orders: aDatabaseNamed("orders"),
    app: aDatabaseToken({ database: dbIdOf("orders") }),
    rotation: aRotation({ database: dbIdOf("orders"), ...(leak === undefined ? {} : { triggers: { leak } }) }),
  };
}

/** The requests that read any number of SQL-engine tokens and rotations. */
const FEW: Expectation["requests"] = { inAnyOrder: ["retrieveOrganization", "listDatabases", "listGroups"] };

const DAY_S = 86_400;
const HOUR_S = 3_600;

const issued = (quarter: string) => ({
  orders: aDatabaseNamed("orders"),
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
      const { here, firstId, fact, managed } = scene;
      await noteSecrets(scene, 1, "app", "wide");
      const app = { expiresAt: "2026-03-31T12:00:00.000Z", authorization: "read-only" };
      expect(managed("app").outputs).toMatchObject(app);
      expect(await here.api.verifySqlToken(fact("app 1"), firstId("orders"))).toMatchObject({
        level: "database",
        authorization: "read-only",
        expires_at: app.expiresAt,
      });
      expect(managed("wide").outputs).toMatchObject({ expiration: "never", authorization: "read-only" });
      expect(managed("wide").outputs).not.toHaveProperty("expiresAt");
      expect(await here.api.verifySqlToken(fact("wide 1"), firstId("orders"))).toMatchObject({
        authorization: "read-only",
      });
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
        up: ({ firstId }) => ({
          says: [tokenStaysValid({ thing: `database ${firstId("orders")}`, end: "2026-03-31T12:00:00Z" })],
        }),
        async afterwards(scene) {
          await noteSecrets(scene, 2, "app", "wide");
          expect(scene.managed("app").outputs.expiresAt).toBe("2026-04-23T12:00:00.000Z");
          expect(scene.fact("wide 2")).toBe(scene.fact("wide 1"));
          for (const token of ["app 1", "app 2"])
            expect(await verified(scene, scene.fact(token), scene.firstId("orders"))).toBe(true);
        },
      },
      {
        // One update restores the database, rotates its key, and replaces the token whose keepers changed. The group
        // token stays valid.
        outside: ({ here, firstId }) => here.deleteDatabase(firstId("orders")),
        wished: issued("2"),
        expected: ({ firstId }) => ({
          changes: { orders: "update deletedAt", rotation: "update triggers", app: "replace keepers" },
          says: [
            databaseDeleted("orders", { at: "2026-03-24T12:00:00Z" }),
            keyRotation({ kind: "database", name: "orders", id: firstId("orders") }),
          ],
          writes: ["restoreDatabase", "rotateDatabaseTokens", "createDatabaseTokenById"],
        }),
        preview: ({ firstId }) => ({ says: [databaseRestorePlanned("orders", firstId("orders"))] }),
        up: ({ firstId }) => ({
          says: [
            databaseRestored("orders"),
            tokenStaysValid({ thing: `database ${firstId("orders")}`, end: "2026-04-23T12:00:00Z" }),
          ],
        }),
        async afterwards(scene) {
          await noteSecrets(scene, 3, "app", "wide");
          expect(await verified(scene, scene.fact("app 2"), scene.firstId("orders"))).toBe(false);
          for (const token of ["app 3", "wide 1"])
            expect(await verified(scene, scene.fact(token), scene.firstId("orders"))).toBe(true);
        },
      },
      {
        wished: {},
        preview: false,
        up: ({ firstId }) => ({
          changes: { orders: "delete", rotation: "delete", app: "delete", wide: "delete" },
          says: [
            tokenStaysValid({ thing: 'group "default"', end: undefined }),
            tokenStaysValid({ thing: `database ${firstId("orders")}`, end: "2026-04-23T12:00:00Z" }),
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
    orders: aDatabaseNamed("orders"),
    rotation: aRotation({ group: "default", triggers: { turn } }),
    app: aDatabaseToken({ database: dbIdOf("orders"), keepers }),
    wide: aGroupToken({ group: "default", keepers }),
    made: anApiToken({ keepers: { turn } }),
    // Depends on the other token, so that both tokens always change in the same order.
    fixed: anApiToken({ name: "fixed", keepers: { turn } }, { dependsOn: "made" }),
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
      await noteSecrets(scene, 1, "app", "wide");
      scene.facts.default = (await groupNamed(scene, "default"))?.uuid ?? "";
    },
    wished: turned("2"),
    preview: false,
    up: ({ firstId, fact }) => ({
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
          contained: [{ name: "orders", id: firstId("orders") }],
          more: 0,
        }),
        tokenStaysValid({ thing: `database ${firstId("orders")}`, end: undefined }),
        tokenStaysValid({ thing: 'group "default"', end: undefined }),
      ],
    }),
    async afterwards(scene) {
      const { firstId, managed, secret, written } = scene;
      const ofSqlTokens = written.filter((operation) => !operation.endsWith("ApiToken"));
      expect(ofSqlTokens[0]).toBe("rotateGroupTokens");
      expect(ofSqlTokens.slice(1).sort()).toEqual(["createDatabaseTokenById", "createGroupTokenById"]);
      expect(managed("rotation").outputs.generation).toBe("1");
      for (const slot of ["app", "wide"]) {
        expect(await verified(scene, scene.fact(`${slot} 1`), firstId("orders"))).toBe(false);
        expect(await verified(scene, await secret(slot), firstId("orders"))).toBe(true);
      }
      expect(await changesOfApiTokens(scene)).toEqual([
        `create ${firstId("made")}`,
        `create ${firstId("fixed")}`,
        `create ${managed("made").id}`,
        `revoke ${firstId("fixed")}`,
        `create ${managed("fixed").id}`,
        `revoke ${firstId("made")}`,
      ]);
    },
  }),
);

const lasting = (app: object, wide: object = {}) => ({
  orders: aDatabaseNamed("orders"),
  app: aDatabaseToken({ database: dbIdOf("orders"), ...app }),
  wide: aGroupToken({ group: "default", expiration: "30d", ...wide }),
});

const MONTH_END = "2026-03-31T12:00:00Z";

test(
  "renews a token as `renewBefore` says, or once it has expired, and replaces it for another argument",
  story({
    before: lasting({ expiration: "30d" }),
    outside: (scene) => noteSecrets(scene, 1, "app"),
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
        up: ({ firstId }) => ({ says: [tokenStaysValid({ thing: `database ${firstId("orders")}`, end: MONTH_END })] }),
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

const due = (kind: string, end: string) => expiresSoon({ kind, end, property: "renewBefore", before: "7d" });

const RENEWED = { expiration: "30d", renewBefore: "7d" };

const owners = {
  tenants,
  orders: aDatabaseNamed("orders", idOf("tenants")),
  app: aDatabaseToken({ database: dbIdOf("orders"), ...RENEWED }),
  wide: aGroupToken({ group: idOf("tenants"), ...RENEWED }),
};

test.each([
  [
    "database",
    (scene: StoryScene) => scene.here.deleteDatabase(scene.firstId("orders")),
    { orders: "update deletedAt" },
    "restoreDatabase",
  ],
  [
    "group",
    (scene: StoryScene) => deleteGroup(scene, "tenants"),
    { tenants: "update deletedAt", orders: "update deletedAt" },
    "restoreGroup",
  ],
] as const)("restores a %s although a token for it is due, and renews the token", (_, deletes, restored, operation) =>
  story({
    before: owners,
    async outside(scene) {
      await scene.here.api.advance(23 * DAY_S);
      await deletes(scene);
    },
    expected: {
      changes: { ...restored, app: "replace expiresAt", wide: "replace expiresAt" },
      says: [/ was deleted by ada /, due("database token", MONTH_END), due("group token", MONTH_END)],
      writes: { inAnyOrder: [operation, "createDatabaseTokenById", "createGroupTokenById"] },
    },
    preview: { says: [/^`pulumi up` restores /] },
    up: ({ firstId }) => ({
      says: [
        /^Restored /,
        tokenStaysValid({ thing: `database ${firstId("orders")}`, end: MONTH_END }),
        tokenStaysValid({ thing: 'group "tenants"', end: MONTH_END }),
      ],
    }),
    async afterwards(scene) {
      expect(scene.managed("orders").id).toBe(scene.firstId("orders"));
      for (const token of ["app", "wide"])
        expect(await verified(scene, await scene.secret(token), scene.firstId("orders"))).toBe(true);
    },
  })(),
);

test(
  "renews a due token of a group that was renamed outside, once the program names it so",
  story({
    past: async ({ here }) => void (await here.createDatabase("orders", "other")),
    before: { wide: aGroupToken({ group: "other", ...RENEWED }) },
    async outside({ here }) {
      await here.outside.renameGroup({ organizationSlug, groupName: "other", body: { name: "main" } });
      await here.api.advance(23 * DAY_S);
    },
    wished: { wide: aGroupToken({ group: "main", ...RENEWED }) },
    expected: {
      changes: { wide: "replace expiresAt" },
      says: [due("group token", MONTH_END)],
      writes: ["createGroupTokenById"],
    },
    up: { says: [tokenStaysValid({ thing: 'group "main"', end: MONTH_END })] },
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
      scene.facts.orders = await scene.here.createDatabase("orders", "other");
      scene.facts.other = (await groupNamed(scene, "other"))?.uuid ?? "";
    },
    before: (scene) => ofOthers(scene, "1"),
    async outside(scene) {
      await noteSecrets(scene, 1, "app", "wide");
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
      facts.orders = await here.createDatabase("orders");
    },
    before: ({ fact }) => ({ rotation: aRotation({ database: fact("orders"), triggers: { turn: "1" } }) }),
    async outside({ here, fact }) {
      await here.deleteDatabase(fact("orders"));
      await here.createDatabase("orders");
    },
    wished: ({ fact }) => ({ rotation: aRotation({ database: fact("orders"), triggers: { turn: "2" } }) }),
    expected: { fails: "was deleted on" },
  }),
);

const app = aDatabaseToken({ database: dbIdOf("orders") });
const wide = aGroupToken({ group: "default" });

test.each([
  ["database", { orders: aDatabaseNamed("orders"), token: app }, "createDatabaseTokenById"],
  ["group", { orders: aDatabaseNamed("orders"), token: wide }, "createGroupTokenById"],
] as const)(
  "says that a %s token may have been issued whose response was lost, and reveals no token",
  (_, wished, operation) =>
    story({
      before: { orders: aDatabaseNamed("orders") },
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
        wished: ({ firstId }) => ({
          ...leaked("2"),
          imported: aRotation({ database: firstId("orders"), triggers: { leak: "1" } }, { import: "orders" }),
        }),
        preview: ({ firstId }) => ({ fails: `\`import: "${firstId("orders")}"\`` }),
        up: false,
      },
    ],
  }),
);

const twins = { orders: aDatabaseNamed("orders"), app, twin: app, wide, wideTwin: wide };

test(
  "records two identical tokens that were issued in the same second, and imports none",
  story({
    before: twins,
    async outside({ firstId, secret }) {
      expect(await secret("app")).toBe(await secret("twin"));
      expect(firstId("app")).not.toBe(firstId("twin"));
    },
    expected: { requests: FEW },
    next: [app, wide].map((token) => ({
      wished: { ...twins, token: { ...token, import: "some-id" } },
      preview: { fails: SQL_TOKEN_UNIMPORTABLE },
      up: false,
    })),
  }),
);
