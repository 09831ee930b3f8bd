import { expect, test } from "vitest";
import { NEW_DATABASE } from "../../platform/reference/operations/database";
import { addDatabase } from "../../platform/reference/operations/database-creation";
import { addGroup, NEW_GROUP } from "../../platform/reference/operations/group";
import { world } from "../reference/world";
import { visit } from "./browser";
import { shop } from "./shop";

const uuid = (kind: number, number: number): string =>
  `${String(kind).padStart(8, "0")}-0000-4000-8000-${String(number).padStart(12, "0")}`;

test("the page stays small with 10,000 databases, and finds each database by part of its name", {
  tags: "more",
}, async () => {
  const { api } = await shop();
  await api.store.transaction([api.organizationId], async (state) => {
    for (let number = 0; number < 100; number += 1) {
      const group = { id: uuid(1, number), organization_id: api.organizationId, location: "aws-us-east-1" };
      await addGroup(state, { ...NEW_GROUP, ...group, name: `group-${String(number).padStart(3, "0")}` });
      for (let each = 0; each < 100; each += 1) {
        const serial = number * 100 + each;
        const database = { id: uuid(2, serial), organization_id: api.organizationId, group_id: group.id };
        await addDatabase(state, {
          ...NEW_DATABASE,
          ...database,
          name: `database-${String(serial).padStart(5, "0")}`,
        });
      }
    }
  });
  for (const search of ["", "?search=base-0", "?search=nothing", "?group=group-050"]) {
    const text = await (await fetch(`${api.url}/${search}`)).text();
    expect(text.length).toBeLessThan(100_000);
  }

  const { page } = await visit();
  await page.goto(api.url);
  await page.getByLabel("Part of a name").fill("base-09876");
  await page.getByRole("button", { name: "Find" }).click();
  await page.getByRole("rowheader", { name: "database-09876" }).waitFor();
  expect(await page.locator("#groups tbody tr").count()).toBe(1);
  await page.getByRole("link", { name: "All groups" }).click();
  await page.getByRole("link", { name: "More groups" }).click();
  await page.getByRole("link", { name: "92 more in group-012" }).click();
  expect(await page.locator("#groups tbody tr").count()).toBe(100);
});

test("lists the selected organization even if it is not among the first 500", async () => {
  const organizations = Array.from({ length: 502 }, (_, number) => ({
    slug: `org-${number}`,
    members: [{ username: "ada", role: "owner" as const }],
  }));
  const { api } = await world({ seed: { users: [{ username: "ada" }], organizations } });
  const text = await (await fetch(`${api.url}/?organization=org-501`)).text();
  expect(
    [...text.matchAll(/<option value="(org-50\d)"( selected)?/g)].map(([, slug, selected]) => slug + (selected ?? "")),
  ).toEqual(["org-501 selected"]);
  expect(text).toContain("<code>/?organization=</code>");
});
