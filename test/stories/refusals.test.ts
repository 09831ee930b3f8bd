// @module-tag previews-are-true
// @module-tag clear-messages

import { test } from "vitest";
import { nameInUseElsewhere } from "../../kit/lifecycle/taken/messages";
import { locationUnknown } from "../../provider/resources/group/messages";
import { aConfiguration, aGroup, anApiToken, inGroup, TENANTS, tenants } from "./declarations";
import { groupNamed } from "./outside";
import { type StoryScene, story } from "./story";

const unknownLocation = (location: string) => ({ fails: locationUnknown({ location, known: [] }) });
const taken = (kind: string, name: string, id: string) => ({
  fails: nameInUseElsewhere({ kind, name, id, isStackRead: true }).answer,
});

test(
  "refuses unknown locations, names in use and an invalid token in the preview",
  story({
    async past(scene) {
      scene.facts.orders = await scene.here.database("orders");
      scene.facts.other = (await groupNamed(scene, "other"))?.uuid ?? "";
    },
    wished: { tenants: aGroup({ ...TENANTS, location: "aws-nowhere-1" }) },
    preview: unknownLocation("aws-nowhere-1"),
    up: false,
    next: [
      {
        wished: { tenants: aGroup({ ...TENANTS, locations: ["aws-nowhere-2"] }) },
        preview: unknownLocation("aws-nowhere-2"),
        up: false,
      },
      {
        wished: { tenants: aGroup({ ...TENANTS, name: "other" }) },
        preview: ({ fact }) => taken("group", "other", fact("other")),
        up: false,
      },
      {
        wished: { orders: inGroup("orders") },
        preview: ({ fact }) => taken("database", "orders", fact("orders")),
        up: false,
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
      facts.there = await here.database("there");
    },
    wished: { one: inGroup("same"), two: inGroup("same") },
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
