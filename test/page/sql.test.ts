import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { statementsIn } from "../../platform/reference/page/sql-console";
import { NOT_WRITING } from "../../platform/reference/sql/messages";
import { visit } from "./browser";
import { shop } from "./shop";

/** Opens the database `catalogue` on the page of a server with SQL. */
async function catalogue() {
  const here = await shop({ sql: true });
  const { database } = await here.owner.ok("retrieveDatabase", { ...here.slug, databaseName: "catalogue" });
  const visited = await visit({ permissions: ["clipboard-read", "clipboard-write"] });
  await visited.page.goto(`${here.api.url}/?database=${database.DbId}`);
  return { ...here, ...visited, id: database.DbId };
}

const RESULT = ".opened .report";

/** Runs statements, and returns the texts of the first alert or status that is new. */
async function run(page: Page, statements: string, { writes = false } = {}): Promise<string> {
  await page.getByLabel("Allow changes").setChecked(writes);
  await page.getByLabel("Statements").fill(statements);
  await page.evaluate((selector) => document.querySelector(selector)?.remove(), RESULT);
  await page.getByRole("button", { name: "Run the statements" }).click();
  return (await page.locator(`${RESULT} > p`).first().textContent()) ?? "";
}

const cells = (page: Page) =>
  page.locator(".rows td").evaluateAll((all) => all.map((cell) => cell.textContent?.replace(/\s+/g, " ")));

test("shows the type of each value", async () => {
  const { page } = await catalogue();
  await run(page, "select null, x'00ff', 7, 7.0, '7', '', 9007199254740993, -0.0, 1e999");
  const shown = ["NULL", "x'00ff' BLOB, 2 bytes", "7", "7.0", "7", "", "9007199254740993", "-0.0", "infinity"];
  expect(await cells(page)).toEqual(shown);
  const alignments = await page
    .locator(".rows td")
    .evaluateAll((all) => all.slice(2, 5).map((cell) => getComputedStyle(cell).textAlign));
  expect(alignments).toEqual(["right", "right", "left"]);
});

test("refuses changes until they are allowed, in the server's words", async () => {
  const { page, api } = await catalogue();
  expect(await run(page, "create table items (name text)")).toContain(NOT_WRITING);
  expect(await run(page, "create table items (name text)", { writes: true })).toContain("0 rows changed");
  expect(await run(page, "insert into items values ('socks'), ('shoes')", { writes: true })).toContain(
    "2 rows changed",
  );
  expect(await run(page, "delete from items")).toContain(NOT_WRITING);
  const tokens = api.journal().filter(({ operation }) => operation === "createDatabaseToken");
  expect(tokens).toHaveLength(2);
});

test("shows the results of several statements, and runs none after an error", async () => {
  const { page } = await catalogue();
  const failed = await run(
    page,
    "create table t (x); insert into t values (1); insert into nowhere values (1); insert into t values (2)",
    { writes: true },
  );
  expect(failed).toContain("no such table: nowhere");
  expect(await page.locator(".result .about").last().textContent()).toContain("Not run");
  await run(page, "select count(*) from t; select 'two'");
  expect(await cells(page)).toEqual(["1", "two"]);
});

test("runs statements once while Ctrl+Enter is held down", async () => {
  const { page } = await catalogue();
  await run(page, "create table items (name text)", { writes: true });
  await page.getByLabel("Statements").fill("insert into items values ('socks')");
  for (let repeats = 0; repeats < 5; repeats += 1) {
    if (repeats === 0) await page.keyboard.down("Control");
    await page.keyboard.down("Enter");
  }
  await page.locator(RESULT).getByText("1 row changed").waitFor();
  await page.keyboard.up("Enter");
  await page.keyboard.up("Control");
  expect(await run(page, "select name from items")).toContain("1 row,");
});

test("runs statements once after a double click", async () => {
  const { page } = await catalogue();
  await run(page, "create table items (name text)", { writes: true });
  await page.getByLabel("Statements").fill("insert into items values ('socks')");
  await page.getByRole("button", { name: "Run the statements" }).dblclick({ delay: 80 });
  await page.locator(RESULT).getByText("1 row changed").waitFor();
  expect(await run(page, "select name from items")).toContain("1 row,");
});

