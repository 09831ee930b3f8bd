import { expect, test } from "vitest";
import { world } from "../reference/world";
import { visit } from "./browser";
import { faintTexts } from "./faint-texts";
import { shop } from "./shop";
import { sticksOut } from "./sticks-out";

test.each(["light", "dark"] as const)("all text has sufficient contrast in %s mode", async (colorScheme) => {
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
});

test("the accessible name of every control contains its visible text", async () => {
  const { api } = await shop();
  const { page } = await visit();
  await page.goto(api.url);
  await page.getByText("Reset…").click();
  const controls = await page.locator("button:visible, summary:visible, a:visible").all();
  expect(controls.length).toBeGreaterThan(20);
  for (const control of controls) {
    const visible = await control.evaluate((element) => {
      const copy = element.cloneNode(true) as Element;
      for (const hidden of copy.querySelectorAll(".hidden")) hidden.remove();
      return (copy.textContent ?? "").trim().replace(/\s+/g, " ");
    });
    const [, name = ""] = /"(.*)"/.exec(await control.ariaSnapshot()) ?? [];
    if (visible !== "") expect(name === "" ? visible : name).toContain(visible);
  }
});

/** Starts a platform with thirty organizations and the longest possible names. */
async function crowded() {
  const slug = `s${"o".repeat(30)}`;
  const long = (letter: string, length = 31) => letter.repeat(length);
  const here = await world({
    seed: {
      users: [{ username: long("u", 60) }],
      organizations: [slug, ...Array.from({ length: 29 }, (_, number) => `${long("q", 50)}-${number}`)].map((each) => ({
        slug: each,
        members: [{ username: long("u", 60), role: "owner" as const }],
        ...(each === slug && {
          groups: [
            { name: long("g"), other_locations: ["aws-eu-west-1", "aws-us-west-2", "aws-ap-south-1"] },
            { name: long("h"), deleted_at: "-1d" },
          ],
          databases: [
            { name: long("d"), group: long("g"), delete_protection: true, allowed_ips: ["2001:db8:ffff:ffff::/64"] },
            { name: long("e"), group: long("g"), deleted_at: "-1d" },
            { name: long("f"), group: long("h") },
          ],
          tokens: [{ name: long("t", 255), user: long("u", 60), group: long("g"), scopes: ["db:create" as const] }],
        }),
      })),
    },
  });
  await here.owner.status("createDatabase", { ...here.slug, body: { name: long("d"), group: long("g") } });
  return here;
}

test("thirty organizations with long names fit on a 390 px screen, and leave room for other content", async () => {
  const { api } = await crowded();
  const { page } = await visit({ viewport: { width: 390, height: 844 } });
  await page.goto(api.url);
  const heading = page.getByRole("heading", { level: 1 });
  expect((await heading.boundingBox())?.y).toBeLessThan(500);
  await page.getByText("Reset…").click();
  for (const summary of await page.locator("main summary").all()) await summary.click();
  expect(await page.evaluate(sticksOut)).toEqual([]);

  await page.getByLabel("Organization", { exact: true }).selectOption({ index: 29 });
  await page.getByRole("button", { name: "Show" }).click();
  await page.getByRole("heading", { level: 1, name: /^q+-28$/ }).waitFor();
  // The heading can be there before the style sheet is.
  await page.waitForLoadState();
  expect(await page.evaluate(sticksOut)).toEqual([]);
});

test("the tabs of three organizations with long names fit on a 390 px screen", async () => {
  const organizations = ["a", "b", "c"].map((letter) => ({
    slug: letter.repeat(60),
    members: [{ username: "ada", role: "owner" as const }],
  }));
  const { api } = await world({ seed: { users: [{ username: "ada" }], organizations } });
  const { page } = await visit({ viewport: { width: 390, height: 844 } });
  await page.goto(api.url);
  expect(await page.getByRole("navigation", { name: "Organizations" }).getByRole("link").count()).toBe(3);
  expect(await page.evaluate(sticksOut)).toEqual([]);
});

test("every section of the page has a heading, a landmark and labels", async () => {
  const { api } = await shop();
  const { page } = await visit();
  await page.goto(api.url);
  const levels = await page
    .locator("h1, h2, h3")
    .evaluateAll((headings) => headings.map(({ tagName }) => Number(tagName.slice(1))));
  expect(levels.filter((level) => level === 1)).toHaveLength(1);
  for (const landmark of ["banner", "main", "search"] as const) expect(await page.getByRole(landmark).count()).toBe(1);
  const regions = [
    "Clock",
    "Groups and databases",
    "Deleted",
    "Snapshots",
    "API tokens",
    "Requests",
    "Audit log",
    "Members",
  ];
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

  // Checks the ARIA roles of the table, because CSS that changes a table's layout can remove its roles.
  const tree = await (await page.context().newCDPSession(page)).send("Accessibility.getFullAXTree");
  const roles = tree.nodes.filter(({ ignored }) => !ignored).map(({ role }) => role?.value);
  for (const role of ["table", "row", "rowheader", "cell"]) expect(roles).toContain(role);
});

test("shows buttons that are large enough to tap", async () => {
  const { api } = await shop();
  const { page } = await visit({ viewport: { width: 390, height: 844 } });
  await page.goto(api.url);
  const sizes = await page
    .locator("button:visible, summary:visible")
    .evaluateAll((buttons) => buttons.map((button) => Math.min(button.clientWidth, button.clientHeight)));
  // Requires the minimum target size of WCAG 2.2 (2.5.8).
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(24);
});
