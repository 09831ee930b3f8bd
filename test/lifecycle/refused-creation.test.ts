// @module-tag no-database-is-lost
// @module-tag clear-messages

import { describe, expect, test } from "vitest";
import type { AnyResource } from "../../kit/definition";
import type { Properties } from "../../kit/lifecycle/properties";
import { nameInUseElsewhere } from "../../kit/lifecycle/taken/messages";
import { Refusal } from "../../kit/refusal";
import { create } from "../../kit/steps/create";
import { remove } from "../../kit/steps/delete";
import { planCreate } from "../../kit/steps/plan";
import { readManaged } from "../../kit/steps/read";
import {
  failedResponse,
  inaccessibleOrganization,
  organizationIdMismatch,
  organizationIdUnconfirmed,
} from "../../provider/client/messages";
import { organizationTokenNeeded } from "../../provider/permissions/messages";
import { database } from "../../provider/resources/database/database";
import { databaseConfiguration } from "../../provider/resources/database/database-configuration";
import { referenceToDeleted } from "../../provider/resources/database/messages";
import { group } from "../../provider/resources/group/group";
import { availableGroups, groupNotFound, locationUnknown } from "../../provider/resources/group/messages";
import { apiToken } from "../../provider/resources/token/api-token";
import { databaseToken } from "../../provider/resources/token/database-token";
import { signingKeyRotation } from "../../provider/resources/token/signing-key-rotation";
import { clientOf } from "../engine/engine-fixture";
import { type LifecycleFixture, lifecycleFixture } from "./lifecycle-fixture";

const organizationSlug = "acme";
const outside = ({ api }: LifecycleFixture) => clientOf(api, api.apiToken);
const groupNamed = async (here: LifecycleFixture, name: string) => {
  const { groups } = await outside(here).listGroups({ organizationSlug });
  return groups.find((record) => record.name === name)?.uuid ?? "";
};

const NEW: [resource: AnyResource, args: Properties][] = [
  [database, { name: "orders", group: "default" }],
  [group, { name: "tenants", location: "aws-us-east-1" }],
  [apiToken, { name: "ci" }],
];

const writes = ({ api }: LifecycleFixture) =>
  api
    .journal()
    .filter(({ method, status }) => method !== "GET" && status === 200)
    .map(({ operation }) => operation);

/** Returns a context whose API token can access only the group "default". */
async function pinned(here: LifecycleFixture, scopes = ["full-access"], organizationId = here.api.organizationId) {
  const token = await here.api.token({ organization: "acme", group: "default", scopes });
  return here.again({}, { apiToken: token, organizationId });
}

test.each(NEW)(
  "explains why a $type cannot be created in an organization that the credential cannot access",
  async (resource, args) => {
    const here = await lifecycleFixture();
    const { answer, advice } = inaccessibleOrganization({
      organization: "acmee",
      response: failedResponse({ status: 404, error: "organization not found" }),
    });
    await expect(create(resource, args, here.again({}, { organization: "acmee" }))).rejects.toThrow(
      `${answer}. ${advice}`,
    );
    expect(writes(here)).toEqual([]);
  },
);

describe("a group-scoped token", () => {
  test("cannot create a group or manage API tokens, and the error message explains why", async () => {
    const here = await lifecycleFixture();
    const { id, state } = await create(apiToken, { name: "ci" }, here.context);
    const context = await pinned(here);
    const groupId = await groupNamed(here, "default");
    const before = writes(here);
    for (const [work, what] of [
      [
        () => create(group, { name: "tenants", location: "aws-us-east-1" }, context),
        organizationTokenNeeded({ action: "create groups", pinnedTo: groupId }),
      ],
      [
        () => create(apiToken, { name: "other" }, context),
        organizationTokenNeeded({ action: "create API tokens", pinnedTo: groupId }),
      ],
      [
        () => create(apiToken, { name: "other", group: "default", scopes: ["read"] }, context),
        organizationTokenNeeded({ action: "create API tokens", pinnedTo: groupId }),
      ],
      [
        () => readManaged(apiToken, { id, inputs: { name: "ci" }, state }, context),
        organizationTokenNeeded({ action: "list API tokens", pinnedTo: groupId }),
      ],
      [
        () => remove(apiToken, { id, state }, context),
        organizationTokenNeeded({ action: "revoke API tokens", pinnedTo: groupId }),
      ],
    ] as const)
      await expect(work()).rejects.toThrow(what);
    expect(writes(here)).toEqual(before);
  });

  test("cannot delete its group, and the error message explains why", async () => {
    const here = await lifecycleFixture();
    const made = await create(group, { name: "tenants", location: "aws-us-east-1" }, here.context);
    const token = await here.api.token({ organization: "acme", group: "tenants", scopes: ["full-access"] });
    const context = here.again({}, { apiToken: token, organizationId: here.api.organizationId });
    await expect(remove(group, made, context)).rejects.toThrow(
      organizationTokenNeeded({ action: "delete groups", pinnedTo: made.id }),
    );
  });

  test("gets an error that asks for an organization-level token if no organization UUID is configured", async () => {
    const here = await lifecycleFixture();
    const groupId = await groupNamed(here, "default");
    const context = here.again({}, { apiToken: await here.api.token({ group: "default", scopes: ["read"] }) });
    const work = create(group, { name: "tenants", location: "aws-us-east-1" }, context);
    await expect(work).rejects.toThrow(organizationTokenNeeded({ action: "create groups", pinnedTo: groupId }));
  });

  test("is refused if `organizationId` belongs to another organization, before anything is created", async () => {
    const here = await lifecycleFixture();
    const elsewhere = clientOf(here.api, await here.api.token({ organization: "globex" }));
    const { id: other } = (await elsewhere.retrieveOrganization({ organizationSlug: "globex" })).organization;
    const context = await pinned(here, ["full-access"], other);
    await expect(create(database, { name: "orders", group: "default" }, context)).rejects.toThrow(
      organizationIdUnconfirmed({ organization: "acme", organizationId: other }).answer,
    );
    expect(writes(here)).toEqual([]);
  });

  test("does not need the scope `read` if the organization's UUID is configured", async () => {
    const here = await lifecycleFixture();
    const context = await pinned(here, ["db:create"]);
    await expect(context.platform.platform.organization.id()).resolves.toBe(here.api.organizationId);
  });
});

