import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { world } from "../reference/world";
import { browser } from "./browser";

let chromium: Browser;
beforeAll(async () => {
  chromium = await browser();
});
afterAll(() => chromium.close());

test.each(["light", "dark"] as const)(
  "in the %s, /docs shows every operation, and asks this host alone",
  async (colorScheme) => {
    const { api } = await world();
    const page = await chromium.newPage();
    const asked: string[] = [];
    const complaints: string[] = [];
    page.on("request", (request) => void asked.push(request.url()));
    page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
    page.on("pageerror", (error) => void complaints.push(error.message));

    await page.goto(`${api.url}/docs`);
    await page.getByRole("heading", { name: "Restore a deleted database." }).waitFor();

    expect(complaints).toEqual([]);
    const elsewhere = asked.filter((url) => !url.startsWith(api.url) && !/^(data|blob):/.test(url));
    expect(elsewhere).toEqual([]);
    await page.close();
  },
);
