import { expect, test } from "vitest";
import { visit } from "./browser";
import { faintTexts } from "./faint-texts";
import { shop } from "./shop";

test.each(["light", "dark"] as const)(
  "in the %s every text is clear against what is behind it",
  async (colorScheme) => {
    const { api, owner, slug } = await shop();
    await owner.status("deleteDatabase", { ...slug, databaseName: "orders" });
    await owner.ok("createDatabase", { ...slug, body: { name: "reviews", group: "default" } });
    const { page } = await visit({ colorScheme });
    await page.goto(api.url);
    const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(paper).toBe(colorScheme === "light" ? "rgb(247, 245, 240)" : "rgb(20, 24, 26)");
    expect(await page.evaluate(faintTexts)).toEqual([]);

    await page.getByRole("button", { name: "Restore reviews" }).click();
    await page.getByRole("alert").waitFor();
    expect(await page.evaluate(faintTexts)).toEqual([]);
    await page.goto(`${api.url}/?organization=club`);
    expect(await page.evaluate(faintTexts)).toEqual([]);
  },
);

test("on a phone nothing is wider than the screen", async () => {
  const { api, owner } = await shop();
  await owner.ok("createApiToken", { tokenName: "x".repeat(200), body: { organization: "shop" } });
  const { page } = await visit({ viewport: { width: 360, height: 740 } });
  await page.goto(api.url);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

test("headings, landmarks and labels say what is where", async () => {
  const { api } = await shop();
  const { page } = await visit();
  await page.goto(api.url);
  const levels = await page
    .locator("h1, h2, h3")
    .evaluateAll((headings) => headings.map(({ tagName }) => Number(tagName.slice(1))));
  expect(levels.filter((level) => level === 1)).toHaveLength(1);
  for (const landmark of ["banner", "main", "search"] as const) expect(await page.getByRole(landmark).count()).toBe(1);
  const regions = ["Clock", "Groups and databases", "Deleted", "API tokens", "Requests", "Audit log", "Members"];
  for (const name of regions) expect(await page.getByRole("region", { name, exact: true }).count()).toBe(1);
  const unnamed = await page.evaluate(() => {
    const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
    const inputs = [...document.querySelectorAll<HTMLInputElement>("input:not([type=hidden])")];
    return [
      ...ids.filter((id, index) => ids.indexOf(id) !== index),
      ...inputs.filter(({ labels }) => labels?.length === 0).map(({ name }) => name),
    ];
  });
  expect(unnamed).toEqual([]);
});
