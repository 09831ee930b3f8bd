import { expect, test } from "vitest";
import type { Properties } from "../../kit/lifecycle/properties";
import { create } from "../../kit/steps/create";
import { update } from "../../kit/steps/update";
import { database } from "../../provider/resources/database/database";
import { group } from "../../provider/resources/group/group";
import { clientOf } from "../engine/engine-fixture";
import { type LifecycleFixture, lifecycleFixture } from "./lifecycle-fixture";

const PRIMARY = "aws-us-east-1";
const [FIRST, SECOND, THIRD] = ["aws-eu-west-1", "aws-us-west-2", "aws-ap-south-1"] as const;
const organizationSlug = "acme";

async function tenants(here: LifecycleFixture) {
  const wanted = { name: "tenants", location: PRIMARY, locations: [FIRST, SECOND] };
  const { id, state } = await create(group, wanted, here.context);
  here.asked();
  const change = (news: Properties) =>
    update(group, { id, oldInputs: wanted, state, news: { ...wanted, ...news } }, here.again());
  return { id, change };
}

const requests = ({ api }: LifecycleFixture, since: number): string[] =>
  api
    .journal()
    .slice(since)
    .filter(({ operation }) => operation !== "retrieveOrganization")
    .map(({ operation, path }) => [operation, /\/locations\/([^/]+)$/.exec(path)?.[1]].filter(Boolean).join(" "));

const locationsOf = async ({ api }: LifecycleFixture, id: string) => {
  const { groups } = await clientOf(api, api.apiToken).listGroups({ organizationSlug });
  return groups.find(({ uuid }) => uuid === id)?.locations.toSorted();
};

/** Renames the group outside Pulumi right after the provider has cached the list of groups. */
async function renameOutside({ api, context }: LifecycleFixture): Promise<void> {
  await context.platform.platform.organization.groups();
  const outside = clientOf(api, api.apiToken);
  await outside.renameGroup({ organizationSlug, groupName: "tenants", body: { name: "renamed" } });
}

test("looks up the group once in an update, and sends one request for each change", async () => {
  const here = await lifecycleFixture();
  const { change } = await tenants(here);
  const since = here.api.journal().length;
  const news = { name: "renamed", locations: [SECOND, THIRD], deleteProtection: true };
  expect(await change(news)).toMatchObject(news);
  expect(requests(here, since)).toEqual([
    "listGroups",
    `addGroupLocation ${THIRD}`,
    `removeGroupLocation ${FIRST}`,
    "updateGroupConfiguration",
    "renameGroup",
  ]);
});

test("never leaves a group in fewer locations than before while moving it", async () => {
  const here = await lifecycleFixture();
  const { id, change } = await tenants(here);
  const since = here.api.journal().length;
  // The platform rejects the new location. The provider must then keep all old locations, because removing one would
  // leave the group in fewer locations than before.
  here.api.fault({ operation: "addGroupLocation", status: 400, times: 99 });
  await expect(change({ locations: [THIRD] })).rejects.toThrow();
  expect(requests(here, since)).not.toContain(expect.stringContaining("removeGroupLocation"));
  expect(await locationsOf(here, id)).toEqual([PRIMARY, FIRST, SECOND].toSorted());
});

test("records the changes made before an update failed, and none if the first change failed", async () => {
  const here = await lifecycleFixture();
  const { change } = await tenants(here);
  const news = { name: "renamed", locations: [FIRST, SECOND, THIRD] };
  here.api.fault({ operation: "addGroupLocation", status: 403, times: 1 });
  await expect(change(news)).rejects.toMatchObject({ kind: "forbidden" });

  here.api.fault({ operation: "renameGroup", status: 403, times: 1 });
  await expect(change(news)).rejects.toMatchObject({
    name: "InitFailedError",
    state: { name: "tenants", locations: [FIRST, SECOND, THIRD] },
  });
});

test("records a change whose response was lost, even when the update fails", async () => {
  const here = await lifecycleFixture();
  const { change } = await tenants(here);
  here.api.fault({ operation: "updateGroupConfiguration", reset: "after", times: 99 });
  const changing = change({ deleteProtection: true });
  await expect(changing).rejects.toMatchObject({ name: "InitFailedError", state: { deleteProtection: true } });
});

test("reports the group's new state after each change, until a change fails", async () => {
  const here = await lifecycleFixture();
  const wanted = { name: "tenants", location: PRIMARY, locations: [FIRST] };
  const { id, state } = await create(group, wanted, here.context);
  const steps: object[] = [];
  const changes = { locations: [SECOND], deleteProtection: true, name: "renamed" };
  here.api.fault({ operation: "renameGroup", status: 403 });
  const done = (step: object) => steps.push(step);
  const changing = group.update?.(id, changes, { ...here.context.platform, now: state, done });
  await expect(changing).rejects.toMatchObject({ kind: "forbidden" });
  expect(steps).toEqual([{ locations: [FIRST, SECOND] }, { locations: [SECOND] }, { deleteProtection: true }]);
});

test("updates a group that was renamed outside Pulumi just before the update", async () => {
  const here = await lifecycleFixture();
  const { id, state } = await create(group, { name: "tenants", location: PRIMARY }, here.context);
  await renameOutside(here);
  const changed = await group.update?.(
    id,
    { locations: [FIRST] },
    { ...here.context.platform, now: state, done: () => undefined },
  );
  expect(changed).toMatchObject({ locations: [FIRST] });
  expect(await locationsOf(here, id)).toEqual([PRIMARY, FIRST].toSorted());
});

test("creates a database in a group that was renamed outside Pulumi just before the update", async () => {
  const here = await lifecycleFixture();
  const { id } = await create(group, { name: "tenants", location: PRIMARY }, here.context);
  await renameOutside(here);
  const { state } = await create(database, { name: "orders", group: id }, here.context);
  expect(state).toMatchObject({ groupId: id, groupName: "renamed" });
});
