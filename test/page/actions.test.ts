import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { refuse } from "../../platform/reference/messages";
import { publishedAsset } from "../../tools/assets";
import { visit } from "./browser";
import { faintTexts } from "./faint-texts";
import { shop } from "./shop";
import { sticksOut } from "./sticks-out";

const groupCard = (page: Page, name: string) => page.getByRole("article", { name, exact: true });
const opened = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const deletedRow = (page: Page, name: string) =>
  page.locator("#deleted li").filter({ has: page.locator("strong", { hasText: new RegExp(`^${name}$`) }) });
/** Returns the request that the latest report shows. */
const shownRequest = async (page: Page): Promise<string> => (await page.locator(".request code").textContent()) ?? "";

async function createDatabase(page: Page, group: string, name: string): Promise<void> {
  await groupCard(page, group).getByText("New database…").click();
  await groupCard(page, group).getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("button", { name: `Create database in ${group}` }).click();
}

async function run(page: Page, statements: string): Promise<void> {
  await page.getByLabel("Statements").fill(statements);
  await page.getByRole("button", { name: "Run the statements" }).click();
}

const cells = (page: Page) => page.locator("#opened .rows td").allTextContents();

describe.each([
  ["with JavaScript", true],
  ["without JavaScript", false],
])("the page %s", (_name, javaScriptEnabled) => {
  const tags = javaScriptEnabled ? [] : ["more"];

  test("§3 plays the README's story: a deleted database comes back with its row", async () => {
    const { api, liveNames, deletedNames } = await shop({ sql: true });
    const { page, asked, complaints } = await visit({ javaScriptEnabled });
    await page.goto(api.url);
    await createDatabase(page, "default", "carts");
    await opened(page, "carts").getByText("Database carts was created in group default.").waitFor();
    expect(await liveNames()).toContain("carts");

    await page.getByLabel("Allow changes").check();
    await run(
      page,
      "create table items (id integer primary key, name text); insert into items (name) values ('socks')",
    );
    await page.locator(".notice").getByText("2 statements, all successful.").waitFor();
    await opened(page, "carts").getByText("Delete…").click();
    await page.getByRole("button", { name: "Delete database carts" }).click();
    const deletion = "Database carts was deleted. It can be restored until Fri, 06 Mar 2026, 12:00 UTC.";
    await deletedRow(page, "carts").getByText(deletion).waitFor();
    expect(await deletedNames()).toContain("carts");
    expect(await page.locator("#opened *").count()).toBe(0);

    await page.getByRole("button", { name: "Restore carts", exact: true }).click();
    await opened(page, "carts").getByText("carts was restored in group default.").waitFor();
    await run(page, "select * from items");
    await page.locator(".notice").getByText("1 row,").waitFor();
    expect(await cells(page)).toEqual(["1", "socks"]);
    expect(asked.filter((url) => !url.startsWith(api.url) && !url.startsWith("data:"))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("creates and deletes a group, and restores it with its databases", { tags }, async () => {
    const { api, groupNames, liveNames } = await shop();
    const { page } = await visit({ javaScriptEnabled });
    await page.goto(api.url);
    await page.getByText("New group…").click();
    await page.locator("#groups .new").getByLabel("Name", { exact: true }).fill("asia");
    await page.getByLabel("Location").selectOption("aws-ap-south-1");
    await page.getByRole("button", { name: "Create group" }).click();
    await groupCard(page, "asia").getByText("Group asia was created in aws-ap-south-1.").waitFor();
    await createDatabase(page, "asia", "carts");
    await opened(page, "carts").waitFor();

    await groupCard(page, "asia").getByText("Delete…").click();
    await page.getByRole("button", { name: "Delete group asia" }).click();
    const deletion = "Group asia was deleted. It can be restored until Fri, 06 Mar 2026, 12:00 UTC.";
    await deletedRow(page, "asia").getByText(deletion).waitFor();
    expect(await groupNames()).not.toContain("asia");
    await page.getByRole("button", { name: "Restore group asia" }).click();
    await groupCard(page, "asia").getByText("Group asia was restored with 1 database.").waitFor();
    expect(await liveNames()).toContain("carts");
  });

  test("changes the plan, and disables and enables recovery", { tags }, async () => {
    const { api, owner, slug } = await shop();
    const organization = async () => (await owner.ok("retrieveOrganization", slug)).organization;
    const { page } = await visit({ javaScriptEnabled });
    await page.goto(api.url);
    await page.getByLabel("Plan").selectOption("starter");
    await page.getByRole("button", { name: "Change plan" }).click();
    await page.getByText("shop is on the plan starter now.").waitFor();
    expect((await organization()).plan_id).toBe("starter");
    await page.locator("#deleted").getByText("Nothing can be restored on the free plan.").waitFor();

    await page.getByLabel("Plan").selectOption("pro");
    await page.getByRole("button", { name: "Change plan" }).click();
    await page.getByText("shop is on the plan pro now.").waitFor();
    await page.getByText("Disable recovery…").click();
    await page.getByRole("button", { name: "Disable recovery" }).click();
    await page.getByText("Recovery is disabled now.").waitFor();
    expect((await organization()).restore_enabled).toBe(false);
    await page.getByRole("button", { name: "Enable recovery" }).click();
    await page.getByText("Recovery is enabled now.").waitFor();
    expect((await organization()).restore_enabled).toBe(true);
  });

  test("shows an error in the server's words where it happened, and keeps what was typed", { tags }, async () => {
    const { api, liveNames } = await shop();
    const before = await liveNames();
    const { page } = await visit({ javaScriptEnabled });
    await page.goto(api.url);
    await createDatabase(page, "europe", "orders");
    const alert = groupCard(page, "europe").getByRole("alert");
    await alert.waitFor();
    expect(await alert.textContent()).toBe(refuse.nameTaken({ kind: "database", name: "orders" }).message);
    expect(await alert.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await groupCard(page, "europe").getByLabel("Name", { exact: true }).inputValue()).toBe("orders");

    await page.getByText("New group…").click();
    await page.locator("#groups .new").getByLabel("Name", { exact: true }).fill("No Name");
    await page.getByLabel("Location").selectOption("aws-us-east-2");
    await page.getByRole("button", { name: "Create group" }).click();
    await page.locator("#groups .new").getByRole("alert").waitFor();
    expect(await page.locator("#groups .new").getByLabel("Name", { exact: true }).inputValue()).toBe("No Name");
    expect(await page.getByLabel("Location").inputValue()).toBe("aws-us-east-2");

    await groupCard(page, "europe").getByText("Delete…").click();
    await page.getByRole("button", { name: "Delete group europe" }).click();
    const refusal = refuse.deleteProtected({ kind: "group", name: "europe" }).message;
    await groupCard(page, "europe").getByText(refusal, { exact: true }).waitFor();
    expect(await liveNames()).toEqual(before);
    const operations = api.journal().map(({ operation, status }) => `${operation} ${status}`);
    expect(operations.filter((each) => !each.startsWith("listDatabases"))).toEqual([
      "createDatabase 409",
      "createGroup 400",
      "deleteGroup 403",
    ]);
  });
});

test("asks once before it deletes something or disables recovery", async () => {
  const { api } = await shop();
  const { page } = await visit();
  await page.goto(api.url);
  await page.getByRole("link", { name: "catalogue" }).click();
  for (const name of ["Delete group default", "Delete database catalogue", "Disable recovery"])
    expect(await page.getByRole("button", { name, exact: true }).isVisible()).toBe(false);
  await opened(page, "catalogue").getByText("Delete…").click();
  await page.getByText("Deletes database catalogue with its rows. It can be restored until Fri, 06 Mar 2026").waitFor();
});

test("says that a deletion cannot be undone on the free plan", async () => {
  const { api } = await shop();
  const { page } = await visit();
  await page.goto(`${api.url}/?organization=club`);
  await page.getByRole("link", { name: "members" }).click();
  await opened(page, "members").getByText("Delete…").click();
  await page.getByText("Deletes database members with its rows. It cannot be restored on the free plan.").waitFor();
});

/** Runs a line in a shell in which `serve` has set the environment. */
async function inShell(line: string, api: { url: string; apiToken: string }): Promise<{ readonly error?: string }> {
  const env = { PATH: process.env.PATH, DBPLATFORM_BASE_URL: api.url, DBPLATFORM_API_TOKEN: api.apiToken };
  const { stdout } = await promisify(execFile)("sh", ["-c", line], { env });
  return JSON.parse(stdout);
}

test("shows each action as a request that does the same in a shell, without a credential", async () => {
  const [here, there] = [await shop({ deterministic: true }), await shop({ deterministic: true })];
  const state = async ({ liveNames, deletedNames, groupNames, owner, slug, api }: typeof here) => ({
    names: [await liveNames(), await deletedNames(), await groupNames()],
    organization: (await owner.ok("retrieveOrganization", slug)).organization,
    clock: await api.clock.now(),
    snapshots: (await api.snapshots()).map(({ name }) => name),
  });
  const { page } = await visit();
  await page.goto(here.api.url);
  const played = async (action: () => Promise<void>, report: string) => {
    await action();
    await page.locator(".report").getByText(report).waitFor();
    const line = await shownRequest(page);
    expect(line).not.toContain(here.api.apiToken);
    const answer = await inShell(line, there.api);
    expect([line, await state(there)]).toEqual([line, await state(here)]);
    return answer;
  };
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();

  await played(() => createDatabase(page, "default", "carts"), "was created");
  const rejected = await played(() => createDatabase(page, "default", `it's "$HOME"`), "invalid database name");
  expect(await page.getByRole("alert").textContent()).toBe(rejected.error);
  // The request names the database by its DbId, which only databases of the seed have in common.
  await page.getByRole("link", { name: "catalogue", exact: true }).click();
  await played(async () => {
    await opened(page, "catalogue").getByText("Delete…").click();
    await press("Delete database catalogue");
  }, "was deleted");
  await played(() => press("Restore newsletter"), "newsletter was restored");
  await played(() => press("Restore group spring-sale"), "Group spring-sale was restored");
  await played(async () => {
    await page.getByLabel("Plan").selectOption("pro");
    await press("Change plan");
  }, "is on the plan");
  await played(async () => {
    await page.getByText("Disable recovery…").click();
    await press("Disable recovery");
  }, "Recovery is disabled");
  await played(() => page.getByRole("button", { name: "one day" }).click(), "/clock/advance");
  await played(async () => {
    await page.getByLabel("Set to (UTC)").fill("2026-03-04T09:30:15");
    await press("Set the clock");
  }, "09:30:15");
  await played(async () => {
    await page.locator("#snapshots").getByLabel("Name", { exact: true }).fill("later");
    await press("Save snapshot");
  }, "Snapshot later was saved");
  await played(async () => {
    await page.locator("#snapshots").getByText("Load…").click();
    await press("Load snapshot later");
  }, "Snapshot later was loaded");
  await played(async () => {
    await page.locator("#snapshots").getByText("Delete…").click();
    await press("Delete snapshot later");
  }, "Snapshot later was deleted");
  await played(async () => {
    await page.getByText("Reset…").click();
    await press("Reset everything");
  }, "Everything was reset");
});

test("keeps reports while the page updates itself, and removes them at the next action", async () => {
  const { api, owner, slug } = await shop();
  const { page } = await visit();
  await page.goto(api.url);
  await createDatabase(page, "default", "carts");
  const report = page.getByText("Database carts was created in group default.");
  await report.waitFor();
  await owner.ok("createDatabase", { ...slug, body: { name: "later", group: "default" } });
  await page.getByRole("rowheader", { name: "later" }).waitFor();
  expect(await report.count()).toBe(1);
  await page.getByRole("button", { name: "Restore newsletter", exact: true }).click();
  await page.getByText("newsletter was restored").waitFor();
  expect(await report.count()).toBe(0);
  await page.reload();
  expect(await page.locator(".report").count()).toBe(0);
});

test("shows a report once, and not again when the page is loaded again", async () => {
  const { api } = await shop();
  const { page } = await visit({ javaScriptEnabled: false });
  await page.goto(api.url);
  await createDatabase(page, "default", "carts");
  await page.getByText("Database carts was created in group default.").waitFor();
  await page.reload();
  expect(await page.locator(".report").count()).toBe(0);
});

test("the second click of a double click does not press another button", async () => {
  const { api, deletedNames } = await shop();
  const { page } = await visit();
  await page.goto(api.url);
  const restore = (name: string) => page.getByRole("button", { name: `Restore ${name}`, exact: true });
  await restore("reviews").click();
  await page.getByText("reviews was restored").waitFor();
  // The response has moved the next database under the pointer.
  await restore("newsletter").hover();
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await createDatabase(page, "default", "carts");
  await page.getByText("Database carts was created").waitFor();
  expect(await deletedNames()).toContain("newsletter");
});

test("says so at the form if the server does not respond", async () => {
  const { api } = await shop();
  const { page } = await visit();
  await page.goto(api.url);
  await page.route("**/page/create-database", (route) => route.abort());
  await createDatabase(page, "default", "carts");
  await groupCard(page, "default").getByRole("alert").getByText("The server did not respond.").waitFor();
  expect(await groupCard(page, "default").getByLabel("Name", { exact: true }).inputValue()).toBe("carts");
});

/** Returns the name of the element with the focus, and whether the focus can be seen. Runs in the browser. */
function focused(): { readonly name: string; readonly isVisible: boolean } {
  const element = document.activeElement as HTMLInputElement;
  const name = element.labels?.[0]?.textContent ?? element.ariaLabel ?? element.textContent ?? "";
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  return {
    name: name.trim().replace(/\s+/g, " "),
    isVisible: outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0,
  };
}

test("the whole story can be played with the keyboard alone, and the focus is always visible", async () => {
  const { api, liveNames } = await shop({ sql: true });
  const { page } = await visit();
  const { keyboard } = page;
  await page.goto(api.url);
  const tabTo = async (wanted: string) => {
    for (let presses = 0; presses < 150; presses += 1) {
      await keyboard.press("Tab");
      const { name, isVisible } = await page.evaluate(focused);
      expect([name, isVisible]).toEqual([name, true]);
      if (name === wanted) return;
    }
    throw new Error(`Tab does not reach ${wanted}`);
  };
  const press = async (name: string, key = "Enter") => {
    await tabTo(name);
    await keyboard.press(key);
  };
  await press("New database… in default");
  await tabTo("Name");
  await keyboard.type("carts");
  await keyboard.press("Enter");
  await page.getByText("Database carts was created").waitFor();

  await tabTo("Statements");
  await keyboard.type("create table items (name text); insert into items values ('socks')");
  await press("Allow changes", "Space");
  await keyboard.press("Shift+Tab");
  await keyboard.press("Enter");
  await page.locator(".notice").getByText("2 statements, all successful.").waitFor();
  await press("Delete… database carts");
  await press("Delete database carts");
  await page.getByText("Database carts was deleted.").waitFor();
  await press("Restore carts");
  await page.getByText("carts was restored").waitFor();
  expect(await liveNames()).toContain("carts");

  await tabTo("Statements");
  await keyboard.type("select * from items");
  await keyboard.press("Control+Enter");
  await page.getByRole("cell", { name: "socks" }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("statement");
});

test.each(["light", "dark"] as const)(
  "an open database with everything unfolded is readable in %s mode, and fits on a 390 px screen",
  async (colorScheme) => {
    const { api } = await shop({ sql: true });
    const { page } = await visit({ colorScheme, viewport: { width: 390, height: 844 } });
    await page.goto(api.url);
    await page.getByRole("link", { name: "catalogue" }).click();
    await run(
      page,
      `select null, x'00ff', ${Array.from({ length: 20 }, (_, index) => `'text ${index}'`)}; select nope`,
    );
    await page.getByRole("alert").waitFor();
    await page.getByText("Create token of catalogue").click();
    await page.getByText("Show the token").waitFor();
    for (const summary of await page.locator("main summary:visible").all()) await summary.click();
    expect(await page.evaluate(faintTexts)).toEqual([]);
    expect(await page.evaluate(sticksOut)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  },
);

test("the published page with its style sheet and its scripts is smaller than 60 kB", async () => {
  const { api, owner, slug } = await shop({ sql: true });
  const { database } = await owner.ok("retrieveDatabase", { ...slug, databaseName: "orders" });
  const page = await (await fetch(`${api.url}/?database=${database.DbId}`)).text();
  const files = (["page.css", "live.js", "morphlex.min.js"] as const).map(publishedAsset);
  const sizes = [page, ...files].map((text) => Buffer.byteLength(text));
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(60_000);
});
