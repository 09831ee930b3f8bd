// @module-tag previews-are-true
// @module-tag clear-messages
// @module-tag tokens

import { expect, test } from "vitest";
import { operationImpossible, tokenLacksAccess } from "../../kit/lifecycle/messages";
import { adminNeeded, scopesMissing } from "../../provider/permissions/messages";
import { ownApiToken, ownApiTokenManaged } from "../../provider/resources/token/messages";
import { clientOf } from "../engine/engine-fixture";
import { anApiToken, inGroup } from "./declarations";
import { isDeleted, isRestored, KNOWN_ORGANIZATION, use, willBeRestored } from "./outside";
import { story } from "./story";

const lacks = (operation: "create" | "replace" | "restore", object: string, ...scopes: string[]) =>
  tokenLacksAccess({ attempt: operationImpossible({ operation, object }), reason: scopesMissing({ scopes }) });

const notAdmin = adminNeeded({ work: "restoring", organization: "acme", username: "max", role: "member" });

const deployed = { orders: inGroup("orders"), users: inGroup("users") };
const changed = { ...deployed, users: inGroup("users-too"), third: inGroup("third") };

test(
  "a preview says what its credential may not do, and `up` with that credential changes nothing",
  story({
    ...KNOWN_ORGANIZATION,
    before: deployed,
    async outside(scene) {
      await scene.here.delete(scene.id("orders"));
      await use({ group: "default", scopes: ["read"] })(scene);
    },
    expected: { changes: { orders: "update deletedAt" } },
    preview: ({ id }) => ({
      says: [
        isDeleted("orders", { by: "nobody" }),
        lacks("restore", `database "orders" (${id("orders")})`, "db:create"),
      ],
    }),
    up: false,
    next: [
      {
        wished: changed,
        preview: ({ id }) => ({
          changes: { orders: "update deletedAt", users: "replace name", third: "create" },
          says: [
            isDeleted("orders", { by: "nobody" }),
            lacks("restore", `database "orders" (${id("orders")})`, "db:create"),
            lacks("create", 'database "third"', "db:create"),
            lacks("replace", 'database "users"', "db:create", "db:delete"),
            /^The change replaces database "users" without its data/,
          ],
        }),
        up: { fails: scopesMissing({ scopes: ["db:create"] }) },
      },
      {
        outside: use({ user: "max" }),
        wished: deployed,
        expected: { changes: { orders: "update deletedAt" } },
        preview: { says: [isDeleted("orders"), notAdmin] },
        up: { fails: notAdmin },
      },
      {
        outside: ({ here, stack }) => stack.useToken(here.api.apiToken),
        expected: { changes: { orders: "update deletedAt" }, says: [isDeleted("orders")] },
        preview: ({ id }) => ({ says: [willBeRestored("orders", id("orders"))] }),
        up: { says: [isRestored("orders")] },
      },
    ],
  }),
);

const deployer = (name: object, version: string) => ({ deployer: anApiToken({ ...name, keepers: { version } }) });

test.each([
  ["a generated", {}],
  ["a fixed", { name: "deployer" }],
])("never revokes its own API token with %s name, and completes the run with another token", (_, name) =>
  story({
    before: { orders: inGroup("orders"), stock: inGroup("stock"), ...deployer(name, "1") },
    async outside({ stack, secret }) {
      stack.useToken(await secret("deployer"));
    },
    wished: { orders: inGroup("orders"), ...deployer(name, "2") },
    expected: ({ managed }) => ({
      fails: [ownApiToken({ name: String(managed("deployer").outputs.name) }), /^(?!.*401)/s],
      writes: [],
    }),
    next: [
      {
        wished: {},
        preview: ({ managed }) => ({
          changes: { orders: "delete", stock: "delete", deployer: "delete" },
          says: [ownApiTokenManaged({ name: String(managed("deployer").outputs.name) })],
        }),
        up: ({ managed }) => ({
          fails: ownApiToken({ name: String(managed("deployer").outputs.name) }),
          writes: ["deleteDatabaseById", "deleteDatabaseById"],
        }),
        afterwards: async ({ here, secret }) =>
          expect(await clientOf(here.api, await secret("deployer")).validateApiToken({})).toBeDefined(),
      },
      {
        outside: ({ here, stack }) => stack.useToken(here.api.apiToken),
        preview: false,
        up: { changes: { deployer: "delete" }, writes: ["revokeApiToken"] },
      },
    ],
  })(),
);
