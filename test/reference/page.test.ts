// @module-tag the-reference-api

import { expect, test } from "vitest";
import { refuse } from "../../platform/reference/messages";
import { raw } from "./calling";
import { world } from "./world";

const rows = (text: string): string[] =>
  [...text.matchAll(/<th scope="row"><a [^>]*>([^<]*)</g)].map(([, name]) => name ?? "");

test("shows databases by group, and finds them by part of their name or of the group's name", async () => {
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

test("says that a database with the engine `tursodb` runs on SQLite", async () => {
  const { api, owner, slug } = await world();
  for (const use_tursodb of [true, false])
    await owner.ok("createDatabase", { ...slug, body: { name: use_tursodb ? "fast" : "plain", use_tursodb } });
  const rows = (await (await raw(api.url)).text()).split("<tr ").slice(1);
  expect(rows.map((row) => row.includes("tursodb, run on SQLite"))).toEqual([true, false]);
});

test("shows the number of search results and the total number of databases", async () => {
  const { api, owner, slug, database, group } = await world();
  await group("shop");
  for (const name of ["orders", "old-orders", "reviews"]) await database(name);
  for (let number = 10; number < 20; number += 1) await database(`cart-${number}`, "shop");
  for (const databaseName of ["reviews", "cart-19"]) await owner.status("deleteDatabase", { ...slug, databaseName });
  const textOf = async (query: string) =>
    (await (await raw(`${api.url}/${query}`)).text()).replace(/<[^>]*>|\s+/g, " ");
  const counts = async (query: string) =>
    [...(await textOf(query)).matchAll(/\d+ (of \d+ )?(databases?\b|more\b)/g)].map(([count]) => count);

  expect(await counts("")).toEqual(["2 databases", "9 databases", "1 more"]);
  expect(await counts("?search=old")).toEqual(["1 of 2 databases"]);
  expect(await counts("?search=cart-1")).toEqual(["9 databases", "1 more"]);
  expect(await counts("?search=cart-12")).toEqual(["1 of 9 databases"]);
  expect(await counts("?search=shop")).toEqual(["9 databases", "1 more"]);
  expect(await counts("?search=cart-1&group=shop")).toEqual(["9 databases"]);
  expect(await textOf("?search=old")).toContain("Nothing deleted within the last five days has “old” in its name.");
});

test("finds deleted groups by part of their name, ignores case, and takes wildcards literally", async () => {
  const { api, owner, slug, group } = await world();
  for (const groupName of ["spring", "summer"]) {
    await group(groupName);
    await owner.status("deleteGroup", { ...slug, groupName });
  }
  const shown = async (search: string) =>
    [...(await (await raw(`${api.url}/${search}`)).text()).matchAll(/<strong>(s[^<]*)</g)]
      .map(([, name]) => name)
      .sort();
  expect(await shown("")).toEqual(["spring", "summer"]);
  expect(await shown("?search=SPR")).toEqual(["spring"]);
  expect(await shown("?search=%25")).toEqual([]);
});

const FORMS = [
  "clock",
  "reset",
  "create-group",
  "delete-group",
  "create-database",
  "delete-database",
  "restore-database",
  "restore-group",
  "set-plan",
  "set-recovery",
  "create-token",
  "save-snapshot",
  "load-snapshot",
  "delete-snapshot",
  "sql",
];

test.each(["", "page/pulse"])("rejects the character U+0000 in the query string of /%s", async (path) => {
  const { api } = await world();
  for (const name of ["organization", "search", "group", "after", "database", "done"])
    expect([name, (await raw(`${api.url}/${path}?${name}=%00`)).status]).toEqual([name, 400]);
});

test("rejects the character U+0000 in a form", async () => {
  const { api } = await world();
  for (const form of FORMS) {
    const answer = await raw(`${api.url}/page/${form}`, { method: "POST", body: "organization=%00&object=%00" });
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringContaining("without the character U+0000"),
    ]);
  }
});

test("redirects a GET request for a form's address to the page", async () => {
  const { api } = await world();
  for (const form of [...FORMS, "sign-in"]) {
    const answer = await raw(`${api.url}/page/${form}`, { redirect: "manual" });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/"]);
  }
});

test("restores databases with a token of a current owner or admin, and reuses that token", async () => {
  const { api, as, owner, slug, id, database } = await world();
  await api.member("vera", "owner");
  const vera = await as({ user: "vera" });
  for (const name of ["orders", "reviews", "carts"]) {
    await database(name);
    await owner.ok("deleteDatabase", { ...slug, databaseName: name });
  }
  const { databases } = await owner.ok("listDeletedDatabases", { ...id, query: { deleted: "true" } });
  const tokens = async () => (await vera.ok("listApiTokens", slug)).tokens.length;
  const restore = async (at: number) => {
    const body = new URLSearchParams({ organization: api.organization, object: databases[at]?.DbId ?? "" });
    const answer = await raw(`${api.url}/page/restore-database`, { method: "POST", body, redirect: "manual" });
    return [answer.status, api.journal().at(-1)?.caller?.user];
  };
  expect(await restore(0)).toEqual([303, "ada"]);
  const before = await tokens();
  expect(await restore(1)).toEqual([303, "ada"]);
  expect(await tokens()).toBe(before);
  await api.member("ada", "viewer");
  expect(await restore(2)).toEqual([303, "vera"]);
});

test("asks for another name only if a restore fails because the old name is taken", async () => {
  const { api, owner, slug, group, database } = await world();
  await group("shop");
  const ids = { orders: await database("orders"), carts: await database("carts", "shop") };
  for (const databaseName of ["orders", "carts"]) await owner.ok("deleteDatabase", { ...slug, databaseName });
  await database("orders");
  await api.advance(60);
  await owner.ok("deleteGroup", { ...slug, groupName: "shop" });
  const answerTo = async (id: string) => {
    const body = new URLSearchParams({ organization: api.organization, object: id });
    return (await raw(`${api.url}/page/restore-database`, { method: "POST", body })).text();
  };
  const taken = await answerTo(ids.orders);
  expect(taken).toContain("database with name [orders] already exists");
  expect(taken.match(/<details class="rename" open>/g)).toHaveLength(1);
  const late = await answerTo(ids.carts);
  expect(late).toContain(refuse.groupDeletedLater({ group: "shop" }).message);
  expect(late).not.toContain('<details class="rename" open>');
});

test("counts a restored database as a search result only if its new name matches the search", async () => {
  const { api, owner, slug, id, database } = await world();
  for (let number = 10; number < 20; number += 1) await database(`cart-${number}`);
  const databaseId = await database("orders");
  await owner.status("deleteDatabase", { ...slug, databaseName: "orders" });
  await owner.ok("restoreDatabase", { ...id, databaseId, body: { name: "orders-2" } });
  const text = await (await raw(`${api.url}/?search=cart&database=${databaseId}`)).text();
  expect(rows(text)).toEqual(["orders-2", ...Array.from({ length: 8 }, (_, index) => `cart-${10 + index}`)]);
  expect(text).toContain("10 of 11 databases");
  expect(text).toContain(">2 more<");
});
