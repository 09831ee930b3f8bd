// @module-tag nothing-is-created-twice-or-adopted
// @module-tag tokens
// @module-tag all-drift-is-shown

import { expect, test } from "vitest";
import { groupLost, revokedOrGroupLost } from "../../provider/resources/token/messages";
import { clientOf } from "../engine/engine-fixture";
import {
  aConfiguration,
  aDatabaseNamed,
  aDatabaseToken,
  aGroupToken,
  anApiToken,
  aRotation,
  dbIdOf,
  idOf,
  tenants,
} from "./declarations";
import { groupDeleted, groupRestorePlanned } from "./messages";
import { configurationOf, createGroup, deleteGroup, organizationSlug } from "./outside";
import { story } from "./story";

const FIVE_DAYS_S = 5 * 86_400;

const another = (kind: "database" | "group", id: string): string => `belongs to another ${kind} .${id}`;

test.each([
  ["configuration", aConfiguration({ database: dbIdOf("orders"), blockReads: true })],
  ["token", aDatabaseToken({ database: dbIdOf("orders") })],
  ["rotation", aRotation({ database: dbIdOf("orders"), triggers: { a: "1" } })],
])("reports for a database and its %s that the database was recreated outside Pulumi with a new id", (_, part) =>
  story({
    before: { orders: aDatabaseNamed("orders"), part },
    async outside({ here, firstId, facts }) {
      await here.deleteDatabase(firstId("orders"));
      facts.anew = await here.createDatabase("orders");
    },
    expected: ({ firstId, fact }) => ({
      fails: fact("anew"),
      says: [
        new RegExp(`^Database "orders" was deleted.*${another("database", fact("anew"))}`, "s"),
        new RegExp(`another database .${fact("anew")}.*belongs to database ${firstId("orders")}`),
      ],
      databases: { orders: fact("anew") },
    }),
    // No configuration was applied to the new database.
    afterwards: async (scene) => expect(await configurationOf(scene, "orders")).toMatchObject({ block_reads: false }),
  })(),
);

test.each([
  ["token", aGroupToken({ group: idOf("tenants") })],
  ["rotation", aRotation({ group: idOf("tenants"), triggers: { a: "1" } })],
])("reports for a group and its %s that the group was recreated outside Pulumi with a new id", (_, part) =>
  story({
    before: { tenants, part },
    async outside(scene) {
      await deleteGroup(scene, "tenants");
      scene.facts.anew = await createGroup(scene, "tenants");
    },
    expected: ({ firstId, fact }) => ({
      fails: fact("anew"),
      says: [
        new RegExp(`^Group "tenants" was deleted.*${another("group", fact("anew"))}`, "s"),
        new RegExp(`another group .${fact("anew")}.*belongs to group ${firstId("tenants")}`),
      ],
    }),
    up: false,
    next: [
      {
        outside: ({ here }) => here.api.advance(FIVE_DAYS_S + 1),
        preview: ({ firstId, fact }) => ({
          fails: fact("anew"),
          says: [
            new RegExp(`^Group "tenants" no longer exists.*${another("group", fact("anew"))}`),
            new RegExp(`another group .${fact("anew")}.*belongs to group ${firstId("tenants")}`),
          ],
        }),
        up: false,
      },
    ],
  })(),
);

const ofGroup = { groupName: "tenants" };

test(
  "reports for an API token that its group was deleted, recreated, restored or transferred",
  story({
    before: {
      tenants,
      narrow: anApiToken({ name: "narrow", group: "tenants", scopes: ["read"] }, { dependsOn: "tenants" }),
    },
    outside: (scene) => deleteGroup(scene, "tenants"),
    preview: ({ firstId }) => ({
      changes: { tenants: "update deletedAt", narrow: "create" },
      says: [
        groupDeleted("tenants"),
        groupRestorePlanned("tenants", firstId("tenants")),
        groupLost({ ...ofGroup, groupId: firstId("tenants") }),
      ],
    }),
    up: false,
    next: [
      {
        async outside(scene) {
          scene.facts.anew = await createGroup(scene, "tenants");
        },
        preview: ({ firstId, fact }) => ({
          fails: fact("anew"),
          says: [/^Group "tenants"/, groupLost({ ...ofGroup, groupId: firstId("tenants"), successor: fact("anew") })],
        }),
        up: false,
      },
      {
        async outside({ here: { outside, api }, firstId }) {
          await outside.renameGroup({ organizationSlug, groupName: "tenants", body: { name: "anew" } });
          await outside.restoreGroup({ organizationId: api.organizationId, groupId: firstId("tenants") });
        },
        expected: { changes: { narrow: "create" }, says: [revokedOrGroupLost(ofGroup)] },
      },
      {
        async outside({ here: { api } }) {
          const ofBoth = clientOf(api, await api.token({ organization: null }));
          await ofBoth.transferGroup({ organizationSlug, groupName: "tenants", body: { organization: "globex" } });
        },
        preview: ({ firstId }) => ({
          changes: { tenants: "create", narrow: "create" },
          says: [groupLost({ ...ofGroup, groupId: firstId("tenants") }), /^Group "tenants" .* transferred/],
        }),
        up: false,
      },
    ],
  }),
);
