// @module-tag more
// @module-tag all-drift-is-shown
// @module-tag no-false-differences

import * as pulumi from "@pulumi/pulumi";
import * as dbplatform from "pulumi-dbplatform";
import { expect, test } from "vitest";
import { argumentMissing, LIMIT_TOO_LOW } from "../../provider/functions/messages";
import { availableGroups, groupNotFound } from "../../provider/resources/group/messages";
import { engineFixture } from "./engine-fixture";
import { operationsOf } from "./journal";

test("calls every function in previews and updates, even before the requested resources exist", async () => {
  const here = await engineFixture();
  const { api, outside } = here;
  const orders = await here.createDatabase("orders");
  const lost = await here.createDatabase("lost", "other");
  await here.deleteDatabase(lost);
  const { group } = await outside.createGroup({
    organizationSlug: api.organization,
    body: { name: "gone", location: "aws-us-east-1" },
  });
  await outside.deleteGroup({ organizationSlug: api.organization, groupName: "gone" });
  here.takeWrites();

  const refused: string[] = [];
  const plain: Record<string, unknown>[] = [];
  const stack = await here.stack(async () => {
    const { databases: deleted } = await dbplatform.getDeletedDatabases();
    plain.push({
      organization: (await dbplatform.getOrganization()).id,
      locations: (await dbplatform.getLocations()).locations.map(({ code }) => code),
      group: (await dbplatform.getGroup({ name: "default" })).location,
      groups: (await dbplatform.getGroups({ limit: 1 })).truncated,
      database: (await dbplatform.getDatabase({ name: "orders" })).dbId,
      databases: (await dbplatform.getDatabases({ group: "default" })).databases.map(({ dbId }) => dbId),
      configuration: (await dbplatform.getDatabaseConfiguration({ dbId: orders })).blockReads,
      deleted: deleted.map(({ dbId, secondsLeft }) => secondsLeft > 0 && dbId),
      deletedGroups: (await dbplatform.getDeletedGroups()).groups.map(({ uuid }) => uuid),
      tokens: (await dbplatform.getApiTokens()).tokens.length > 0,
      members: (await dbplatform.getMembers()).members.map(({ role }) => role),
      invites: (await dbplatform.getInvites()).invites,
      audited: (await dbplatform.getAuditLogs({ code: "group-delete" })).entries.map(({ code }) => code),
      instances: (await dbplatform.getInstances({ name: "orders" })).instances.map(({ type }) => type),
      databaseUsage: (await dbplatform.getDatabaseUsage({ dbId: orders })).storageBytes > 0,
      groupUsage: (await dbplatform.getGroupUsage({ name: "default" })).databases.map(({ dbId }) => dbId),
      organizationUsage: (await dbplatform.getOrganizationUsage()).databases.map(({ dbId }) => dbId),
    });

    const refusals = [
      dbplatform.getGroup({ name: "nowhere" }),
      dbplatform.getDatabase({}),
      dbplatform.getGroups({ limit: 0 }),
    ];
    refused.push(...(await Promise.all(refusals.map((asked) => asked.then(String, String)))));

    const made = new dbplatform.Group("made", { name: "made", location: "aws-us-east-1" });
    const { dbId, name } = new dbplatform.Database("made", { name: "made", group: made.id });
    return {
      organization: dbplatform.getOrganizationOutput().slug,
      locations: dbplatform.getLocationsOutput().locations.length,
      group: dbplatform.getGroupOutput({ uuid: made.id }).name,
      groups: dbplatform
        .getGroupsOutput({}, { dependsOn: made })
        .groups.apply((groups) => groups.map(({ name }) => name)),
      database: dbplatform.getDatabaseOutput({ dbId }).name,
      // The preview predicts the function's result, although the database does not exist yet.
      named: dbplatform.getDatabaseOutput({ name }).name,
      databases: dbplatform.getDatabasesOutput({ group: made.id }, { dependsOn: [made] }).truncated,
      configuration: dbplatform.getDatabaseConfigurationOutput({ dbId }).sizeLimit,
      deleted: dbplatform
        .getDeletedDatabasesOutput({ search: pulumi.output("lo") })
        .databases.apply(([first]) => first?.name),
      deletedGroups: dbplatform.getDeletedGroupsOutput().groups.apply(([first]) => first?.name),
      tokens: dbplatform.getApiTokensOutput({ limit: 1 }).truncated,
      members: dbplatform.getMembersOutput({ limit: 1 }).truncated,
      invites: dbplatform.getInvitesOutput().truncated,
      audited: dbplatform
        .getAuditLogsOutput({ limit: 1 }, { dependsOn: made })
        .entries.apply(([latest]) => latest?.code),
      instances: dbplatform.getInstancesOutput({ dbId }).instances.apply(([first]) => first?.location),
      databaseUsage: dbplatform.getDatabaseUsageOutput({ dbId }).storageBytes,
      groupUsage: dbplatform
        .getGroupUsageOutput({ uuid: made.id }, { dependsOn: made })
        .databases.apply((databases) => databases.length),
      organizationUsage: dbplatform.getOrganizationUsageOutput().groupCount,
    };
  });

  expect(await stack.preview()).toMatchObject({ code: 0 });
  expect(here.takeWrites()).toEqual([]);
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(here.takeWrites()).toEqual(["createGroup", "createDatabase"]);
  expect(plain[0]).toEqual({
    organization: api.organizationId,
    locations: expect.arrayContaining(["aws-us-east-1", "aws-eu-west-1"]),
    group: "aws-us-east-1",
    groups: true,
    database: orders,
    databases: [orders],
    configuration: false,
    deleted: [lost],
    deletedGroups: [group.uuid],
    tokens: true,
    members: ["owner", "member"],
    invites: [],
    audited: ["group-delete"],
    instances: ["primary"],
    databaseUsage: true,
    groupUsage: [orders],
    organizationUsage: [orders],
  });
  expect(plain.at(-1)).toEqual(plain[0]);
  expect(refused.slice(0, 3)).toEqual([
    expect.stringContaining(
      `${groupNotFound({ wanted: "nowhere", organization: "acme" })}. ${availableGroups({ known: ["default", "other"] })}`,
    ),
    expect.stringContaining(`${argumentMissing({ other: "dbId" })} (name)`),
    expect.stringContaining(`${LIMIT_TOO_LOW} (limit)`),
  ]);
  expect(await stack.outputs()).toMatchObject({
    organization: "acme",
    group: "made",
    groups: ["default", "made", "other"],
    database: "made",
    named: "made",
    configuration: "",
    deleted: "lost",
    deletedGroups: "gone",
    audited: expect.stringMatching(/-create$/),
    instances: "aws-us-east-1",
    databaseUsage: 4096,
    organizationUsage: expect.any(Number),
  });
  expect(stack.filesWith(api.apiToken)).toEqual([]);
});

test("lists members and invites once for the resources, and once for a function", async () => {
  const here = await engineFixture();
  const requests = operationsOf(here.api);
  const stack = await here.stack(async () => {
    new dbplatform.Member("zoe", { username: "zoe", role: "viewer" });
    new dbplatform.Invite("lea", { email: "lea@acme.example", role: "viewer" });
    await dbplatform.getMembers();
    await dbplatform.getInvites();
  });
  expect(await stack.up()).toMatchObject({ code: 0 });
  requests();
  const preview = await stack.preview({ expectNoChanges: true });
  expect(preview, preview.output).toMatchObject({ code: 0 });
  expect(requests().sort()).toEqual([
    "listInvites",
    "listInvites",
    "listMembers",
    "listMembers",
    "retrieveOrganization",
  ]);
});