test("runs statements once if the browser sends them twice, as after a double click without a script", async () => {
  const { api, page } = await catalogue();
  await run(page, "create table items (name text)", { writes: true });
  const form = page.locator("form[action^='/page/sql']");
  const fields = await form.evaluate((element: HTMLFormElement) =>
    [...new FormData(element)].map(([name, value]) => [name, String(value)]),
  );
  const body = new URLSearchParams({ ...Object.fromEntries(fields), statement: "insert into items values ('socks')" });
  const send = async () => (await fetch(`${api.url}/page/sql`, { method: "POST", body })).text();
  const answers = await Promise.all([send(), send()]);
  expect(answers.map((answer) => answer.includes("1 row changed"))).toEqual([true, true]);
  expect(await (await fetch(`${api.url}/page/sql`, { method: "POST", body })).text()).toContain("1 row changed");
  expect(await run(page, "select name from items")).toContain("1 row,");
  await run(page, "insert into items values ('socks')", { writes: true });
  await run(page, "insert into items values ('socks')", { writes: true });
  expect(await run(page, "select name from items")).toContain("3 rows,");
});

test("says that statements are too long, and keeps them", async () => {
  const { page } = await catalogue();
  const statements = `select '${"x".repeat(1_000_000)}'`;
  await page.getByLabel("Statements").fill(statements);
  await page.getByRole("button", { name: "Run the statements" }).click();
  const alert = await page.getByRole("alert").textContent();
  expect(alert).toContain("Nothing was done, because the form is larger than 64 KiB.");
  expect(await page.getByLabel("Statements").inputValue()).toHaveLength(statements.length);
});

test("says that a transaction without COMMIT was rolled back", async () => {
  const { page } = await catalogue();
  await run(page, "create table items (name text)", { writes: true });
  const said = await run(page, "begin; insert into items values ('socks')", { writes: true });
  expect(said).toContain("rolled back");
  expect(await run(page, "begin", { writes: true })).toContain("rolled back");
  expect(await run(page, "begin; insert into items values ('socks'); commit", { writes: true })).toContain(
    "successful",
  );
  expect(await run(page, "select name from items")).toContain("1 row,");
});

test("shows the first 100 rows, and says how many there are", async () => {
  const { page } = await catalogue();
  const many = "with recursive c(x) as (select 1 union all select x + 1 from c limit 250) select x from c";
  expect(await run(page, many)).toContain("The first 100 of 250 rows");
  expect(await page.locator(".rows tbody tr").count()).toBe(100);
});

test("shows names, values and errors of a database as text, even if they contain HTML", async () => {
  const { page, complaints } = await catalogue();
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => void dialogs.push(dialog.message()));
  const image = "<img src=x onerror=alert(1)>";
  await run(page, `select '${image}' as "<script>alert(2)</script>", '</textarea>${image}'`);
  expect(await cells(page)).toEqual([image, `</textarea>${image}`]);
  expect(await page.locator(".rows th").first().textContent()).toContain("<script>alert(2)</script>");
  expect(await run(page, `select * from "${image}"`)).toContain(`no such table: ${image}`);
  expect(await page.locator("main img, main script").count()).toBe(0);
  expect([dialogs, complaints]).toEqual([[], []]);
});

test("announces results to screen readers, and leaves the focus and the text in place", async () => {
  const { page } = await catalogue();
  const field = page.getByLabel("Statements");
  await field.fill("select 1 union select 2");
  await field.press("Control+Enter");
  await page.locator("#announcements").getByText("2 rows,").waitFor();
  expect(await field.inputValue()).toBe("select 1 union select 2");
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("statement");
});

test("keeps results and typed statements while the page updates itself", async () => {
  const { page, owner, slug } = await catalogue();
  await run(page, "select 'kept'");
  await owner.ok("createDatabase", { ...slug, body: { name: "sooner", group: "default" } });
  await page.getByRole("rowheader", { name: "sooner" }).waitFor();
  expect(await page.getByLabel("Statements").inputValue()).toBe("select 'kept'");
  await page.getByLabel("Statements").fill("select 'typed'");
  await owner.ok("createDatabase", { ...slug, body: { name: "later", group: "default" } });
  await page.getByRole("rowheader", { name: "later" }).waitFor();
  expect(await cells(page)).toEqual(["kept"]);
  expect(await page.getByLabel("Statements").inputValue()).toBe("select 'typed'");
});

