// @module-tag previews-are-true

import { test } from "vitest";
import { configurationOfRetained } from "../../provider/resources/database/messages";
import { locationUnknown } from "../../provider/resources/group/messages";
import { databaseInGroupProtected, OBJECT_PROTECTED } from "../../provider/resources/messages";
import { aConfiguration, aDatabase, aDatabaseNamed, aGroup, dbIdOf, idOf, TENANTS } from "./declarations";
import { configure } from "./outside";
import { story } from "./story";

test(
  "does not call the replacement of a protected database empty if it has a seed, and says first how to keep the database",
  story({
    before: { orders: aDatabaseNamed("orders") },
    outside: (scene) => configure(scene, "orders", { delete_protection: true }),
    wished: { orders: aDatabase({ name: "orders", group: "other", seed: { dumpUrl: "https://x/y" } }) },
    expected: {
      fails: [OBJECT_PROTECTED, /undo the change.*deleteProtection: false/s, /^(?!.*new, empty database)/s],
    },
  }),
);

const withInside = (location: string) => ({
  tenants: aGroup({ ...TENANTS, location, forceDestroy: true }),
  inside: aDatabaseNamed("inside", idOf("tenants")),
});

test(
  "reports a mistyped location as such, and only then the protected database in the group",
  story({
    before: withInside("aws-us-east-1"),
    outside: (scene) => configure(scene, "inside", { delete_protection: true }),
    wished: withInside("eu-west-1"),
    expected: { fails: locationUnknown({ location: "eu-west-1", known: [] }) },
    next: [
      {
        wished: withInside("aws-eu-west-1"),
        expected: ({ firstId }) => ({
          fails: databaseInGroupProtected({ protectedDatabase: { name: "inside", id: firstId("inside") } }),
        }),
      },
    ],
  }),
);

test(
  "says of the configuration of a replaced database only what holds if the database is retained",
  story({
    before: {
      orders: aDatabaseNamed("orders"),
      limits: aConfiguration({ database: dbIdOf("orders"), sizeLimit: "2gb" }),
    },
    wished: { orders: aDatabaseNamed("catalogue") },
    expected: { changes: { orders: "replace name", limits: "delete" }, says: [/without its data/] },
    up: { says: [configurationOfRetained({ assignments: ['sizeLimit: "2gb"'] })] },
  }),
);
