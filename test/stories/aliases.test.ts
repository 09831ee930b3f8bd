// @module-tag no-database-is-lost
// @module-tag clear-messages

import { test } from "vitest";
import { replacementLacksAccess } from "../../kit/lifecycle/messages";
import { scopesMissing } from "../../provider/permissions/messages";
import { configurationUnmanaged } from "../../provider/resources/database/messages";
import { aConfiguration, aDatabase, aDatabaseNamed, aGroup, dbIdOf, TENANTS, tenants } from "./declarations";
import { organizationSlug, withOrganizationId } from "./outside";
import { story } from "./story";

/** An encryption with another key replaces the database. */
const encryption = { cipher: "aegis256", key: Buffer.alloc(32).toString("base64") };

const orders = aDatabaseNamed("orders");
const renamed = (args = {}) => aDatabase({ name: "orders", group: "default", ...args }, { formerName: "orders" });

test.each(["always", "on-refresh"])(
  "with `driftDetection: %s`, deletes no database with an alias if the credential cannot create the new one",
  (driftDetection) =>
    story({
      settings: (api) => ({ ...withOrganizationId(api), driftDetection }),
      before: { orders },
      async outside({ here: { api }, stack }) {
        stack.useToken(await api.token({ group: "default", scopes: ["read", "db:delete"] }));
      },
      wished: { now: renamed({ encryption }) },
      preview: false,
      up: ({ firstId }) => ({
        fails: replacementLacksAccess({ object: 'database "orders"', reason: scopesMissing({ scopes: ["db:create"] }) })
          .answer,
        databases: { orders: firstId("orders") },
      }),
    })(),
);

test(
  "warns of the restrictions that a removed configuration leaves on a database with an alias",
  story({
    before: { orders, limits: aConfiguration({ database: dbIdOf("orders"), blockWrites: true }) },
    wished: { now: renamed() },
    expected: { changes: { limits: "delete" } },
    up: ({ firstId }) => ({
      says: [configurationUnmanaged({ id: firstId("orders"), assignments: ["blockWrites: true"] })],
    }),
  }),
);

test(
  "does not call a reference outdated if the update gives a group with an alias its name again",
  story({
    before: { tenants, inside: { ...aDatabaseNamed("inside", "tenants"), dependsOn: "tenants" } },
    outside: ({ here }) =>
      here.outside.renameGroup({ organizationSlug, groupName: "tenants", body: { name: "renamed" } }),
    wished: {
      inside: aDatabaseNamed("inside", "tenants"),
      now: aGroup(TENANTS, { formerName: "tenants", dependsOn: "inside" }),
    },
    expected: { changes: { now: "update name" } },
  }),
);

test(
  "lets another resource take the name that the replacement of a database with an alias gives up",
  story({
    before: { orders },
    wished: {
      now: aDatabase({ name: "purchases", group: "default", encryption }, { formerName: "orders" }),
      another: { ...aDatabaseNamed("orders"), dependsOn: "now" },
    },
    preview: {
      changes: { now: "create encryption name", orders: "delete", another: "create" },
      says: [/without its data/],
    },
    up: false,
  }),
);
