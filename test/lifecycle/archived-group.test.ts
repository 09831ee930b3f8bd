// @module-tag previews-are-true
// @module-tag all-drift-is-shown
// @module-tag no-false-differences

import { expect, test } from "vitest";
import { operationImpossible, tokenLacksAccess } from "../../kit/lifecycle/messages";
import { create } from "../../kit/steps/create";
import { diff } from "../../kit/steps/diff";
import { planUpdate } from "../../kit/steps/plan";
import { readManaged } from "../../kit/steps/read";
import { update } from "../../kit/steps/update";
import { scopesMissing } from "../../provider/permissions/messages";
import { group } from "../../provider/resources/group/group";
import { groupUnarchived } from "../../provider/resources/group/messages";
import { archive } from "./archive";
import { lifecycleFixture } from "./lifecycle-fixture";

const inputs = { name: "tenants", location: "aws-us-east-1" };

/** Creates a group that the platform then archives, and reads it as the engine does before an update. */
async function archivedGroup() {
  const here = await lifecycleFixture();
  const { id, state } = await create(group, inputs, here.context);
  expect(state.archived).toBe(false);
  await archive(here.api, id);
  const read = await readManaged(group, { id, inputs, state }, here.again());
  here.asked();
  return { here, id, recorded: state, compared: { id, oldInputs: inputs, state: read?.state ?? {}, news: inputs } };
}

test("with `ignoreChanges`, leaves an archived group unchanged", async () => {
  const { here, compared } = await archivedGroup();
  const ignoring = { ...compared, ignored: new Set(["archived"]) };
  expect((await diff(group, ignoring, here.again())).differences).toEqual([]);
  const news = { ...inputs, deleteProtection: true };
  const changed = await update(group, { ...ignoring, news }, here.again());
  expect(changed).toMatchObject({ archived: true, deleteProtection: true });
  expect(here.said).toEqual([]);
});

test("finds no difference in a state that an earlier version recorded without `archived`", async () => {
  const { here, id, recorded } = await archivedGroup();
  const { archived: _later, ...state } = recorded;
  const old = { id, oldInputs: inputs, state, news: inputs };
  expect((await diff(group, old, here.again())).differences).toEqual([]);
});

test("reports in the preview that unarchiving needs the scope `group:configure`", async () => {
  const { here, id, compared } = await archivedGroup();
  const settings = (scopes: string[]) => here.api.token({ organization: "acme", group: "tenants", scopes });
  for (const [scopes, says] of [
    [
      ["read"],
      [
        tokenLacksAccess({
          attempt: operationImpossible({ operation: "update", object: `group "tenants" (${id})` }),
          reason: scopesMissing({ scopes: ["group:configure"] }),
        }),
      ],
    ],
    [["read", "group:configure"], []],
  ] as const) {
    here.said.length = 0;
    const apiToken = await settings([...scopes]);
    const organizationId = here.api.organizationId;
    await planUpdate(group, compared, here.again({}, { apiToken, organizationId }));
    expect(here.said).toEqual([...says, groupUnarchived({ name: "tenants", id })]);
  }
});
