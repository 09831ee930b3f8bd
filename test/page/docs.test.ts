// @module-tag more

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { world } from "../reference/world";
import { visit } from "./browser";
import { faintTexts } from "./faint-texts";

const isDrawn = (page: Page) => page.getByRole("heading", { name: "Restore a deleted database." }).waitFor();

test("/docs shows example bodies, loads files only from this host, and links back to the start page", async () => {
  const { api } = await world();
  const { page, asked, complaints } = await visit();
  await page.goto(`${api.url}/docs`);
  await isDrawn(page);
  await page.getByText('"newsletter-restored"').first().waitFor();
  expect(complaints).toEqual([]);
  expect(asked.filter((url) => !url.startsWith(api.url) && !/^(data|blob):/.test(url))).toEqual([]);
  await page.getByRole("link", { name: "Back to the reference API" }).click();
  await page.getByRole("heading", { name: "acme", level: 1 }).waitFor();
});

test("with `control: false`, /docs does not link to the start page", async () => {
  const { api } = await world({ control: false });
  const docs = await (await fetch(`${api.url}/docs`)).text();
  expect(docs).not.toContain('href="/"');
});

test("/docs follows the color scheme of the browser, and has readable text in both schemes", async () => {
  const { api } = await world();
  const { page } = await visit({ colorScheme: "dark" });
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.goto(`${api.url}/docs`);
  await isDrawn(page);
  expect(await paper()).toBe("rgb(20, 24, 26)");
  expect(await page.evaluate(faintTexts)).toEqual([]);

  await Promise.all([page.waitForEvent("load"), page.emulateMedia({ colorScheme: "light" })]);
  await isDrawn(page);
  expect(await paper()).toBe("rgb(255, 255, 255)");
  expect(await page.evaluate(faintTexts)).toEqual([]);
});
