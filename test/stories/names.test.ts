// @module-tag no-database-is-lost

import { test } from "vitest";
import { emptyDespiteDeleted } from "../../kit/lifecycle/taken/messages";
import { groupNamePlanned, groupNameReused, groupRestoredToo } from "../../provider/resources/database/messages";
import { aConfiguration, aDatabase, aGroup, dbIdOf, idOf, inGroup, TENANTS, tenants } from "./declarations";
import {
  createGroup,
  deleteGroup,
  groupWillBeRestored,
  isDeleted,
  isGroupDeleted,
  isGroupRestored,
  isRestored,
  RESTORABLE,
  willBeRestored,
} from "./outside";
import { NOON, type StoryScene, story } from "./story";

type Kind = "database" | "group";
type Remedy = Parameters<typeof emptyDespiteDeleted>[0]["remedy"];

const empty = (kind: Kind, name: string, id: string, remedy: Remedy = "importHere"): string =>
  emptyDespiteDeleted({ kind, name, deleted: { id, deletedAt: NOON, restorable: RESTORABLE }, remedy });

/** Creates a group with a database, and deletes both. */
async function deletedTenants(scene: StoryScene): Promise<void> {
  const { here, facts } = scene;
  facts.tenants = await createGroup(scene, "tenants");
  facts.inside = await here.database("inside", "tenants");
  await deleteGroup(scene, "tenants");
}

test(
  "warns once when a new resource takes the name of a deleted database or group",
  story({
    async past(scene) {
      scene.facts.orders = await scene.here.database("orders");
      await scene.here.delete(scene.fact("orders"));
      scene.facts.tenants = await createGroup(scene, "tenants");
      await deleteGroup(scene, "tenants");
    },
    wished: { orders: inGroup("orders"), tenants, unrelated: aDatabase({ group: "default" }) },
    expected: { changes: { orders: "create", tenants: "create", unrelated: "create" } },
    preview: ({ fact }) => ({
      says: [empty("database", "orders", fact("orders")), empty("group", "tenants", fact("tenants"))],
    }),
    up: ({ fact }) => ({
      says: [
        empty("database", "orders", fact("orders"), "importElsewhere"),
        empty("group", "tenants", fact("tenants"), "renameFirst"),
      ],
    }),
  }),
);

test(
  "prints steps that restore a deleted group whose name is in use again",
  story({
    past: deletedTenants,
    wished: { tenants },
    expected: { changes: { tenants: "create" } },
    preview: ({ fact }) => ({ says: [empty("group", "tenants", fact("tenants"))] }),
    up: ({ fact }) => ({ says: [empty("group", "tenants", fact("tenants"), "renameFirst")] }),
    next: [
      {
        wished: ({ fact }) => ({
          tenants: aGroup({ ...TENANTS, name: "tenants-new" }),
          old: aGroup(TENANTS, { import: fact("tenants"), after: "tenants" }),
        }),
        expected: ({ fact }) => ({
          changes: { tenants: "update name", old: "import update deletedAt" },
          says: [isGroupDeleted("tenants", { inside: fact("inside") }, { by: "nobody" })],
          databases: { inside: fact("inside") },
        }),
        preview: ({ fact }) => ({ says: [groupWillBeRestored("tenants", fact("tenants"))] }),
        up: { says: [isGroupRestored("tenants")] },
      },
    ],
  }),
);

/** The new group is the first one that the stack manages under this name. */
const nameReused = ({ fact, id }: StoryScene): string =>
  groupNameReused({ groupName: "tenants", groupId: fact("tenants"), successor: id("tenants") });

const urn = "urn:pulumi:dev::test::dbplatform:index:Group::tenants";

test(
  "refuses to import a database if a new group takes the name of its deleted group",
  story({
    past: deletedTenants,
    wished: ({ fact }) => ({
      tenants,
      inside: aDatabase({ name: "inside", group: idOf("tenants") }, { import: fact("inside") }),
    }),
    preview: ({ fact }) => ({
      fails: groupNamePlanned({ groupName: "tenants", groupId: fact("tenants"), urn, isInStack: false }),
    }),
    up: (scene) => ({ fails: nameReused(scene), writes: ["createGroup"] }),
    next: [
      { preview: (scene) => ({ fails: nameReused(scene) }), up: false },
      {
        wished: ({ fact }) => ({
          tenants: aGroup({ ...TENANTS, name: "tenants-new" }),
          inside: aDatabase({ name: "inside", group: fact("tenants") }, { import: fact("inside"), after: "tenants" }),
        }),
        expected: ({ fact }) => ({
          changes: { tenants: "update name", inside: "update deletedAt" },
          says: [isDeleted("inside", { withGroup: true })],
          databases: { inside: fact("inside") },
        }),
        preview: ({ fact }) => ({
          says: [
            willBeRestored("inside", fact("inside")),
            groupRestoredToo({ groupName: "tenants", groupId: fact("tenants"), isInStack: false }),
          ],
        }),
        up: { says: [isRestored("inside")] },
      },
    ],
  }),
);

test(
  "warns about each database that is created again after an incomplete `destroy`",
  story({
    before: {
      kept: inGroup("kept"),
      protection: aConfiguration({ database: dbIdOf("kept"), deleteProtection: true }),
      one: inGroup("one"),
      two: inGroup("two"),
    },
    wished: {},
    preview: false,
    up: ({ id }) => ({
      fails: /delete-protected/,
      writes: ["deleteDatabaseById", "deleteDatabaseById"],
      databases: { kept: id("kept") },
    }),
    next: [
      {
        wished: {
          kept: inGroup("kept"),
          protection: aConfiguration({ database: dbIdOf("kept"), deleteProtection: true }),
          one: inGroup("one"),
          two: inGroup("two"),
        },
        expected: { changes: { protection: "create", one: "create", two: "create" } },
        preview: ({ id }) => ({ says: ["one", "two"].map((name) => empty("database", name, id(name))) }),
        up: ({ id }) => ({ says: ["one", "two"].map((name) => empty("database", name, id(name), "importElsewhere")) }),
      },
    ],
  }),
);
