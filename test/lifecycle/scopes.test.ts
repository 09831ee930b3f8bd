import { expect, test } from "vitest";
import type { Properties } from "../../kit/lifecycle/properties";
import { create } from "../../kit/steps/create";
import { diff } from "../../kit/steps/diff";
import { apiToken } from "../../provider/resources/token/api-token";
import { lifecycleFixture } from "./lifecycle-fixture";

/**
 * Creates an API token and compares it with new arguments. Returns the paths that differ, each followed by "replaces"
 * if its change replaces the token.
 */
async function changes(before: Properties, after: Properties) {
  const here = await lifecycleFixture();
  const oldInputs = { name: "ci", ...before };
  const token = await create(apiToken, oldInputs, here.context);
  const { differences } = await diff(apiToken, { ...token, oldInputs, news: { name: "ci", ...after } }, here.again());
  return differences.map(({ path, replaces }) => (replaces ? `${path} replaces` : path));
}

const ofGroup = (...scopes: string[]) => ({ group: "default", scopes });

test("replaces an API token when its scopes change, but not when only their order changes", async () => {
  expect(await changes(ofGroup("read", "db:create"), ofGroup("read"))).toEqual(["scopes replaces"]);
  expect(await changes(ofGroup("read", "db:create"), ofGroup("db:create", "read"))).toEqual([]);
});

test("replaces an organization-scoped API token when the program adds a group and scopes", async () => {
  expect(await changes({}, ofGroup("read"))).toEqual(["group replaces", "scopes replaces"]);
});
