// @module-tag no-database-is-lost

import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { notRestorableNow } from "../../kit/lifecycle/messages";
import {
  planHasNoRecovery,
  planHidesDeleted,
  restoreUnseen,
  UPGRADE_TO_RESTORE,
} from "../../provider/resources/messages";
import { aDatabaseNamed, aGroupToken, aRotation, idOf, someMigrations, tenants } from "./declarations";
import {
  databaseDeleted,
  databaseRestored,
  databaseRestorePlanned,
  deletionUnseen,
  groupDeleted,
  groupRestored,
  groupRestorePlanned,
} from "./messages";
import { createGroup, deleteGroup, noteSecrets } from "./outside";
import { type StoryScene, story } from "./story";

/** The reason that error messages give if the organization's plan does not list deleted resources. */
const HIDDEN_BY_PLAN = planHidesDeleted({ organization: "acme" });

/** Resources that belong to a group which the program does not declare. */
const inGroup = ({ fact }: StoryScene) => ({
  token: aGroupToken({ group: fact("tenants") }),
  rotation: aRotation({ group: fact("tenants"), triggers: { turn: "1" } }),
  schema: someMigrations({ group: fact("tenants"), folder: resolve("test/laws/migrations/one") }),
});

describe("§3 a deleted resource on a plan that does not list deleted resources", () => {
  test(
    "stays in the state until it is restored after a plan upgrade",
    story({
      before: { tenants, inside: aDatabaseNamed("inside", idOf("tenants")), orders: aDatabaseNamed("orders") },
      async outside(scene) {
        await scene.here.deleteDatabase(scene.firstId("orders"));
        await deleteGroup(scene, "tenants");
        await scene.here.api.plan("starter");
      },
      expected: ({ firstId }) => ({
        says: [
          deletionUnseen('database "orders"', firstId("orders"), HIDDEN_BY_PLAN),
          deletionUnseen('database "inside"', firstId("inside"), HIDDEN_BY_PLAN),
          deletionUnseen('group "tenants"', firstId("tenants"), HIDDEN_BY_PLAN),
        ],
        fails: [
          /^(?!.*`pulumi up` restores)/s,
          restoreUnseen({ kind: "group", hiddenBecause: HIDDEN_BY_PLAN, advice: UPGRADE_TO_RESTORE }),
        ],
        databases: {},
      }),
      next: [
        {
          outside: ({ here }) => here.api.plan("scaler"),
          expected: ({ firstId }) => ({
            changes: { tenants: "update deletedAt", inside: "update deletedAt", orders: "update deletedAt" },
            says: [databaseDeleted("orders"), groupDeleted("tenants", { inside: firstId("inside") })],
            databases: { orders: firstId("orders"), inside: firstId("inside") },
          }),
          preview: ({ firstId }) => ({
            says: [
              databaseRestorePlanned("orders", firstId("orders")),
              groupRestorePlanned("tenants", firstId("tenants")),
            ],
          }),
          up: { says: [databaseRestored("orders"), groupRestored("tenants")] },
        },
        {
          async outside(scene) {
            await deleteGroup(scene, "tenants");
            await scene.here.api.plan("starter");
          },
          wished: {},
          preview: false,
          up: ({ firstId }) => ({
            changes: { tenants: "delete", inside: "delete", orders: "delete" },
            says: [
              deletionUnseen('database "inside"', firstId("inside"), HIDDEN_BY_PLAN),
              deletionUnseen('group "tenants"', firstId("tenants"), HIDDEN_BY_PLAN),
              notRestorableNow({
                title: 'database "orders"',
                id: firstId("orders"),
                reason: planHasNoRecovery({ organization: "acme" }),
              }),
            ],
            writes: ["deleteDatabaseById"],
            databases: {},
          }),
        },
      ],
    }),
  );

  test(
    "stays in the state also if only its group is deleted, so that its token is not lost",
    story({
      async past(scene) {
        scene.facts.tenants = await createGroup(scene, "tenants");
      },
      before: inGroup,
      async outside(scene) {
        await noteSecrets(scene, 1, "token");
        await deleteGroup(scene, "tenants");
        await scene.here.api.plan("starter");
      },
      expected: ({ fact }) => ({
        says: ["group token", "signing key rotation", "database migrations"].map(
          (kind) =>
            `${deletionUnseen('group "tenants"', fact("tenants"), HIDDEN_BY_PLAN)} This ${kind} belongs to that group`,
        ),
      }),
      next: [
        {
          async outside({ here, fact }) {
            await here.api.plan("scaler");
            await here.outside.restoreGroup({ organizationId: here.api.organizationId, groupId: fact("tenants") });
          },
          expected: {},
          afterwards: async ({ secret, fact }) => expect(await secret("token")).toBe(fact("token 1")),
        },
      ],
    }),
  );
});
