// @module-tag the-reference-api

import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type OpenReferenceApi, startReferenceApi } from "../../platform/reference/server";
import { MOST_PREPARED } from "../../platform/reference/store/node-sqlite";
import { type ApiCaller, calling, raw } from "./calling";
import { type Data, engine, freshData } from "./data";
import { NOON } from "./world";

let data: Data;
let asked: OpenReferenceApi;
/**
 * A second server on the same data. With the memory engine, this is the same server as `asked`, because in-memory data
 * cannot be shared.
 */
let other: OpenReferenceApi;

beforeEach(async () => {
  data = await freshData();
  asked = await startReferenceApi({ data: data.place, now: NOON });
  other = engine === "memory" ? asked : await startReferenceApi({ data: data.place });
});

afterEach(async () => {
  await asked.close();
  if (other !== asked) await other.close();
  await data.remove();
});

const inAcme = () => ({ organizationSlug: asked.organization });

/** Returns the status codes of the same read before and after a change. */
async function around(caller: ApiCaller, change: () => Promise<unknown>): Promise<readonly number[]> {
  const read = () => caller.status("listDatabases", inAcme());
  await read();
  const before = await read();
  await change();
  return [before, await read()];
}

describe.each([
  ["through this server", () => asked],
  ["through another server on the same data", () => other],
])("the first request after a change %s", (_name, by) => {
  test("fails if its token was revoked", async () => {
    const credential = await asked.token({ user: "ada", name: "short-lived" });
    const tokens = await calling(by()).ok("listApiTokens", inAcme());
    const tokenId = tokens.tokens.find(({ name }) => name === "short-lived")?.id ?? "";
    const revoke = () => calling(by()).ok("revokeApiToken", { ...inAcme(), tokenId });
    expect(await around(calling(asked, credential), revoke)).toEqual([200, 401]);
  });

  test("returns 404 if the caller was removed from the organization", async () => {
    await asked.member("mira", "member");
    const mira = calling(asked, await asked.token({ user: "mira" }));
    const remove = () => calling(by()).ok("removeMember", { ...inAcme(), username: "mira" });
    expect(await around(mira, remove)).toEqual([200, 404]);
  });

  test("fails if the user's new role does not permit the operation", async () => {
    await asked.member("mira", "admin");
    const mira = calling(asked, await asked.token({ user: "mira" }));
    const rename = () => mira.status("updateOrganization", { ...inAcme(), body: { overages: false } });
    expect(await rename()).toBe(200);
    await mira.ok("listDatabases", inAcme());
    await by().member("mira", "viewer");
    expect(await rename()).toBe(403);
  });

  test("fails with a token that a reset removed", async () => {
    const late = calling(asked, await asked.token());
    expect(await around(late, () => by().reset())).toEqual([200, 401]);
  });

  test("shows the new time after the clock is moved", async () => {
    const date = async () => {
      const answer = await raw(`${asked.url}/v1/organizations`, { credential: asked.apiToken });
      return answer.headers.get("Date");
    };
    await date();
    expect(await date()).toBe("Sun, 01 Mar 2026 12:00:00 GMT");
    await by().advance(3600);
    expect(await date()).toBe("Sun, 01 Mar 2026 13:00:00 GMT");
  });

  test("returns the new values of the record", async () => {
    const place = { ...inAcme(), databaseName: "orders" };
    await calling(by()).ok("createDatabase", { ...inAcme(), body: { name: "orders", group: "default" } });
    const isProtected = async () => (await calling(asked).ok("retrieveDatabaseConfiguration", place)).delete_protection;
    await isProtected();
    expect(await isProtected()).toBe(false);
    await calling(by()).ok("updateDatabaseConfiguration", { ...place, body: { delete_protection: true } });
    expect(await isProtected()).toBe(true);
  });
});

test("a change that is refused does not appear in later responses", async () => {
  const owner = calling(asked);
  const names = async () => (await owner.ok("listDatabases", inAcme())).databases.map(({ Name }) => Name);
  await owner.ok("createDatabase", { ...inAcme(), body: { name: "orders", group: "default" } });
  expect(await names()).toEqual(["orders"]);
  expect(await owner.status("createDatabase", { ...inAcme(), body: { name: "orders", group: "default" } })).toBe(409);
  expect(await names()).toEqual(["orders"]);
});

test.runIf(engine === "file")("rejects a token as soon as another program deletes it from the file", async () => {
  const remove = async () => {
    const file = new DatabaseSync(data.place);
    file.exec("delete from tokens");
    file.close();
  };
  expect(await around(calling(asked), remove)).toEqual([200, 401]);
});

test("answers after more different statements than are kept prepared", async () => {
  const { store } = asked;
  const counted = (count: number) =>
    store.read(async (state) => {
      const ids = Array.from({ length: count }, (_, index) => `${index}`);
      return (await state.selectFrom("users").select("username").where("id", "not in", ids).execute()).length;
    });
  const before = await counted(1);
  for (let count = 2; count <= MOST_PREPARED + 2; count++) expect(await counted(count)).toBe(before);
  expect(await counted(1)).toBe(before);
  expect(await calling(asked).status("listDatabases", inAcme())).toBe(200);
});
