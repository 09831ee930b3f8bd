// @module-tag no-database-is-lost

import { describe, test } from "vitest";
import { notRestorableNow } from "../../kit/lifecycle/messages";
import {
  planHasNoRecovery,
  planHidesDeleted,
  restoreUnseen,
  UPGRADE_TO_RESTORE,
} from "../../provider/resources/messages";
import { aDatabaseNamed, idOf, tenants } from "./declarations";
import {
  databaseDeleted,
  databaseRestored,
  databaseRestorePlanned,
  deletionUnseen,
  groupDeleted,
  groupRestored,
  groupRestorePlanned,
} from "./messages";
import { deleteGroup } from "./outside";
import { story } from "./story";

/** The reason that error messages give if the organization's plan does not list deleted resources. */
const HIDDEN_BY_PLAN = planHidesDeleted({ organization: "acme" });

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
});
