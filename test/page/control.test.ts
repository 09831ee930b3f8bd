import { describe, expect, test } from "vitest";
import { refuse } from "../../platform/reference/messages";
import { removeSetting } from "../../platform/reference/store/settings";
import { visit } from "./browser";
import { shop } from "./shop";

describe.each([
  ["with JavaScript", true],
  ["without JavaScript", false],
])("the page %s", (_name, javaScriptEnabled) => {
  const tags = javaScriptEnabled ? [] : ["more"];

  test("sets the clock forward or back to an instant, and freezes the clock there", { tags }, async () => {
    const { api } = await shop();
    await api.clock.run();
    const { page } = await visit({ javaScriptEnabled });
    await page.goto(api.url);
    for (const instant of ["2026-03-04T09:30:15", "2026-02-28T23:59:00"]) {
      await page.getByLabel("Set to (UTC)").fill(instant);
      await page.getByRole("button", { name: "Set the clock" }).click();
      await page.locator(`#now[datetime="${instant}.000Z"]`).waitFor();
      expect(await api.clock.now()).toEqual(new Date(`${instant}Z`));
      expect(await api.clock.stands()).toBe(true);
    }
  });

  test("asks for confirmation before a reset, and shows another organization if the current one is gone", {
    tags,
  }, async () => {
    const { api, owner, slug, liveNames } = await shop();
    const before = await liveNames();
    await owner.ok("createDatabase", { ...slug, body: { name: "loyalty", group: "default" } });
    await api.advance(3600);
    const { page } = await visit({ javaScriptEnabled });
    await page.goto(api.url);
    const confirm = page.getByRole("button", { name: "Reset everything" });
    expect(await confirm.isVisible()).toBe(false);
    await page.getByText("Reset…").click();
    await confirm.click();
    await page.getByText("Everything was reset to the initial data.").waitFor();
    await page.locator('#now[datetime="2026-03-01T12:00:00.000Z"]').waitFor();
    expect(await liveNames()).toEqual(before);

    const unrestricted = await api.token({ organization: null });
    const headers = { Authorization: `Bearer ${unrestricted}` };
    await fetch(`${api.url}/v1/organizations`, { method: "POST", headers, body: JSON.stringify({ name: "later" }) });
    await page.goto(`${api.url}/?organization=later`);
    await page.getByText("Reset…").click();
    await confirm.click();
    await page.getByRole("heading", { name: "shop", level: 1 }).waitFor();
  });
});

test("restores a database after a reset has invalidated the page's credential", async () => {
  const { api } = await shop();
  const { page } = await visit();
  await page.goto(api.url);
  await page.getByRole("button", { name: "Restore newsletter", exact: true }).click();
  await page.getByText("newsletter was restored").waitFor();
  await page.getByText("Reset…").click();
  await page.getByRole("button", { name: "Reset everything" }).click();
  await page.getByRole("button", { name: "Restore newsletter", exact: true }).click();
  await page.getByText("newsletter was restored").waitFor();
  expect(api.journal().map(({ operation, status }) => `${operation} ${status}`)).toEqual(["restoreDatabase 200"]);
});

test("explains next to the reset button why a reset is refused", async () => {
  const { api } = await shop();
  await api.store.transaction([], (state) => removeSetting(state, "seed"));
  const { page } = await visit();
  await page.goto(api.url);
  await page.getByText("Reset…").click();
  await page.getByRole("button", { name: "Reset everything" }).click();
  await page.locator("#reset").getByRole("alert").getByText(refuse.seedMissing().message).waitFor();
});

test("rejects an invalid time for the clock, and shows the expected format", async () => {
  const { api } = await shop();
  const send = (set: string) =>
    fetch(`${api.url}/page/clock`, { method: "POST", redirect: "manual", body: new URLSearchParams({ set }) });
  for (const set of ["", "tomorrow", "2026-02-30T12:00:00", "99999-01-01T00:00:00"]) {
    const answer = await send(set);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("2026-03-01T12:00:00 (UTC)");
  }
  expect((await send("2026-03-01T12:00")).status).toBe(303);
  expect((await send("2026-03-01T14:00:00+02:00")).status).toBe(303);
  expect(await api.clock.now()).toEqual(new Date("2026-03-01T12:00:00Z"));
});
