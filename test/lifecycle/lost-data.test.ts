// @module-tag no-database-is-lost
// @module-tag clear-messages

import { expect, test } from "vitest";
import { dataLost, otherOrganization } from "../../provider/messages";
import { engineFixture } from "../engine/engine-fixture";
import { fakeStack } from "../fake-engine/fake-engine";
import { type Exchange, faultyWire, type Trouble } from "../faulty-wire";
import { aDatabaseNamed } from "../stories/declarations";
import { programOf } from "./scenario-fixture";

const program = programOf({ orders: aDatabaseNamed("orders") });

const OTHER_ID = "0bca3e0a-2f5d-4c6b-8d1e-9f0a1b2c3d4e";

/**
 * Returns why a preview fails if the organization has another id than before.
 *
 * @param listed How the server answers which organizations it has.
 */
async function failureInOther(listed: "without the old one" | "with the old one" | "not at all") {
  const { api } = await engineFixture();
  const wire = await faultyWire(api.url);
  const stack = fakeStack({ api, baseUrl: wire.url });
  await stack.run(program, { preview: false });
  const { organizationId } = api;
  const withOtherId: Trouble = async ({ forward, send }) => {
    const { status, text } = await forward();
    send(status, text.replaceAll(organizationId, OTHER_ID));
  };
  const lists = {
    "without the old one": withOtherId,
    "with the old one": undefined,
    "not at all": ({ send }: Exchange) => send(404, "{}"),
  };
  wire.trouble = ({ path }) => (path.startsWith("/_reference/") ? lists[listed] : withOtherId);
  wire.requests.length = 0;
  const { failure = "" } = await stack.run(program, { preview: true });
  return { api, failure, baseUrl: wire.url, asked: wire.requests.map(({ operation }) => operation) };
}

test("explains that a reference API has lost its data, without asking for the object", async () => {
  const { api, failure, baseUrl, asked } = await failureInOther("without the old one");
  expect(failure).toContain(dataLost({ organizationId: api.organizationId, baseUrl, providerUrn: undefined }));
  expect(asked).not.toContain("retrieveDatabaseById");
});

test.each(["with the old one", "not at all"] as const)(
  "does not offer to forget resources of an organization if the server lists its organizations %s",
  async (listed) => {
    const { api, failure } = await failureInOther(listed);
    const configured = { slug: api.organization, id: OTHER_ID };
    const { answer } = otherOrganization({ organizationId: api.organizationId, configured, isRecorded: true });
    expect(failure).toContain(answer);
  },
);
