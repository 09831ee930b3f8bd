import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as dbplatform from "pulumi-dbplatform";
import * as dynamic from "pulumi-dbplatform/dynamic";
import { expect, test } from "vitest";
import { declaredTwice } from "../../kit/lifecycle/inputs/messages";
import { notRestorableNow } from "../../kit/lifecycle/messages";
import { recoveryDisabledIn } from "../../provider/resources/messages";
import { importByOrganizationId, settingsUnmanaged } from "../../provider/resources/organization/messages";
import { engineFixture } from "./engine-fixture";

const organizationSlug = "acme";

test("sets, corrects and imports an organization's settings, and stops managing them", async () => {
  const here = await engineFixture();
  const { api, outside, writes } = here;
  const args: dbplatform.OrganizationSettingsArgs = { requireMfa: true, restoreEnabled: true };
  const options: { import?: string } = {};
  const second: string[] = [];
  const stack = await here.stack(async () => {
    const { id } = new dbplatform.OrganizationSettings("acme", args, options);
    for (const name of second) new dbplatform.OrganizationSettings(name, { overages: true });
    return { id };
  });
  options.import = "acme";
  const misspelled = await stack.preview();
  expect(misspelled.output).toContain(
    importByOrganizationId({ importedId: "acme", configured: { slug: "acme", id: api.organizationId } }),
  );
  options.import = api.organizationId;
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(writes()).toEqual(["updateOrganization"]);
  expect(await stack.outputs()).toEqual({ id: api.organizationId });
  delete options.import;
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });

  await outside.updateOrganization({ organizationSlug, body: { restore_enabled: false } });
  await outside.updateOrganization({ organizationSlug, body: { require_mfa: false, overages: true } });
  writes();
  const preview = await stack.preview({ expectNoChanges: true, diff: true });
  expect(preview.code).toBe(7);
  expect(preview.output).toMatch(/~ requireMfa\s*: false => true/);
  expect(preview.output).toMatch(/~ restoreEnabled\s*: false => true/);
  expect(preview.output).not.toMatch(/~ overages\s*: true/);
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(writes()).toEqual(["updateOrganization", "updateOrganization"]);

  second.push("twice");
  const twice = await stack.preview();
  expect(twice.code).not.toBe(0);
  const urn = "urn:pulumi:dev::test::dbplatform:index:OrganizationSettings::";
  expect(
    [`${urn}acme`, `${urn}twice`].map((first) =>
      declaredTwice({ type: "OrganizationSettings", urn: first, only: "an organization" }),
    ),
  ).toContainEqual(expect.toSatisfy((says: string) => twice.output.includes(says)));
  second.pop();

  delete args.requireMfa;
  expect(await stack.up()).toMatchObject({ code: 0 });
  const destroyed = await stack.destroy();
  expect(destroyed).toMatchObject({ code: 0 });
  const remaining = ["overages: true", "requireMfa: true", "restoreEnabled: true"];
  expect(destroyed.output).toContain(settingsUnmanaged({ organization: "acme", assignments: remaining }));
  expect(writes()).toEqual([]);
});

test("manages the settings of an organization with the dynamic provider", async () => {
  const here = await engineFixture();
  const { api, outside, writes } = here;
  const stack = await here.stack(async () => {
    const { id } = new dynamic.OrganizationSettings("acme", { restoreEnabled: true });
    return { id };
  });
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await stack.outputs()).toEqual({ id: api.organizationId });
  await outside.updateOrganization({ organizationSlug, body: { restore_enabled: false } });
  writes();
  expect(await stack.up({ refresh: true })).toMatchObject({ code: 0 });
  expect(writes()).toEqual(["updateOrganization"]);
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  const { organization } = await outside.retrieveOrganization({ organizationSlug });
  expect(organization.restore_enabled).toBe(true);
});

test("warns before deleting or replacing a database if recovery is turned off for the organization", async () => {
  const here = await engineFixture();
  let group: string | undefined = "default";
  const stack = await here.stack(async () => {
    if (group) return { dbId: new dbplatform.Database("orders", { name: "orders", group }).dbId };
    return {};
  });
  await stack.deploy();
  const { dbId } = (await stack.outputs()) as { dbId: string };
  await here.outside.updateOrganization({ organizationSlug, body: { restore_enabled: false } });
  const warning = notRestorableNow({
    title: 'database "orders"',
    id: dbId,
    reason: recoveryDisabledIn({ organization: "acme" }),
  });
  group = "other";
  expect((await stack.preview()).output).toContain(warning);

  // Pulumi does not call the provider to preview a deletion, so the warning first appears in the update.
  group = undefined;
  const calls = join(stack.folder, "calls.json");
  stack.setEnvironment({ PULUMI_DEBUG_GRPC: calls });
  expect((await stack.preview()).output).not.toContain(warning);
  expect(readFileSync(calls, "utf8")).not.toContain("ResourceProvider/Delete");
  stack.setEnvironment({ PULUMI_DEBUG_GRPC: "" });
  expect((await stack.up()).output).toContain(warning);
});
