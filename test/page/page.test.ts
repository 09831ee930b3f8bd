// @module-tag no-database-is-lost

import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { calling } from "../reference/calling";
import { visit } from "./browser";
import { shop } from "./shop";

const deletedRow = (page: Page, name: string) =>
  page.locator("#deleted li").filter({ has: page.locator("strong", { hasText: new RegExp(`^${name}$`) }) });
const restoreButton = (page: Page, name: string) => page.getByRole("button", { name: `Restore ${name}`, exact: true });
const names = (page: Page) => page.locator("#groups tbody th").allTextContents();
const auditOf = async ({ api }: Awaited<ReturnType<typeof shop>>) =>
  api.store.read((state) => state.selectFrom("audit_logs").select(["code", "origin", "author"]).execute());

describe.each([
  ["with JavaScript", true],
  ["without JavaScript", false],
])("the page %s", (_name, javaScriptEnabled) => {
  const tags = javaScriptEnabled ? [] : ["more"];

  test("§3 restores a database with one click, through the platform's restore operation", async () => {
    const here = await shop();
    const { page, asked, complaints } = await visit({ javaScriptEnabled });
    await page.goto(here.api.url);
    await restoreButton(page, "newsletter").click();

    await page.getByText("newsletter was restored in group default.").waitFor();
    expect(await names(page)).toContain("newsletter");
    expect(await deletedRow(page, "newsletter").count()).toBe(0);
    expect(await here.liveNames()).toContain("newsletter");
    expect(await auditOf(here)).toEqual([{ code: "db-restore", origin: "web", author: "ada" }]);
    expect(here.api.journal()).toContainEqual(expect.objectContaining({ operation: "restoreDatabase", status: 200 }));
    expect(asked.filter((url) => !url.startsWith(here.api.url) && !url.startsWith("data:"))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("§8 hides the Restore button when the five-day recovery period ends", { tags }, async () => {
    const { api, owner, id } = await shop();
    const { page } = await visit({ javaScriptEnabled });
    const { databases } = await owner.ok("listDeletedDatabases", { ...id, query: { deleted: "true" } });
    const databaseId = databases.find(({ Name }) => Name === "newsletter")?.DbId ?? "";
    await page.goto(api.url);
    for (const name of ["one day", "one day", "one day"]) await page.getByRole("button", { name }).click();
    await page.getByText("21 h left").waitFor();
    await restoreButton(page, "newsletter").waitFor();
    await page.getByRole("button", { name: "one day" }).click();

    await page.locator("#now").getByText("05 Mar 2026").waitFor();
    expect(await restoreButton(page, "newsletter").count()).toBe(0);
    expect(await owner.status("restoreDatabase", { ...id, databaseId })).toBe(404);
  });

  test("starts and stops the clock", { tags }, async () => {
    const { api } = await shop();
    const { page } = await visit({ javaScriptEnabled });
    await page.goto(api.url);
    await page.getByRole("button", { name: "Start the clock" }).click();
    await page.locator("#time").getByText("The clock is running.").waitFor();
    expect(await api.clock.stands()).toBe(false);
    await page.getByRole("button", { name: "Stop the clock" }).click();
    await page.locator("#time").getByText("The clock is stopped.").waitFor();
    expect(await api.clock.stands()).toBe(true);
  });
});

test("wire-facts 4.4 restores a group, and shows an error next to the database whose name is taken", async () => {
  const { api, owner, slug, groupNames, liveNames } = await shop();
  await owner.ok("createDatabase", { ...slug, body: { name: "sale-orders", group: "default" } });
  const { page } = await visit();
  await page.goto(api.url);
  await restoreButton(page, "group spring-sale").click();
  await deletedRow(page, "sale-orders").getByText("database with name [sale-orders] already exists").waitFor();
  expect(await groupNames()).toContain("spring-sale");
  expect(await liveNames()).toContain("sale-prices");
});

test("restores databases even if the page's credential has been revoked", async () => {
  const { api, owner, slug, liveNames } = await shop();
  const { page } = await visit();
  await page.goto(api.url);
  await restoreButton(page, "newsletter").click();
  await page.getByText("newsletter was restored").waitFor();
  const { tokens } = await owner.ok("listApiTokens", slug);
  const own = api.journal().find(({ operation }) => operation === "restoreDatabase")?.caller?.token.id;
  const { id } = tokens.find((token) => token.id === own) ?? { id: "" };
  await owner.ok("revokeApiToken", { ...slug, tokenId: id });
  await restoreButton(page, "reviews").click();
  await page.getByText("reviews was restored").waitFor();
  expect(await liveNames()).toContain("reviews");
});

test("shows requests from other clients without a reload", async () => {
  const { api, owner, slug } = await shop();
  const { page } = await visit();
  await page.goto(api.url);
  await page.evaluate(() => Object.assign(window, { same: true }));
  await owner.ok("createDatabase", { ...slug, body: { name: "loyalty", group: "default" } });
  await page.locator("#journal").getByText("createDatabase").waitFor();
  await page.getByRole("rowheader", { name: "loyalty" }).waitFor();
  await page.locator("#audit").getByText("db-create").waitFor();
  expect(await page.evaluate(() => "same" in window)).toBe(true);
});

test("keeps the displayed time of a running clock up to date", async () => {
  const { api } = await shop();
  await api.clock.run();
  const { page } = await visit();
  await page.goto(api.url);
  const before = (await page.locator("#now .hour").textContent()) ?? "";
  await page.waitForFunction((text) => document.querySelector("#now .hour")?.textContent !== text, before);
});

test("shows names as text, even if they contain HTML", async () => {
  const { api, owner } = await shop();
  const tokenName = `<img src=x onerror=alert(1)> "'&`;
  await owner.ok("createApiToken", { tokenName, body: { organization: "shop" } });
  const caller = await api.token({ name: "<script>alert(2)" });
  await calling(api, caller).ok("listLocations", {});
  const { page, complaints } = await visit();
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => void dialogs.push(dialog.message()));
  await page.goto(`${api.url}/?organization=shop&search=${encodeURIComponent('"><script>alert(3)</script>')}`);
  expect(await page.locator("#tokens strong").allTextContents()).toContain(tokenName);
  expect(await page.locator("#journal .about").first().textContent()).toContain("<script>alert(2)");
  expect(await page.locator("main img, main script").count()).toBe(0);
  expect([dialogs, complaints]).toEqual([[], []]);
});

test("lists tokens without revealing their values", async () => {
  const { api } = await shop();
  const text = await (await fetch(api.url)).text();
  expect(text).toContain("pipeline");
  for (const secret of [api.apiToken, ...Object.values(api.tokens)]) expect(text).not.toContain(secret);
});

test("says before the deletion of a group that the platform refuses it, because of the group or a database", async () => {
  const { api, owner, slug } = await shop();
  const { page } = await visit();
  const deletion = page.locator("#groups details").filter({ hasText: "Delete… group default" }).locator("p").first();
  await page.goto(api.url);
  expect(await deletion.textContent()).toBe(
    "The platform refuses to delete group default, because its database orders is protected.",
  );
  const at = { ...slug, databaseName: "orders" };
  await owner.ok("updateDatabaseConfiguration", { ...at, body: { delete_protection: false } });
  await page.reload();
  expect(await deletion.textContent()).toMatch(/^Deletes group default .*It can be restored until/);
  await owner.ok("updateGroupConfiguration", { ...slug, groupName: "default", body: { delete_protection: true } });
  await page.reload();
  expect(await deletion.textContent()).toBe(
    "The platform refuses to delete group default, because the group is protected.",
  );
});

test("folds earlier requests, and keeps the search field clear of the sentence below it, on a 390 px screen", async () => {
  const { api, owner, slug } = await shop();
  for (let request = 0; request < 12; request++) await owner.ok("listGroups", slug);
  const { page } = await visit({ viewport: { width: 390, height: 844 } });
  await page.goto(api.url);
  const shown = page.locator("#journal li:visible");
  expect(await shown.count()).toBe(8);
  await page.getByText("4 earlier requests").click();
  expect(await shown.count()).toBe(12);
  expect(await shown.first().locator(".about").textContent()).toMatch(/, ada with token \S+$/);
  const field = await page.locator("#search").boundingBox();
  const sentence = await page.locator("#groups .lead").boundingBox();
  expect((field?.y ?? 0) + (field?.height ?? 0) + 4).toBeLessThanOrEqual(sentence?.y ?? 0);
});
