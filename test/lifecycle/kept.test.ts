// @module-tag no-database-is-lost

import { expect, test } from "vitest";
import { InitFailedError } from "../../kit/lifecycle/init-failed";
import { differenceKept, restoredWithDifference } from "../../kit/lifecycle/restore/messages";
import { diff } from "../../kit/steps/diff";
import { createByImport } from "../../kit/steps/import";
import { readImported, readManaged } from "../../kit/steps/read";
import { update } from "../../kit/steps/update";
import { group } from "../../provider/resources/group/group";
import { clientOf } from "../engine/engine-fixture";
import { type LifecycleFixture, lifecycleFixture } from "./lifecycle-fixture";

const organizationSlug = "acme";
const incompleteOf = (thrown: unknown): InitFailedError => {
  if (thrown instanceof InitFailedError) return thrown;
  throw thrown;
};

/**
 * Deletes the group "other" in "aws-eu-west-1", which has no databases, and returns its UUID. The platform does not
 * report the location of a deleted group.
 */
async function deletedGroup({ api }: LifecycleFixture): Promise<string> {
  const outside = clientOf(api, api.apiToken);
  const { groups } = await outside.listGroups({ organizationSlug });
  await outside.deleteGroup({ organizationSlug, groupName: "other" });
  return groups.find(({ name }) => name === "other")?.uuid ?? "";
}

const wanted = { name: "other", location: "aws-us-east-1" };
const difference = { property: "location", is: "aws-eu-west-1", wanted: wanted.location };
const text = (id: string) => restoredWithDifference({ title: 'group "other"', id, difference });

test("keeps an imported group, even in the wrong location, until the program changes `location`", async () => {
  const here = await lifecycleFixture();
  const id = await deletedGroup(here);
  const imported = (await readImported(group, id, here.context).catch(incompleteOf)) as InitFailedError;
  expect(imported.inputs).not.toHaveProperty("location");
  const compared = { id, oldInputs: imported.inputs ?? {}, state: imported.state, news: wanted };
  const state = await update(group, compared, here.context);
  expect(here.said.join()).toContain(text(id));

  // A successful update with the plugin records the program's inputs.
  const later = here.again();
  const read = await readManaged(group, { id, inputs: wanted, state }, later);
  const unchanged = { id, oldInputs: wanted, state: read?.state ?? {}, news: wanted };
  later.run.note({ step: "check", urn: later.platform.urn, inputs: {} });
  expect((await diff(group, unchanged, later)).differences).toMatchObject([{ path: "location", replaces: false }]);
  expect(here.said).toContain(differenceKept({ title: 'group "other"', id, difference }));
  const accepted = { ...unchanged, news: { ...wanted, location: "aws-eu-west-1" } };
  expect((await diff(group, accepted, later)).differences).toEqual([]);
  const moved = { ...unchanged, news: { ...wanted, location: "aws-us-west-2" } };
  expect((await diff(group, moved, later)).differences).toMatchObject([{ path: "location", replaces: true }]);

  // If the update fails after the restore, the state keeps the inputs of the import.
  const failed = { ...unchanged, oldInputs: imported.inputs ?? {} };
  expect((await diff(group, failed, later)).differences).toMatchObject([{ path: "location", replaces: false }]);
});

test("with a dynamic provider, keeps a group that was restored in another location, and reports an error", async () => {
  const here = await lifecycleFixture();
  const id = await deletedGroup(here);
  const restored = await createByImport(group, id, wanted, here.context).catch(incompleteOf);
  expect(restored).toMatchObject({ id, state: { location: "aws-eu-west-1" } });
  expect((restored as InitFailedError).message).toContain(text(id));
});