test("rejects an `organizationId` that belongs to another organization, and shows both UUIDs", async () => {
  const here = await lifecycleFixture();
  const wrong = "00000000-0000-4000-8000-000000000000";
  const context = here.again({}, { organizationId: wrong });
  await expect(create(database, { name: "orders", group: "default" }, context)).rejects.toThrow(
    organizationIdMismatch({ organization: "acme", organizationId: wrong, actualId: here.api.organizationId }).answer,
  );
  expect(writes(here)).toEqual([]);
  const right = here.again({}, { organizationId: here.api.organizationId });
  await create(database, { name: "orders", group: "default" }, right);
});

test("rejects a group in an unknown location, and lists the available locations", async () => {
  const here = await lifecycleFixture();
  const wanted = { name: "tenants", location: "mars" };
  await expect(create(group, wanted, here.context)).rejects.toThrow(
    failedResponse({
      status: 400,
      error: `invalid location: mars: ${locationUnknown({ location: "mars", known: ["aws-ap-northeast-1", ""] })}`,
    }),
  );
  expect(await groupNamed(here, "tenants")).toBe("");
});

test("rejects a group with an unknown additional location, and lists the available locations", async () => {
  const here = await lifecycleFixture();
  const wanted = { name: "tenants", location: "aws-us-east-1", locations: ["mars"] };
  await expect(create(group, wanted, here.context)).rejects.toThrow(
    locationUnknown({ location: "mars", known: ["aws-ap-northeast-1", ""] }),
  );
});

test("rejects a database in an unknown group, and lists the available groups", async () => {
  const here = await lifecycleFixture();
  const refused = await create(database, { name: "orders", group: "defualt" }, here.context).catch((thrown) => thrown);
  expect(refused.message).toBe(
    `${groupNotFound({ wanted: "defualt", organization: "acme" })}. ${availableGroups({ known: ["default", "other"] })}`,
  );
});

test("rejects a taken name, and prints the alias, the import line and the other options", async () => {
  const here = await lifecycleFixture();
  const { id } = await create(database, { name: "orders", group: "default" }, here.context);
  const refused = await create(database, { name: "orders", group: "default" }, here.again()).catch((thrown) => thrown);
  expect(refused.message).toContain(
    new Refusal("conflict", nameInUseElsewhere({ kind: "database", name: "orders", id, isStackRead: false })).message,
  );
});

test.each([
  [databaseConfiguration, { blockWrites: true }],
  [databaseToken, {}],
  [signingKeyRotation, { triggers: { first: "1" } }],
])("refuses a $type for a deleted database, and prints the import that restores it", async (resource, given) => {
  const here = await lifecycleFixture();
  const { id: dbId, state } = await create(database, { name: "orders", group: "default" }, here.context);
  await remove(database, { id: dbId, state }, here.again());
  const args = { ...given, database: dbId };
  const advice = referenceToDeleted({ id: dbId, deletion: "", isInStack: false });
  await expect(planCreate(resource, args, here.again())).rejects.toThrow(advice);
  await expect(create(resource, args, here.again())).rejects.toThrow(advice);
  const inStack = here.again();
  inStack.run.note({ step: "read", resource: database, urn: "urn of the database", id: dbId, inputs: {}, state: {} });
  await expect(planCreate(resource, args, inStack)).rejects.toThrow(
    referenceToDeleted({ id: dbId, deletion: "", isInStack: true }),
  );
});
