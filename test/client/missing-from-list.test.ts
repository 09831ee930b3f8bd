import { expect, test } from "vitest";
import type { AnyResource } from "../../kit/definition";
import { database } from "../../provider/resources/database/database";
import { group } from "../../provider/resources/group/group";
import { invite } from "../../provider/resources/organization/invite";
import { member } from "../../provider/resources/organization/member";
import { apiToken } from "../../provider/resources/token/api-token";
import { clientOf } from "../engine/engine-fixture";
import { lifecycleFixture } from "../lifecycle/lifecycle-fixture";

const organizationSlug = "acme";
const UNKNOWN = "00000000-0000-4000-8000-000000000000";

interface Created {
  readonly resource: AnyResource;
  /** Creates an object outside Pulumi, and returns its id. */
  create(outside: ReturnType<typeof clientOf>): Promise<string>;
}

test.each<Created>([
  {
    resource: group,
    create: async (outside) =>
      (await outside.createGroup({ organizationSlug, body: { name: "tenants", location: "aws-us-east-1" } })).group
        .uuid,
  },
  {
    resource: database,
    create: async (outside) =>
      (await outside.createDatabase({ organizationSlug, body: { name: "orders", group: "default" } })).database.DbId,
  },
  {
    resource: apiToken,
    create: async (outside) =>
      (await outside.createApiToken({ tokenName: "pipeline", body: { organization: organizationSlug } })).id,
  },
  {
    resource: member,
    create: async (outside) =>
      (await outside.addMember({ organizationSlug, body: { username: "zoe", role: "viewer" } })).member,
  },
  {
    resource: invite,
    create: async (outside) =>
      (await outside.createInvite({ organizationSlug, body: { email: "lea@example.com", role: "viewer" } })).invited
        .email,
  },
])("requests what a cached list lacks, before it counts as absent ($resource.type)", async ({ resource, create }) => {
  const { api, context } = await lifecycleFixture();
  const read = (id: string) => resource.read(id, context.platform, { maxAge: "seconds" });
  expect(await read(UNKNOWN)).toMatchObject({ status: "absent" });
  expect(await read(await create(clientOf(api, api.apiToken)))).toMatchObject({ status: "live" });
});
