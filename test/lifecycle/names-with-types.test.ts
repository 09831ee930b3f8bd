// @module-tag previews-are-true
// @module-tag clear-messages

import { expect, test } from "vitest";
import { canBeRestoredUntil, stillDeleted } from "../../kit/lifecycle/restore/messages";
import { create } from "../../kit/steps/create";
import { diff } from "../../kit/steps/diff";
import { readManaged } from "../../kit/steps/read";
import { update } from "../../kit/steps/update";
import { requestedDatabase } from "../../provider/functions/databases";
import { databaseNotFound } from "../../provider/functions/messages";
import { dbplatform } from "../../provider/provider";
import { database } from "../../provider/resources/database/database";
import { seedSourceMissing } from "../../provider/resources/database/messages";
import { group } from "../../provider/resources/group/group";
import { availableGroups, groupNotFound } from "../../provider/resources/group/messages";
import { clientOf } from "../engine/engine-fixture";
import type { Declared } from "../fake-engine/declared-program";
import { FakeEngine } from "../fake-engine/fake-engine";
import { lifecycleFixture } from "./lifecycle-fixture";
import { programOf } from "./story-fixture";

const organizationSlug = "acme";
const tenants = { name: "tenants", location: "aws-us-east-1" };

test("reports a missing group although the update restores a database with the group's name", async () => {
  const here = await lifecycleFixture();
  const namesake: Declared = { type: "Database", args: { name: "tenants", group: "default" } };
  const missing = groupNotFound({ wanted: "tenants", organization: organizationSlug });
  const stack = new FakeEngine(dbplatform);
  await stack.up(programOf({ namesake }), here.again());
  const outside = clientOf(here.api, here.api.apiToken);
  const databaseId = stack.managed.get("namesake")?.id ?? "";
  await outside.deleteDatabaseById({ organizationId: here.api.organizationId, databaseId });
  for (const [type, more] of [
    ["Database", { name: "orders" }],
    ["GroupToken", {}],
    ["ApiToken", { name: "ci", scopes: ["read"] }],
    ["SigningKeyRotation", {}],
  ] as const) {
    const program = programOf({ namesake, refers: { type, args: { ...more, group: "tenants" } } });
    await expect(stack.preview(program, here.again()), type).rejects.toThrow(missing);
  }
  const context = here.again();
  await create(database, { name: "created", group: "default" }, context);
  await expect(create(database, { name: "orders", group: "created" }, context)).rejects.toThrow(
    `${groupNotFound({ wanted: "created", organization: organizationSlug })}. ${availableGroups({ known: ["default", "other"] })}`,
  );
});

test("reports a missing database although a group of the update has the database's name", async () => {
  const here = await lifecycleFixture();
  const copy = { name: "copy", group: "default", seed: { database: "tenants" } };
  const program = programOf({
    namesake: { type: "Group", args: tenants },
    copy: { type: "Database", args: copy },
  });
  const missing = seedSourceMissing({ source: '"tenants"', organization: organizationSlug });
  await expect(new FakeEngine(dbplatform).preview(program, here.again())).rejects.toThrow(missing);
  const context = here.again();
  await create(group, tenants, context);
  const { answer, advice } = databaseNotFound({ name: "tenants", organization: organizationSlug });
  await expect(requestedDatabase({ name: "tenants" }, context.platform)).rejects.toThrow(`${answer}. ${advice}`);
});

test("does not call a database restored with its group if the platform refused to restore the group", async () => {
  const here = await lifecycleFixture();
  const parent = await create(group, tenants, here.context);
  const args = { name: "orders", group: parent.id };
  const child = await create(database, args, here.context);
  await clientOf(here.api, here.api.apiToken).deleteGroup({ organizationSlug, groupName: "tenants" });
  const later = here.again();
  const { state: groupState = {} } = (await readManaged(group, { ...parent, inputs: tenants }, later)) ?? {};
  const { state = {} } = (await readManaged(database, { ...child, inputs: args }, later)) ?? {};
  here.api.fault({ operation: "restoreGroup", status: 422 });

  const restoring = update(group, { id: parent.id, oldInputs: tenants, state: groupState, news: tenants }, later);
  const left = { id: child.id, oldInputs: args, state, news: args, ignored: new Set(["deletedAt"]) };
  later.run.note({ step: "check", urn: later.platform.urn, inputs: args });
  const [restored] = await Promise.allSettled([restoring, diff(database, left, later)]);
  expect(restored.status).toBe("rejected");
  const restorable = canBeRestoredUntil({ restorableUntil: String(state.restorableUntil), obstacle: undefined });
  const text = stillDeleted({ kind: "database", title: 'database "orders"', id: child.id, restorable });
  expect(here.said.at(-1)).toBe(text);
  await expect(create(database, { name: "new", group: "tenants" }, later)).rejects.toThrow(
    groupNotFound({ wanted: "tenants", organization: organizationSlug }),
  );
});
