// @module-tag secrets-stay-secret

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { visit } from "./browser";
import { shop } from "./shop";

/** Pastes from the clipboard, and returns the pasted text. */
async function pasted(page: Page): Promise<string> {
  const field = page.getByLabel("Part of a name");
  await field.fill("");
  await field.press("Control+V");
  return field.inputValue();
}

const copyButton = (page: Page, what: string) => page.getByRole("button", { name: `Copy the ${what}`, exact: true });

test.each([
  ["with the clipboard API", true],
  ["without the clipboard API, as over plain http", false],
])("%s, copies DbIds and hostnames without CSP violations", async (_how, hasClipboard) => {
  const { api, owner, slug, deletedId } = await shop();
  const { database } = await owner.ok("retrieveDatabase", { ...slug, databaseName: "orders" });
  const { page, complaints } = await visit({ permissions: ["clipboard-read", "clipboard-write"] });
  if (!hasClipboard)
    await page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await page.goto(api.url);
  for (const [what, text] of [
    ["DbId of orders", database.DbId],
    ["hostname of orders", database.Hostname],
    ["DbId of newsletter", await deletedId("newsletter")],
  ] as const) {
    await copyButton(page, what).click();
    await page.getByRole("status").getByText(`Copied the ${what}`).waitFor();
    expect(await pasted(page)).toBe(text);
  }
  expect(complaints).toEqual([]);
});

test("selects the text and tells the user to copy it if the browser blocks the clipboard", async () => {
  const { api, deletedId } = await shop();
  const { page } = await visit();
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "clipboard", { value: undefined });
    document.execCommand = () => false;
  });
  await page.goto(api.url);
  await copyButton(page, "DbId of newsletter").click();
  await page.getByText("copy it with the keyboard").waitFor();
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(await deletedId("newsletter"));
});

test("shows ids as text without a copy button when scripts are disabled", async () => {
  const { api, owner, slug } = await shop();
  const { database } = await owner.ok("retrieveDatabase", { ...slug, databaseName: "orders" });
  const { page } = await visit({ javaScriptEnabled: false });
  await page.goto(api.url);
  for (const text of [database.DbId, database.Hostname])
    expect(await page.getByText(text, { exact: true }).isVisible()).toBe(true);
  expect(await page.getByRole("button", { name: /^Copy/ }).count()).toBe(0);
});
