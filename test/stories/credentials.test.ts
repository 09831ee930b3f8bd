// @module-tag previews-are-true
// @module-tag clear-messages
// @module-tag tokens

import { expect, test } from "vitest";
import { adminNeeded } from "../../provider/permissions/messages";
import { ownApiToken, ownApiTokenManaged } from "../../provider/resources/token/messages";
import { clientOf } from "../engine/engine-fixture";
import { aDatabaseNamed, anApiToken } from "./declarations";
import { databaseDeleted, databaseRestored } from "./messages";
import { story } from "./story";

const notAdmin = adminNeeded({ work: "restoring", organization: "acme", username: "max", role: "member" });

test(
  "says in the preview that a member may not restore a database, which an owner then restores",
  story({
    before: { orders: aDatabaseNamed("orders") },
    async outside({ here, firstId, stack }) {
      await here.deleteDatabase(firstId("orders"));
      stack.useToken(await here.api.token({ user: "max" }));
    },
    expected: { changes: { orders: "update deletedAt" } },
    preview: { says: [databaseDeleted("orders"), notAdmin] },
    up: { fails: notAdmin },
    next: [
      {
        outside: ({ here, stack }) => stack.useToken(here.api.apiToken),
        preview: false,
        up: { changes: { orders: "update deletedAt" }, says: [databaseDeleted("orders"), databaseRestored("orders")] },
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
    before: { orders: aDatabaseNamed("orders"), stock: aDatabaseNamed("stock"), ...deployer(name, "1") },
    async outside({ stack, secret }) {
      stack.useToken(await secret("deployer"));
    },
    wished: { orders: aDatabaseNamed("orders"), ...deployer(name, "2") },
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
