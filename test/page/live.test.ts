// @module-tag more

import { expect, test } from "vitest";
import { visit } from "./browser";
import { shop } from "./shop";

test("announces clock changes and other clients' writes to screen readers, but not reads", async () => {
  const { api, owner, slug } = await shop();
  await owner.ok("createDatabase", { ...slug, body: { name: "drafts", group: "default" } });
  const { page } = await visit();
  await page.goto(api.url);
  const announcements = page.locator("#announcements");
  expect(await announcements.getAttribute("role")).toBe("status");
  expect(await announcements.textContent()).toBe("");
  await owner.ok("listGroups", slug);
  await page.locator("#journal").getByText("listGroups").waitFor();
  expect(await announcements.textContent()).toBe("");

  await owner.ok("createDatabase", { ...slug, body: { name: "loyalty", group: "default" } });
  await owner.ok("deleteDatabase", { ...slug, databaseName: "loyalty" });
  await announcements.getByText("db-delete loyalty, by ada.").waitFor();
  await api.advance(60);
  await announcements.getByText("The clock is stopped at 12:01:00, Sun, 01 Mar 2026 UTC.").waitFor();
  await api.clock.run();
  await announcements.getByText("The clock is running.").waitFor();
});

test("keeps the user's open sections, input, focus and selection when the page updates itself", async () => {
  const { api, owner, slug, deletedId } = await shop();
  const row = `#deleted-${await deletedId("newsletter")}`;
  const { page } = await visit();
  await page.goto(api.url);
  await page.getByLabel("Part of a name").fill("ord");
  const name = page.locator(row).getByLabel("New name");
  await page.locator(row).getByText("Restore under another name").click();
  await name.pressSequentially("newsletter-");

  await owner.ok("createDatabase", { ...slug, body: { name: "aaa", group: "default" } });
  await owner.ok("deleteDatabase", { ...slug, databaseName: "catalogue" });
  await page.locator("#deleted strong", { hasText: "catalogue" }).waitFor();
  expect(await page.locator("#groups th").allTextContents()).toContain("aaa");
  await page.keyboard.type("2");
  expect(await name.inputValue()).toBe("newsletter-2");
  expect(await page.getByLabel("Part of a name").inputValue()).toBe("ord");

  await name.blur();
  await page.evaluate(() => {
    const sessions = [...document.querySelectorAll("#groups th")].find((each) => each.textContent === "sessions");
    if (sessions) getSelection()?.selectAllChildren(sessions);
  });
  await owner.ok("deleteDatabase", { ...slug, databaseName: "aaa" });
  await page.locator("#deleted strong", { hasText: "aaa" }).waitFor();
  expect(await page.evaluate(() => getSelection()?.toString())).toBe("sessions");
});

test("keeps the time in a field that has the focus, and updates it again afterwards", async () => {
  const { api } = await shop();
  const { page } = await visit();
  await page.goto(api.url);
  const field = page.locator("#instant");
  const announcements = page.locator("#announcements");
  await field.evaluate((input) => (input as HTMLInputElement).focus());
  await api.advance(60);
  await announcements.getByText("12:01:00").waitFor();
  expect(await field.inputValue()).toBe("2026-03-01T12:00");
  await field.evaluate((input) => (input as HTMLInputElement).blur());
  await api.advance(60);
  await announcements.getByText("12:02:00").waitFor();
  expect(await field.inputValue()).toBe("2026-03-01T12:02");
});

test("shows the same content after live updates as after a reload", async () => {
  const { api, owner, slug, id } = await shop();
  const { page } = await visit();
  await page.goto(api.url);
  const content = () => page.locator("[data-live]").evaluateAll((parts) => parts.map(({ innerHTML }) => innerHTML));
  const databaseId = (await owner.ok("listDeletedDatabases", { ...id, query: { deleted: "true" } })).databases[0]?.DbId;
  await owner.ok("restoreDatabase", { ...id, databaseId: databaseId ?? "", body: { name: "b-side" } });
  await owner.ok("createGroup", { ...slug, body: { name: "asia", location: "aws-ap-south-1" } });
  await owner.ok("createDatabase", { ...slug, body: { name: "one", group: "asia" } });
  await owner.ok("deleteDatabase", { ...slug, databaseName: "sessions" });
  await owner.ok("updateGroupConfiguration", { ...slug, groupName: "europe", body: { delete_protection: false } });
  for (const databaseName of ["customers", "invoices"])
    await owner.ok("updateDatabaseConfiguration", { ...slug, databaseName, body: { delete_protection: false } });
  await owner.ok("deleteGroup", { ...slug, groupName: "europe" });
  await page.locator("#deleted strong", { hasText: "europe" }).waitFor();
  const kept = await content();
  await page.reload();
  expect(kept).toEqual(await content());
});

test("keeps an error message when the page updates itself", async () => {
  const { api, owner, slug } = await shop();
  await owner.ok("createDatabase", { ...slug, body: { name: "newsletter", group: "default" } });
  const { page } = await visit();
  await page.goto(api.url);
  await page.getByRole("button", { name: "Restore newsletter", exact: true }).click();
  await page.getByRole("alert").waitFor();
  await owner.ok("createDatabase", { ...slug, body: { name: "later", group: "default" } });
  await page.getByRole("rowheader", { name: "later" }).waitFor();
  await owner.ok("deleteDatabase", { ...slug, databaseName: "later" });
  await page.locator("#deleted strong", { hasText: "later" }).waitFor();
  await owner.ok("renameGroup", { ...slug, groupName: "default", body: { name: "renamed" } });
  await page.locator("#deleted").getByText("from group renamed").first().waitFor();
  expect(await page.getByRole("alert").textContent()).toBe("database with name [newsletter] already exists");
});