test("runs statements after the page's token has expired", async () => {
  const { page, api } = await catalogue();
  await run(page, "select 1");
  await api.advance(2 * 3600);
  expect(await run(page, "select 2")).toContain("1 row,");
  expect(api.journal().at(-1)).toMatchObject({ operation: "sql", status: 200 });
});

test("shows the request of statements, which does the same with a token of the database", async () => {
  const { page, api, id, owner, slug } = await catalogue();
  await run(page, "select 'it''s' as x");
  const line = (await page.locator(`${RESULT} .request code`).textContent()) ?? "";
  expect(line).toContain(`"$DBPLATFORM_BASE_URL/sql/${id}/v3/pipeline"`);
  const { jwt } = await owner.ok("createDatabaseToken", { ...slug, databaseName: "catalogue", query: {} });
  const body = /-d '(.*)'$/.exec(line)?.[1]?.replaceAll(`'\\''`, "'") ?? "";
  const headers = { Authorization: `Bearer ${jwt}` };
  const answer = await fetch(`${api.url}/sql/${id}/v3/pipeline`, { method: "POST", headers, body });
  expect(await answer.json()).toMatchObject({
    results: [{ response: { result: { rows: [[{ type: "text", value: "it's" }]] } } }, { type: "ok" }, { type: "ok" }],
  });
});

test("creates a token for a client, shows it on demand and only once, and copies it", async () => {
  const { page, api, id } = await catalogue();
  await page.getByLabel("Token", { exact: true }).selectOption("read-only");
  await page.getByRole("button", { name: "Create token of catalogue" }).click();
  await page.getByText("A read-only token of catalogue was created. It is shown only once.").waitFor();
  expect(await page.locator("#new-token").isVisible()).toBe(false);
  await page.getByRole("button", { name: "Copy the token", exact: true }).click();
  await page.getByRole("status").getByText("Copied the token").waitFor();
  const search = page.getByLabel("Part of a name");
  await search.press("Control+V");
  const token = await search.inputValue();
  expect(await api.verifySqlToken(token, id)).toMatchObject({ authorization: "read-only", name: "catalogue" });
  expect(await page.locator(".request code").textContent()).toContain("auth/tokens?expiration=1d");

  await page.reload();
  expect(await page.content()).not.toContain(token);
  expect(JSON.stringify(api.journal())).not.toContain(token);
});

test("copies the address of a database, and says how to start SQL if it is off", async () => {
  const { page, id, api } = await catalogue();
  await page.getByRole("button", { name: "Copy the address of catalogue" }).click();
  await page.getByRole("status").getByText("Copied the address").waitFor();
  const search = page.getByLabel("Part of a name");
  await search.press("Control+V");
  expect(await search.inputValue()).toBe(`${api.url}/sql/${id}/`);

  const without = await shop();
  await page.goto(without.api.url);
  await page.getByRole("link", { name: "catalogue" }).click();
  await page.getByText("Start it with --sql to run statements").waitFor();
  expect(await page.getByLabel("Statements").count()).toBe(0);
});

test("splits a script into statements as SQLite's shell does", () => {
  const trigger = "create temp trigger t after insert on a begin select ';'; select case when 1 then 2 end; end";
  for (const [script, ...statements] of [
    ["select 1", "select 1"],
    ["select 1; ;\n select 2;", "select 1", "select 2"],
    [`select ';', ";", [;], \`;\`; select 'it''s;'`, "select ';', \";\", [;], `;`", "select 'it''s;'"],
    ["-- a; b\nselect 1 /* ; */; -- c;", "-- a; b\nselect 1 /* ; */"],
    [`${trigger}; select 2`, trigger, "select 2"],
    ["EXPLAIN QUERY PLAN select 1; begin; end; select 2", "EXPLAIN QUERY PLAN select 1", "begin", "end", "select 2"],
    ["select 'open; text", "select 'open; text"],
    [" -- nothing", " -- nothing"],
  ] as const)
    expect(statementsIn(script ?? "")).toEqual(statements);
});
