import { expect, test } from "vitest";
import { raw } from "./calling";
import { world } from "./world";

const rows = (text: string): string[] => [...text.matchAll(/<th scope="row">([^<]*)</g)].map(([, name]) => name ?? "");

test("the page shows groups with their databases, and finds them by a part of a name, whatever the engine", async () => {
  const { api, database, group } = await world();
  await group("shop");
  for (const name of ["orders", "old-orders", "reviews"]) await database(name);
  await database("carts", "shop");
  const shown = async (search: string) => rows(await (await raw(`${api.url}/${search}`)).text());

  expect(await shown("")).toEqual(["old-orders", "orders", "reviews", "carts"]);
  expect(await shown("?search=ORDER")).toEqual(["old-orders", "orders"]);
  expect(await shown("?search=sho")).toEqual(["carts"]);
  expect(await shown("?search=%25")).toEqual([]);
  expect(await shown("?group=shop")).toEqual(["carts"]);
  expect(await shown("?after=default")).toEqual(["carts"]);
});
