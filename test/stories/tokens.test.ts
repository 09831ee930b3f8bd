// @module-tag no-database-is-lost
// @module-tag tokens

import { expect, test } from "vitest";
import { firstSinceImport } from "../../kit/lifecycle/messages";
import { importedWithoutSecret, noLongerExists } from "../../kit/lifecycle/restore/messages";
import { isRefusal } from "../../kit/refusal";
import {
  apiTokenOutOfSight,
  ownApiToken,
  ownApiTokenManaged,
  tokenNameInsteadOfId,
  tokenStaysValid,
} from "../../provider/resources/token/messages";
import { clientOf } from "../engine/engine-fixture";
import { aGroupToken, anApiToken } from "./declarations";
import { deleteGroup, noteSecrets, organizationSlug } from "./outside";
import { type StoryScene, story } from "./story";

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
      await noteSecrets(scene, 1, "wide", "narrow");
      for (const slot of ["wide", "narrow"]) expect(await works(scene, scene.fact(`${slot} 1`))).toBe(true);
      const { tokens } = await scene.here.outside.listApiTokens({ organizationSlug });
      const scopes = [...(tokens.find(({ id }) => id === scene.firstId("narrow"))?.scopes ?? [])];
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
        outside: ({ here, firstId }) => here.outside.revokeApiToken({ organizationSlug, tokenId: firstId("narrow") }),
        expected: { changes: { narrow: "create" }, says: [noLongerExists({ title: "", reason: "" }).slice(0, -1)] },
        async afterwards(scene) {
          await noteSecrets(scene, 2, "wide", "narrow");
          expect(await works(scene, scene.fact("narrow 1"))).toBe(false);
          expect(await works(scene, scene.fact("narrow 2"))).toBe(true);
          expect(scene.fact("wide 2")).toBe(scene.fact("wide 1"));
        },
      },
      {
        wished: changed,
        expected: { changes: { narrow: "replace scopes", wide: "replace keepers" } },
        async afterwards(scene) {
          await noteSecrets(scene, 3, "wide", "narrow");
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
      facts.orders = await here.createDatabase("orders", "other");
    },
    before: { ci: anApiToken({ group: "other", scopes: ["read"] }) },
    async outside(scene) {
      const { here, fact } = scene;
      await noteSecrets(scene, 1, "ci");
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
      await noteSecrets(scene, 1, "ci");
      scene.stack.useToken(await scene.here.api.token({ user: "max" }));
    },
    expected: ({ firstId }) => ({ fails: apiTokenOutOfSight({ id: firstId("ci") }).answer }),
    afterwards: ({ managed }) => expect(managed("ci")).toMatchObject({ type: "ApiToken" }),
    next: [
      {
        wished: {},
        preview: false,
        up: ({ firstId }) => ({ fails: apiTokenOutOfSight({ id: firstId("ci") }).answer }),
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
    outside: (scene) => noteSecrets(scene, 1, "ci"),
    wished: ({ fact }) => rotated({ month: "12" }, fact("old")),
    expected: ({ fact }) => ({
      changes: { ci: "replace keepers", app: "replace keepers", old: "update keepers" },
      says: [firstSinceImport({ property: "keepers", title: 'API token "old"', id: fact("old") })],
    }),
    up: { says: [tokenStaysValid({ thing: 'group "default"', end: undefined })] },
    async afterwards(scene) {
      await noteSecrets(scene, 2, "ci");
      expect(await works(scene, scene.fact("ci 1"))).toBe(false);
      expect(await works(scene, scene.fact("ci 2"))).toBe(true);
      expect(scene.managed("app").id).not.toBe(scene.firstId("app"));
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
