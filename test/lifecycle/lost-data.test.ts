// @module-tag no-database-is-lost
// @module-tag clear-messages

import { expect, test } from "vitest";
import { read } from "../../kit/steps/read";
import { dataLost, otherOrganization } from "../../provider/messages";
import { database } from "../../provider/resources/database/database";
import { type LifecycleFixture, lifecycleFixture } from "./lifecycle-fixture";

const LOST = "0bca3e0a-2f5d-4c6b-8d1e-9f0a1b2c3d4e";
const DB = "71a550de-5a90-4ab1-9a3e-1c2d3e4f5a6b";

const readIn = (organizationId: string, { context }: Pick<LifecycleFixture, "context">): Promise<string> =>
  read(database, { id: DB, inputs: {}, state: { dbId: DB, organizationId } }, context).then(
    () => "",
    ({ message }) => message,
  );

test("explains that a reference API has lost its data, without asking for the object", async () => {
  const here = await lifecycleFixture();
  expect(await readIn(LOST, here)).toBe(
    dataLost({ organizationId: LOST, baseUrl: here.api.url, providerUrn: undefined }),
  );
  expect(here.asked()).not.toContain("retrieveDatabaseById");
});

test("does not offer to forget resources of an organization that may still exist", async () => {
  const here = await lifecycleFixture();
  const globex = await here.api.token({ organization: "globex" });
  const elsewhere = here.again({}, { organization: "globex", apiToken: globex });
  const globexId = await elsewhere.platform.platform.organization.id();
  const { answer } = otherOrganization({
    organizationId: here.api.organizationId,
    configured: { slug: "globex", id: globexId },
    isRecorded: true,
  });
  expect(await readIn(here.api.organizationId, { context: elsewhere })).toContain(answer);

  const closed = await lifecycleFixture({}, { control: false });
  const { organization: slug, organizationId: id } = closed.api;
  expect(await readIn(LOST, closed)).toContain(
    otherOrganization({ organizationId: LOST, configured: { slug, id }, isRecorded: true }).answer,
  );
});
