// @module-tag all-drift-is-shown
// @module-tag no-false-differences

import { expect, test } from "vitest";
import {
  aConfiguration,
  type aDatabase,
  aDatabaseNamed,
  aGroup,
  anApiToken,
  dbIdOf,
  idOf,
  TENANTS,
} from "./declarations";
import { databaseDeleted, databaseRestored, databaseRestorePlanned } from "./messages";
import { configurationOf, configure, groupNamed, organizationSlug } from "./outside";
import { type StoryScene, story } from "./story";

const groupName = "strange";

test(
  "shows all drift in a plain preview, and corrects it in one `up`, which sends each write once",
  story({
    before: {
      tenants: aGroup({ ...TENANTS, locations: ["aws-eu-west-1"], deleteProtection: false }),
      orders: aDatabaseNamed("orders", idOf("tenants")),
      lost: aDatabaseNamed("lost", idOf("tenants")),
      limits: aConfiguration({
        database: dbIdOf("orders"),
        sizeLimit: "256mb",
        allowAttach: true,
        blockReads: false,
        blockWrites: true,
        deleteProtection: false,
        allowedIps: ["10.0.0.0/8"],
      }),
      ci: anApiToken({ name: "ci", group: idOf("tenants"), scopes: ["read"] }),
    },
    async outside(scene) {
      const { here, firstId } = scene;
      const at = { organizationSlug, groupName };
      await here.outside.renameGroup({ organizationSlug, groupName: "tenants", body: { name: groupName } });
      await here.outside.addGroupLocation({ ...at, location: "aws-us-west-2" });
      await here.outside.updateGroupConfiguration({ ...at, body: { delete_protection: true } });
      await configure(scene, "orders", {
        size_limit: "1gb",
        allow_attach: false,
        block_reads: true,
        block_writes: false,
        delete_protection: true,
        allowed_ips: [],
        allowed_aws_vpc_ids: ["vpce-unmanaged"],
      });
      await here.deleteDatabase(firstId("lost"));
      await here.outside.revokeApiToken({ organizationSlug, tokenId: firstId("ci") });
    },
    expected: ({ firstId }) => ({
      changes: {
        tenants: "update deleteProtection locations name",
        lost: "update deletedAt",
        limits: "update allowAttach allowedIps blockReads blockWrites deleteProtection sizeLimit",
        ci: "create",
      },
      says: [databaseDeleted("lost"), /^API token "ci" no longer exists/],
      writes: {
        inAnyOrder: [
          "createApiToken",
          "removeGroupLocation",
          "renameGroup",
          "restoreDatabase",
          "updateDatabaseConfiguration",
          "updateGroupConfiguration",
        ],
      },
      databases: { orders: firstId("orders"), lost: firstId("lost") },
    }),
    preview: ({ firstId }) => ({ says: [databaseRestorePlanned("lost", firstId("lost"))] }),
    up: { says: [databaseRestored("lost")] },
    afterwards: async (scene) =>
      expect(await configurationOf(scene, "orders")).toMatchObject({
        block_writes: true,
        allowed_ips: ["10.0.0.0/8"],
        allowed_aws_vpc_ids: ["vpce-unmanaged"],
      }),
  }),
);

const inTwo = aGroup({ ...TENANTS, locations: ["aws-eu-west-1", "aws-us-east-1"] });

test(
  "corrects the locations of a group, leaves unmanaged settings alone, and resets those that are removed",
  story({
    before: { tenants: inTwo },
    async outside({ here: { outside } }) {
      const at = { organizationSlug, groupName: "tenants" };
      await outside.addGroupLocation({ ...at, location: "aws-us-west-2" });
      await outside.removeGroupLocation({ ...at, location: "aws-eu-west-1" });
      await outside.updateGroupConfiguration({ ...at, body: { delete_protection: true } });
    },
    expected: {
      changes: { tenants: "update locations" },
      writes: { inAnyOrder: ["addGroupLocation", "removeGroupLocation"] },
    },
    async afterwards(scene) {
      const group = await groupNamed(scene, "tenants");
      expect(group).toMatchObject({ delete_protection: true });
      expect(group?.locations?.toSorted()).toEqual(["aws-eu-west-1", "aws-us-east-1"]);
    },
    next: [
      { wished: {}, preview: false, up: { fails: "Set `deleteProtection: false`" } },
      {
        wished: { tenants: aGroup({ ...inTwo.args, deleteProtection: true }) },
        preview: false,
        up: { writes: [] },
      },
      {
        wished: { tenants: aGroup(TENANTS) },
        preview: false,
        up: { changes: { tenants: "update deleteProtection locations" } },
        afterwards: async (scene) =>
          expect(await groupNamed(scene, "tenants")).toMatchObject({
            locations: ["aws-us-east-1"],
            delete_protection: false,
          }),
      },
      { wished: {}, preview: false, up: { changes: { tenants: "delete" } } },
    ],
  }),
);

const configured = (limits: Parameters<typeof aDatabase>[0]) => ({
  orders: aDatabaseNamed("orders"),
  limits: aConfiguration({ database: dbIdOf("orders"), ...limits }),
});

const LEFT = { allowAttach: true, blockWrites: true, allowedAwsVpcIds: ["vpce-1"] };
const LIMITS = { ...LEFT, sizeLimit: "256mb", blockReads: true, deleteProtection: true };

test(
  "corrects every setting of a database with one request, resets those that are removed, and ignores the others",
  story({
    wished: configured({ ...LIMITS, allowedIps: ["10.0.0.0/8", "2001:DB8::1"] }),
    preview: false,
    up: { changes: { orders: "create", limits: "create" }, writes: ["createDatabase", "updateDatabaseConfiguration"] },
    next: [
      {
        wished: configured({
          ...LIMITS,
          sizeLimit: "268435456",
          allowedIps: ["2001:db8:0::1", "10.1.2.3/8", "2001:db8::1/128"],
        }),
        expected: {},
      },
      {
        outside: (scene: StoryScene) =>
          configure(scene, "orders", {
            size_limit: "1gb",
            allow_attach: false,
            block_reads: false,
            block_writes: false,
            delete_protection: false,
            allowed_ips: ["10.0.0.0/9"],
            allowed_aws_vpc_ids: [],
          }),
        expected: {
          changes: {
            limits: "update allowAttach allowedAwsVpcIds allowedIps blockReads blockWrites deleteProtection sizeLimit",
          },
          writes: ["updateDatabaseConfiguration"],
        },
      },
      {
        wished: configured({ ...LEFT, deleteProtection: false }),
        preview: false,
        up: { changes: { limits: "update allowedIps blockReads deleteProtection sizeLimit" } },
        afterwards: async (scene) =>
          expect(await configurationOf(scene, "orders")).toMatchObject({
            size_limit: "",
            block_reads: false,
            allowed_ips: [],
            block_writes: true,
          }),
      },
      { outside: (scene) => configure(scene, "orders", { block_reads: true }), expected: {} },
      {
        wished: {},
        preview: false,
        up: {
          changes: { orders: "delete", limits: "delete" },
          says: [/^If the database is retained, it keeps/],
          writes: ["deleteDatabaseById"],
        },
      },
    ],
  }),
);
