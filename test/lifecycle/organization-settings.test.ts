// @module-tag failures-and-interruptions

import { expect, test } from "vitest";
import { engineFixture } from "../engine/engine-fixture";
import { fakeStack } from "../fake-engine/fake-engine";
import { faultyWire } from "../faulty-wire";
import { organizationSettings } from "../stories/declarations";
import { programOf } from "./scenario-fixture";

test.each([
  ["a creation enables recovery before", {}, { restoreEnabled: true, requireMfa: true }, "restoreEnabled"],
  [
    "an update disables recovery after",
    { acme: organizationSettings({}) },
    { restoreEnabled: false, requireMfa: true },
    "requireMfa",
  ],
])("%s the other settings, and records the change whose successor fails", async (_, before, wished, first) => {
  const { api, outside } = await engineFixture();
  const organizationSlug = api.organization;
  await outside.updateOrganization({ organizationSlug, body: { restore_enabled: !wished.restoreEnabled } });
  const wire = await faultyWire(api.url);
  const stack = fakeStack({ api, baseUrl: wire.url });
  await stack.run(programOf(before), { preview: false });
  let sent = 0;
  wire.trouble = ({ operation }) =>
    operation === "updateOrganization" && sent++ > 0 ? ({ send }) => send(403, '{"error":"forbidden"}') : undefined;
  const { failure } = await stack.run(programOf({ acme: organizationSettings(wished) }), { preview: false });
  expect(failure).toContain("forbidden");
  const { require_mfa, restore_enabled } = (await outside.retrieveOrganization({ organizationSlug })).organization;
  const now = { requireMfa: require_mfa, restoreEnabled: restore_enabled };
  expect(now).toEqual({ requireMfa: first === "requireMfa", restoreEnabled: true });
  expect((await stack.managed()).get("acme")?.outputs).toMatchObject(now);
});
