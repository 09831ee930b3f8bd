// @module-tag no-database-is-lost

import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { visit } from "./browser";
import { shop } from "./shop";

const rowOf = (page: Page, id: string) => page.locator(`#deleted-${id}`);

describe.each([
  ["with JavaScript", true],
  ["without JavaScript", false],
])("the page %s", (_name, javaScriptEnabled) => {
  const tags = javaScriptEnabled ? [] : ["more"];

  test("§4.1 restores a database under a new name if its old name is taken", { tags }, async () => {
    const { api, owner, slug, liveNames, deletedId } = await shop();
    await owner.ok("createDatabase", { ...slug, body: { name: "newsletter", group: "default" } });
    const id = await deletedId("newsletter");
    const { page, complaints } = await visit({ javaScriptEnabled });
    await page.goto(api.url);
    await page.getByRole("button", { name: "Restore newsletter", exact: true }).click();
    const alert = rowOf(page, id).getByRole("alert");
    await alert.getByText("database with name [newsletter] already exists").waitFor();

    await rowOf(page, id).getByLabel("New name").fill("No Name");
    await page.getByRole("button", { name: "Restore newsletter under the new name" }).click();
    await rowOf(page, id).getByText("invalid database name").waitFor();
    expect(await rowOf(page, id).getByLabel("New name").inputValue()).toBe("No Name");

    await rowOf(page, id).getByLabel("New name").fill("newsletter-2");
    await page.getByRole("button", { name: "Restore newsletter under the new name" }).click();
    await page.getByText("newsletter-2 was restored in group default.").waitFor();
    expect(await liveNames()).toEqual(expect.arrayContaining(["newsletter", "newsletter-2"]));
    const { database } = await owner.ok("retrieveDatabase", { ...slug, databaseName: "newsletter-2" });
    expect(database.DbId).toBe(id);
    expect(complaints.filter((text) => !text.includes("status of 400"))).toEqual([]);
  });

  test("shows the field `New name` when the user opens `Restore under another name`", { tags }, async () => {
    const { api, deletedId } = await shop();
    const { page } = await visit({ javaScriptEnabled });
    await page.goto(api.url);
    const row = rowOf(page, await deletedId("reviews"));
    expect(await row.getByLabel("New name").isVisible()).toBe(false);
    await row.getByText("Restore under another name").click();
    expect(await row.getByLabel("New name").isVisible()).toBe(true);
  });
});

test("explains that the free plan has no recovery, and shows the Restore button after an upgrade", async () => {
  const { api, as } = await shop();
  const { page } = await visit();
  await page.goto(`${api.url}/?organization=club`);
  await page.locator("#deleted").getByText("old-members").waitFor();
  await page.getByText("Nothing can be restored on the free plan.").waitFor();
  expect(await page.getByRole("button", { name: /^Restore / }).count()).toBe(0);

  const vera = await as({ user: "vera", organization: "club" });
  await vera.ok("updateSubscription", { organizationSlug: "club", body: { plan: "developer" } });
  await page.getByRole("button", { name: "Restore old-members", exact: true }).waitFor();
  expect(await page.getByText("the free plan").count()).toBe(0);
});

test("explains why nothing can be restored while recovery is disabled", async () => {
  const { api, owner, slug } = await shop();
  await owner.ok("updateOrganization", { ...slug, body: { restore_enabled: false } });
  const { page } = await visit();
  await page.goto(api.url);
  await page.getByText("Recovery is disabled for this organization. Nothing can be restored").waitFor();
  expect(await page.getByRole("button", { name: /^Restore / }).count()).toBe(0);
  expect(await page.locator("#deleted strong").count()).toBeGreaterThan(0);
});
