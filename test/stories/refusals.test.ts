// @module-tag no-database-is-lost
// @module-tag previews-are-true
// @module-tag clear-messages

import { test } from "vitest";
import { nameInUseElsewhere } from "../../kit/lifecycle/taken/messages";
import { referenceToDeleted } from "../../provider/resources/database/messages";
import { availableGroups, groupNotFound, locationUnknown } from "../../provider/resources/group/messages";
import {
  aConfiguration,
  aDatabaseNamed,
  aDatabaseToken,
  aGroup,
  anApiToken,
  aRotation,
  TENANTS,
  tenants,
} from "./declarations";
import { groupNamed } from "./outside";
import { type StoryScene, story } from "./story";

const unknownLocation = (location: string) => ({
  fails: locationUnknown({ location, known: ["aws-ap-northeast-1", ""] }),
});
const taken = (kind: string, name: string, id: string) => {
  const { answer, advice } = nameInUseElsewhere({ kind, name, id, isStackRead: true });
  return { fails: `${answer}. ${advice}` };
};

test(
  "refuses unknown locations and groups, names in use and an invalid token",
  story({
    async past(scene) {
      scene.facts.orders = await scene.here.createDatabase("orders");
      scene.facts.other = (await groupNamed(scene, "other"))?.uuid ?? "";
    },
    wished: { tenants: aGroup({ ...TENANTS, location: "aws-nowhere-1" }) },
    expected: unknownLocation("aws-nowhere-1"),
    next: [
      {
        wished: { tenants: aGroup({ ...TENANTS, locations: ["aws-nowhere-2"] }) },
        expected: unknownLocation("aws-nowhere-2"),
      },
      {
        wished: { tenants: aGroup({ ...TENANTS, name: "other" }) },
        preview: ({ fact }) => taken("group", "other", fact("other")),
        up: false,
      },
      {
        wished: { orders: aDatabaseNamed("orders") },
        expected: ({ fact }) => taken("database", "orders", fact("orders")),
      },
      {
        wished: { stock: aDatabaseNamed("stock", "defualt") },
        expected: {
          fails: `${groupNotFound({ wanted: "defualt", organization: "acme" })}. ${availableGroups({ known: ["default", "other"] })}`,
        },
      },
      {
        outside: ({ stack }) => stack.useToken("no-token"),
        wished: { tenants, ci: anApiToken({ name: "ci" }) },
        preview: { fails: "401" },
        up: false,
      },
      {
        outside: ({ here, stack }) => stack.useToken(here.api.apiToken),
        expected: { changes: { tenants: "create", ci: "create" } },
      },
      {
        wished: { tenants: aGroup({ ...TENANTS, locations: ["aws-nowhere-3"] }), ci: anApiToken({ name: "ci" }) },
        preview: unknownLocation("aws-nowhere-3"),
        up: false,
      },
    ],
  }),
);

const same = { fails: /urn:\S+::(one|two) .*the same/ };

test(
  "refuses two databases of one name, and two configurations of one database",
  story({
    async past({ here, facts }) {
      facts.there = await here.createDatabase("there");
    },
    wished: { one: aDatabaseNamed("same"), two: aDatabaseNamed("same") },
    preview: same,
    up: false,
    next: [
      {
        wished: ({ fact }: StoryScene) => ({
          one: aConfiguration({ database: fact("there"), blockReads: true }),
          two: aConfiguration({ database: fact("there").toUpperCase(), blockWrites: true }),
        }),
        preview: same,
        up: false,
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
    before: { orders: aDatabaseNamed("orders") },
    outside: ({ here, firstId }) => here.deleteDatabase(firstId("orders")),
    wished: ({ firstId }) => ({
      early: declare({ ...args, database: firstId("orders") }),
      orders: { ...aDatabaseNamed("orders"), dependsOn: "early" },
    }),
    preview: ({ firstId }) => ({ fails: referenceToDeleted({ id: firstId("orders"), deletion: "", isInStack: true }) }),
    up: false,
  })(),
);
