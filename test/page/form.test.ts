import { expect, test } from "vitest";
import { visit } from "./browser";
import { shop } from "./shop";

/** Every text that is less clear than WCAG asks for: 4.5 to 1, 3 to 1 where it is large. Runs in the browser. */
function faintTexts(): string[] {
  const channel = (value: number): number =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
  const numbers = (color: string): number[] => (color.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (color: string): number => {
    const [red = 0, green = 0, blue = 0] = numbers(color).map(channel);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = (element: Element | null): string => {
    if (!element) return "rgb(255, 255, 255)";
    const color = getComputedStyle(element).backgroundColor;
    return numbers(color)[3] === 0 ? behind(element.parentElement) : color;
  };
  const own = (element: Element): boolean =>
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
  return [...document.querySelectorAll("body *")].filter(own).flatMap((element) => {
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const [one, other] = [luminance(color), luminance(behind(element))].sort((a, b) => b - a) as [number, number];
    const size = Number.parseFloat(fontSize);
    const least = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700) ? 3 : 4.5;
    const ratio = (one + 0.05) / (other + 0.05);
    return ratio >= least ? [] : [`${element.textContent?.trim()}: ${ratio.toFixed(2)}`];
  });
}

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
