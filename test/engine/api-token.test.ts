import * as dbplatform from "pulumi-dbplatform";
import { expect, test } from "vitest";
import { importedWithoutSecret, noLongerExists } from "../../kit/lifecycle/restore/messages";
import { isRefusal } from "../../kit/refusal";
import { clientOf, type EngineFixture, engineFixture } from "./engine-fixture";

const works = (here: EngineFixture, token: unknown): Promise<boolean> =>
  clientOf(here.api, String(token))
    .validateApiToken({})
    .then(
      () => true,
      (refusal) => {
        if (isRefusal(refusal, "unauthenticated")) return false;
        throw refusal;
      },
    );

async function idOf({ api, outside }: EngineFixture, name: unknown): Promise<string> {
  const { tokens } = await outside.listApiTokens({ organizationSlug: api.organization });
  return tokens.find((token) => token.name === name)?.id ?? "";
}

test("mints, imports and revokes tokens, and replaces a token that was revoked outside Pulumi", async () => {
  const here = await engineFixture();
  const { api, outside, writes } = here;
  const scoped: { scopes: string[] } = { scopes: ["full-access"] };
  const keepers: Record<string, string> = { quarter: "1" };
  let importing: { name: string; id: string } | undefined;
  const stack = await here.stack(async () => {
    const wide = new dbplatform.ApiToken("wide", { keepers: { ...keepers } });
    const narrow = new dbplatform.ApiToken("narrow", { group: "default", ...scoped });
    if (importing) new dbplatform.ApiToken("imported", { name: importing.name }, { import: importing.id });
    return { wide: wide.token, narrow: narrow.token, narrowName: narrow.name };
  });
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(writes()).toEqual(["createApiToken", "createApiToken"]);
  const first = await stack.outputs();
  expect(await works(here, first.wide)).toBe(true);
  expect(await works(here, first.narrow)).toBe(true);

  // A list of all scopes, in any order, is equivalent to `full-access` and causes no update.
  const [entry] = (await outside.listApiTokens({ organizationSlug: api.organization })).tokens.filter(
    ({ name }) => name === first.narrowName,
  );
  scoped.scopes = [...(entry?.scopes ?? [])].reverse();
  expect(scoped.scopes).toHaveLength(9);
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
  expect(writes()).toEqual([]);

  // A preview without `--refresh` reports the revocation, and the next update creates a new token.
  await outside.revokeApiToken({ organizationSlug: api.organization, tokenId: await idOf(here, first.narrowName) });
  writes();
  const preview = await stack.preview({ expectNoChanges: true });
  expect(preview.code).toBe(7);
  expect(preview.output).toContain(noLongerExists({ title: "", reason: "" }).slice(0, -1));
  expect(await stack.up()).toMatchObject({ code: 0 });
  const second = await stack.outputs();
  expect(await works(here, first.narrow)).toBe(false);
  expect(await works(here, second.narrow)).toBe(true);
  expect(second.wide).toBe(first.wide);

  // Changing the scopes or keepers creates a new token and revokes the old token.
  scoped.scopes = ["read"];
  keepers.quarter = "2";
  const changed = await stack.preview();
  expect(changed.output).toMatch(/narrow replace \[diff: ~scopes\]/);
  expect(changed.output).toMatch(/wide replace \[diff: ~keepers\]/);
  expect(await stack.up()).toMatchObject({ code: 0 });
  const third = await stack.outputs();
  expect(await works(here, second.narrow)).toBe(false);
  expect(await works(here, first.wide)).toBe(false);
  expect(await works(here, third.narrow)).toBe(true);

  // An imported token has no `token` in its state. The missing value must not count as a difference.
  const foreign = await outside.createApiToken({ tokenName: "by-hand", body: { organization: api.organization } });
  importing = { name: "by-hand", id: "by-hand" };
  const byName = await stack.up();
  expect(byName.code).not.toBe(0);
  expect(byName.output).toContain(`\`import: "${foreign.id}"\``);
  expect(await works(here, foreign.token)).toBe(true);
  importing.id = foreign.id;
  const imported = await stack.up();
  expect(imported).toMatchObject({ code: 0 });
  expect(imported.output).toContain(importedWithoutSecret({ kind: "API token", property: "token" }));
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });

  expect(await stack.destroy()).toMatchObject({ code: 0 });
  for (const token of [third.narrow, third.wide, foreign.token]) expect(await works(here, token)).toBe(false);
});

test("§3 mints a new token after the token's group is deleted, even if the group is restored", async () => {
  const here = await engineFixture();
  const { api, outside } = here;
  const orders = await here.database("orders", "other");
  const stack = await here.stack(async () => {
    const { token } = new dbplatform.ApiToken("ci", { group: "other", scopes: ["read"] });
    return { token };
  });
  await stack.deploy();
  const { token } = await stack.outputs();
  await outside.deleteGroup({ organizationSlug: api.organization, groupName: "other" });
  await outside.restoreDatabase({ organizationId: api.organizationId, databaseId: orders });
  expect(await works(here, token)).toBe(false);
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await works(here, (await stack.outputs()).token)).toBe(true);
});

test("§5 rule 9 does not treat a token as deleted when the user sees only their own tokens", async () => {
  const here = await engineFixture();
  const stack = await here.stack(async () => {
    const { token } = new dbplatform.ApiToken("ci", {});
    return { token };
  });
  await stack.deploy();
  const { token } = await stack.outputs();
  stack.setEnvironment({ DBPLATFORM_API_TOKEN: await here.api.token({ user: "max" }) });
  const refreshed = await stack.refresh();
  expect(refreshed.code).not.toBe(0);
  expect(refreshed.output).toContain("does not see API token");
  expect((await stack.exportState()).deployment.resources).toHaveLength(3);
  expect((await stack.destroy()).code).not.toBe(0);
  expect(await works(here, token)).toBe(true);
});
