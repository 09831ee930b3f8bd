import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { visit } from "./browser";
import { shop } from "./shop";

const opened = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const groupCard = (page: Page, name: string) => page.getByRole("article", { name, exact: true });
const alert = (page: Page) => page.getByRole("alert");

/** Opens a database on a page that does not update itself, like a tab in the background. */
async function oldPage(options: Parameters<typeof shop>[0] = {}) {
  const here = await shop(options);
  const { database } = await here.owner.ok("retrieveDatabase", { ...here.slug, databaseName: "catalogue" });
  const { page } = await visit({ javaScriptEnabled: false });
  await page.goto(`${here.api.url}/?database=${database.DbId}`);
  return { ...here, page };
}

describe("a page that was left open", () => {
  test("does not delete a new database under the name of the one that it shows", async () => {
    const { page, owner, slug, database, liveNames } = await oldPage();
    await owner.ok("deleteDatabase", { ...slug, databaseName: "catalogue" });
    await database("catalogue");
    await opened(page, "catalogue").getByText("Delete…").click();
    await page.getByRole("button", { name: "Delete database catalogue" }).click();
    expect(await alert(page).textContent()).toContain("could not find database");
    expect(await liveNames()).toContain("catalogue");
  });

  test("creates no token for a new database under the name of the one that it shows", async () => {
    const { page, owner, slug, database } = await oldPage();
    await owner.ok("deleteDatabase", { ...slug, databaseName: "catalogue" });
    await database("catalogue");
    await page.getByRole("button", { name: "Create token of catalogue" }).click();
    expect(await alert(page).textContent()).toContain("could not find database");
    expect(await page.locator("#new-token").count()).toBe(0);
  });

  test("does not delete a new group under the name of the one that it shows", async () => {
    const { page, owner, slug, api, group, groupNames } = await oldPage();
    await group("asia");
    await page.goto(api.url);
    await owner.ok("deleteGroup", { ...slug, groupName: "asia" });
    await group("asia");
    await groupCard(page, "asia").getByText("Delete…").click();
    await page.getByRole("button", { name: "Delete group asia" }).click();
    expect(await alert(page).textContent()).toContain("that the page showed no longer exists");
    expect(await groupNames()).toContain("asia");
  });

  test("says that what it shows as deleted is live", async () => {
    const { page, api, owner, id: organization, deletedId } = await oldPage();
    const databaseId = await deletedId("newsletter");
    const { groups } = await owner.ok("listDeletedGroups", { ...organization, query: {} });
    const groupId = groups.find(({ name }) => name === "spring-sale")?.uuid ?? "";
    await owner.ok("restoreDatabase", { ...organization, databaseId });
    await owner.ok("restoreGroup", { ...organization, groupId });
    await page.getByRole("button", { name: "Restore newsletter", exact: true }).click();
    expect(await opened(page, "newsletter").getByRole("alert").textContent()).toBe("newsletter is not deleted.");
    const body = new URLSearchParams({ organization: api.organization, object: groupId });
    const answer = await fetch(`${api.url}/page/restore-group`, { method: "POST", body });
    expect(await answer.text()).toContain("spring-sale is not deleted.");
  });

  test("does not delete what can no longer be restored as it says", async () => {
    const { page, owner, slug, liveNames } = await oldPage();
    await owner.ok("updateSubscription", { ...slug, body: { plan: "starter" } });
    await opened(page, "catalogue").getByText("Delete…").click();
    await page.getByRole("button", { name: "Delete database catalogue" }).click();
    expect(await alert(page).textContent()).toContain("It cannot be restored on the free plan.");
    expect(await liveNames()).toContain("catalogue");
    await opened(page, "catalogue").getByText("Delete…").click();
    await page.getByRole("button", { name: "Delete database catalogue" }).click();
    await page.locator("#deleted").getByText("Database catalogue was deleted.").waitFor();
  });
});

test("does not keep the deletion unfolded when another database is opened", async () => {
  const { api } = await shop();
  const { page } = await visit();
  await page.goto(api.url);
  await page.getByRole("link", { name: "catalogue" }).click();
  await opened(page, "catalogue").getByText("Delete…").click();
  await page.getByRole("button", { name: "Restore newsletter", exact: true }).click();
  await opened(page, "newsletter").waitFor();
  expect(await page.getByRole("button", { name: "Delete database newsletter" }).isVisible()).toBe(false);
});

test("acts on the database that was shown when the button was pressed, whatever opens meanwhile", async () => {
  const { api, liveNames, deletedNames } = await shop();
  const { page } = await visit();
  await page.goto(api.url);
  await page.getByRole("link", { name: "catalogue" }).click();
  let answer = (): void => undefined;
  await page.route("**/page/restore-database", async (route) => {
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    await route.continue();
  });
  const restoring = page.waitForRequest("**/page/restore-database");
  await page.getByRole("button", { name: "Restore newsletter", exact: true }).click();
  await restoring;
  await opened(page, "catalogue").getByText("Delete…").click();
  await page.getByRole("button", { name: "Delete database catalogue" }).click();
  answer();
  await page.locator("#deleted").getByText("Database catalogue was deleted.").waitFor();
  expect(await liveNames()).toContain("newsletter");
  expect(await deletedNames()).toContain("catalogue");
});
