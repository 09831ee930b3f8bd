// @module-tag tokens

import { expect, test } from "vitest";
import { isRefusal } from "../../kit/refusal";
import { remove } from "../../kit/steps/delete";
import { diff } from "../../kit/steps/diff";
import { readManaged } from "../../kit/steps/read";
import { apiToken } from "../../provider/resources/token/api-token";
import { ownApiToken, ownApiTokenManaged } from "../../provider/resources/token/messages";
import { clientOf } from "../engine/engine-fixture";
import { type LifecycleFixture, lifecycleFixture } from "./lifecycle-fixture";

const organizationSlug = "acme";

/** Returns the message of the error, or "" if there is none. */
const refused = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "",
    (thrown) => {
      if (!isRefusal(thrown)) throw thrown;
      return thrown.message;
    },
  );

/** Imports a token, as a provider does that authenticates with `credential`. */
async function imported(id: string, credential: string, here: LifecycleFixture) {
  const context = here.again({}, { apiToken: credential });
  context.run.readsFirst = true;
  const known = { name: "", organizationId: here.api.organizationId };
  const read = await readManaged(apiToken, { id, inputs: {}, state: known }, context);
  const state = read?.state ?? {};
  const oldInputs = { name: state.name, keepers: { version: "1" } };
  context.run.note({ step: "check", urn: context.platform.urn, inputs: oldInputs });
  const replace = (name: unknown) =>
    refused(
      diff(
        apiToken,
        { id, oldInputs, state: { ...state, ...oldInputs }, news: { name, keepers: { version: "2" } } },
        context,
      ),
    );
  return { state, replace, remove: () => refused(remove(apiToken, { id, state }, context)) };
}

const tokensOf = async ({ api }: LifecycleFixture, username: string) => {
  const { tokens } = await clientOf(api, api.apiToken).listApiTokens({ organizationSlug });
  return tokens.filter(({ owner }) => owner?.username === username);
};

test("recognizes an imported API token as its own if its user has no other", async () => {
  const here = await lifecycleFixture();
  const credential = await here.api.token({ user: "max" });
  const [own] = await tokensOf(here, "max");
  const { id = "", name = "" } = own ?? {};
  const { replace, remove } = await imported(id, credential, here);
  expect(here.said).toEqual([ownApiTokenManaged({ name })]);
  for (const next of [name, "another"]) expect(await replace(next)).toContain(ownApiToken({ name }));
  expect(await remove()).toContain(ownApiToken({ name }));
  expect(await tokensOf(here, "max")).toHaveLength(1);
});

test("replaces an imported API token of another user", async () => {
  const here = await lifecycleFixture();
  await here.api.token({ user: "max" });
  const [other] = await tokensOf(here, "max");
  const { state, replace, remove } = await imported(other?.id ?? "", here.api.apiToken, here);
  expect(await replace(state.name)).toBe("");
  expect(await remove()).toBe("");
  expect(await tokensOf(here, "max")).toEqual([]);
});
