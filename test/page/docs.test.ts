import { expect, test } from "vitest";
import { world } from "../reference/world";
import { visit } from "./browser";

test("/docs shows the operations, and asks this host alone", async () => {
  const { api } = await world();
  const { page, asked, complaints } = await visit();
  await page.goto(`${api.url}/docs`);
  await page.getByRole("heading", { name: "Restore a deleted database." }).waitFor();
  expect(complaints).toEqual([]);
  expect(asked.filter((url) => !url.startsWith(api.url) && !/^(data|blob):/.test(url))).toEqual([]);
});
