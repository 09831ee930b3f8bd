// @module-tag no-database-is-lost
// @module-tag clear-messages

import { test } from "vitest";
import { nameInUseElsewhere } from "../../kit/lifecycle/taken/messages";
import { referenceToDeleted } from "../../provider/resources/database/messages";
import { availableGroups, groupNotFound, locationUnknown } from "../../provider/resources/group/messages";
import { aConfiguration, aDatabaseToken, aGroup, aRotation, inGroup, TENANTS } from "../stories/declarations";
import { story } from "../stories/story";

const unknownLocation = locationUnknown({ location: "mars", known: ["aws-ap-northeast-1", ""] });

test(
  "refuses locations and groups that do not exist, and a name in use, with what to write",
  story({
    async past({ here, facts }) {
      facts.orders = await here.database("orders");
    },
    wished: { tenants: aGroup({ ...TENANTS, location: "mars" }) },
    expected: { fails: unknownLocation },
    next: [
      { wished: { tenants: aGroup({ ...TENANTS, locations: ["mars"] }) }, expected: { fails: unknownLocation } },
      {
        wished: { stock: inGroup("stock", "defualt") },
        expected: {
          fails: `${groupNotFound({ wanted: "defualt", organization: "acme" })}. ${availableGroups({ known: ["default", "other"] })}`,
        },
      },
      {
        wished: { orders: inGroup("orders") },
        expected: ({ fact }) => {
          const taken = { kind: "database", name: "orders", id: fact("orders") };
          return { fails: nameInUseElsewhere({ ...taken, isStackRead: true }).advice };
        },
      },
    ],
  }),
);

test.each([
  ["configuration", aConfiguration, { blockWrites: true }],
  ["database token", aDatabaseToken, {}],
  ["rotation", aRotation, { triggers: { first: "1" } }],
])("refuses a %s for a deleted database, which `pulumi up` restores", (_, declare, args) =>
  story({
    before: { orders: inGroup("orders") },
    outside: ({ here, id }) => here.delete(id("orders")),
    wished: ({ id }) => ({ early: declare({ ...args, database: id("orders") }), orders: inGroup("orders") }),
    preview: ({ id }) => ({ fails: referenceToDeleted({ id: id("orders"), deletion: "", isInStack: true }) }),
    up: false,
  })(),
);
