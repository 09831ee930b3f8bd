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
  deleteGroup,
  groupWillBeRestored,
  isDeleted,
  isGroupDeleted,
  isGroupRestored,
  isRestored,
  isUnseen,
  willBeRestored,
} from "./outside";
import { story } from "./story";

/** The reason that error messages give if the organization's plan does not list deleted resources. */
const HIDDEN_BY_PLAN = planHidesDeleted({ organization: "acme" });

describe("§3 a deleted resource on a plan that does not list deleted resources", () => {
  test(
    "stays in the state until it is restored after a plan upgrade",
    story({
      before: { tenants, inside: aDatabaseNamed("inside", idOf("tenants")), orders: aDatabaseNamed("orders") },
      async outside(scene) {
        await scene.here.deleteDatabase(scene.id("orders"));
        await deleteGroup(scene, "tenants");
        await scene.here.api.plan("starter");
      },
      expected: ({ id }) => ({
        says: [
          isUnseen('database "orders"', id("orders"), HIDDEN_BY_PLAN),
          isUnseen('database "inside"', id("inside"), HIDDEN_BY_PLAN),
          isUnseen('group "tenants"', id("tenants"), HIDDEN_BY_PLAN),
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
          expected: ({ id }) => ({
            changes: { tenants: "update deletedAt", inside: "update deletedAt", orders: "update deletedAt" },
            says: [isDeleted("orders"), isGroupDeleted("tenants", { inside: id("inside") })],
            databases: { orders: id("orders"), inside: id("inside") },
          }),
          preview: ({ id }) => ({
            says: [willBeRestored("orders", id("orders")), groupWillBeRestored("tenants", id("tenants"))],
          }),
          up: { says: [isRestored("orders"), isGroupRestored("tenants")] },
        },
        {
          async outside(scene) {
            await deleteGroup(scene, "tenants");
            await scene.here.api.plan("starter");
          },
          wished: {},
          preview: false,
          up: ({ id }) => ({
            changes: { tenants: "delete", inside: "delete", orders: "delete" },
            says: [
              isUnseen('database "inside"', id("inside"), HIDDEN_BY_PLAN),
              isUnseen('group "tenants"', id("tenants"), HIDDEN_BY_PLAN),
              notRestorableNow({
                title: 'database "orders"',
                id: id("orders"),
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
