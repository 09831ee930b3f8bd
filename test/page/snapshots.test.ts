import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { refuse } from "../../platform/reference/messages";
import { visit } from "./browser";
import { shop } from "./shop";

describe.each([
  ["with JavaScript", true],
  ["without JavaScript", false],
])("the page %s", (_name, javaScriptEnabled) => {
  const tags = javaScriptEnabled ? [] : ["more"];

  test("saves the state under a name, loads it again, and deletes it", { tags }, async () => {
    const { api, owner, slug, liveNames } = await shop();
    const before = await liveNames();
    const { page, complaints } = await visit({ javaScriptEnabled });
    await page.goto(api.url);
    const section = page.getByRole("region", { name: "Snapshots", exact: true });
    await section.getByLabel("Name", { exact: true }).fill("seeded");
    await section.getByRole("button", { name: "Save snapshot" }).click();
    await section.getByText("Snapshot seeded was saved.").waitFor();
    await section.getByText("with 6 databases without rows; clock at 01 Mar, 12:00:00").waitFor();
    expect(await api.snapshots()).toMatchObject([{ name: "seeded" }]);

    await owner.ok("deleteDatabase", { ...slug, databaseName: "catalogue" });
    await api.advance(3600);
    await section.getByText("Load…").click();
    await section.getByRole("button", { name: "Load snapshot seeded", exact: true }).click();
    await section.getByText("Snapshot seeded was loaded.").waitFor();
    expect(await liveNames()).toEqual(before);
    await page.locator('#now[datetime="2026-03-01T12:00:00.000Z"]').waitFor();

    await section.getByText("Delete…").click();
    await section.getByRole("button", { name: "Delete snapshot seeded", exact: true }).click();
    await section.getByText("Snapshot seeded was deleted.").waitFor();
    expect(await api.snapshots()).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

test("shows why a snapshot cannot be saved or loaded", async () => {
  const { api } = await shop();
  await api.save("seeded");
  const { page } = await visit();
  await page.goto(api.url);
  const section = page.getByRole("region", { name: "Snapshots", exact: true });
  await section.getByLabel("Name", { exact: true }).fill("seeded");
  await section.getByRole("button", { name: "Save snapshot" }).click();
  await section
    .getByRole("alert")
    .getByText(refuse.snapshotExists({ name: "seeded" }).message)
    .waitFor();

  // Without its script, the page does not notice the deletion by itself.
  const { page: still } = await visit({ javaScriptEnabled: false });
  await still.goto(api.url);
  await api.deleteSnapshot("seeded");
  await still.getByText("Load…").click();
  await still.getByRole("button", { name: "Load snapshot seeded", exact: true }).click();
  await still.getByRole("alert").getByText("there is no snapshot [seeded]").waitFor();
});

test("runs statements after a snapshot has replaced the rows and the keys", async () => {
  const { api } = await shop({ sql: true });
  await api.save("empty");
  const { page } = await visit();
  await page.goto(api.url);
  await page.getByRole("link", { name: "catalogue" }).click();
  await page.getByLabel("Allow changes").check();
  const run = async (statements: string) => {
    await page.getByLabel("Statements").fill(statements);
    await page.getByRole("button", { name: "Run the statements" }).click();
  };
  await run("create table items (name text)");
  await page.locator(".notice").getByText("0 rows changed").waitFor();
  await page.locator("#snapshots").getByText("Load…").click();
  await page.getByRole("button", { name: "Load snapshot empty", exact: true }).click();
  await page.getByText("Snapshot empty was loaded.").waitFor();
  await page.getByRole("link", { name: "catalogue" }).click();
  await run("select count(*) as tables from sqlite_schema");
  await page.getByRole("cell", { name: "0", exact: true }).waitFor();
});

test("shows the snapshots that another client saves and deletes", async () => {
  const { api } = await shop();
  const { page } = await visit();
  await page.goto(api.url);
  const section = page.getByRole("region", { name: "Snapshots", exact: true });
  await api.save("seeded");
  await section.getByText("with 6 databases").waitFor({ timeout: 5000 });
  await api.deleteSnapshot("seeded");
  await section.getByText("with 6 databases").waitFor({ state: "detached", timeout: 5000 });
});

test("updates itself although the folder of the snapshots cannot be read", async () => {
  const folder = await mkdtemp(join(tmpdir(), "page-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "file"), "");
  const { api, database } = await shop({ snapshots: join(folder, "file") });
  const { page } = await visit();
  await page.goto(api.url);
  await database("carts");
  await page.getByRole("rowheader", { name: "carts" }).waitFor();
});
