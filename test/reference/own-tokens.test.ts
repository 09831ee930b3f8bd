import { describe, expect, test } from "vitest";
import { calling, raw } from "./calling";
import { PEOPLE } from "./people";
import { world } from "./world";

async function olgas() {
  const { api, as, advance, slug } = await started();
  const olga = await as({ user: "olga", organization: null, name: "laptop" });
  await olga.ok("createApiToken", { tokenName: "team", body: { organization: "acme" } });
  const scoped = { organization: "acme", group: "default", scopes: ["read-only"] };
  await olga.ok("createApiToken", { tokenName: "scoped", body: scoped });
  await olga.ok("createApiToken", { tokenName: "twin", body: { organization: "twin" } });
  const names = async (caller = olga) =>
    (await caller.ok("listOwnApiTokens", {})).tokens.map(({ name }) => name).sort();
  return { api, as, olga, names, advance, slug };
}

async function started() {
  const { api, as, slug } = await world({ seed: PEOPLE });
  // Removes the two tokens that the server created for Olga at startup.
  await calling(api, api.unrestrictedToken).ok("invalidateApiTokens", {});
  return { api, as, slug, advance: (seconds: number) => api.advance(seconds) };
}

describe("a user's own tokens", () => {
  test("wire-facts 5.2 are listed with their restrictions and their creation date", async () => {
    const { olga } = await olgas();
    const { tokens } = await olga.ok("listOwnApiTokens", {});
    const shown = { id: expect.stringMatching(/^[\w-]{22}$/), created_at: "2026-03-01" };
    expect(new Set(tokens)).toEqual(
      new Set([
        { name: "laptop", ...shown },
        { name: "team", organization: "acme", ...shown },
        { name: "scoped", organization: "acme", group: "default", scopes: ["read"], ...shown },
        { name: "twin", organization: "twin", ...shown },
      ]),
    );
  });

  test("wire-facts 5.2 can be revoked by name, after which requests with them return 401", async () => {
    const { api, olga, names } = await olgas();
    const { token } = await olga.ok("createApiToken", { tokenName: "ci", body: { organization: "acme" } });
    const ci = calling(api, token);
    await ci.ok("validateApiToken", {});
    expect(await olga.ok("revokeOwnApiToken", { tokenName: "ci" })).toEqual({ token: "ci" });
    expect(await ci.status("validateApiToken", {})).toBe(401);
    expect(await names()).toEqual(["laptop", "scoped", "team", "twin"]);
  });

  test("wire-facts 5.2 are listed without the tokens of other users", async () => {
    const { as, names } = await olgas();
    await as({ user: "adam", name: "adams" });
    expect(await names()).not.toContain("adams");
  });

  test("§5 rule 3 are visible to a restricted credential only if they are limited to its organization", async () => {
    const { as, names } = await olgas();
    const restricted = await as({ user: "olga", organization: "acme", name: "here" });
    expect(await names(restricted)).toEqual(["here", "scoped", "team"]);
    expect(await restricted.status("revokeOwnApiToken", { tokenName: "twin" })).toBe(404);
    expect(await restricted.status("revokeOwnApiToken", { tokenName: "laptop" })).toBe(404);
    await restricted.ok("revokeOwnApiToken", { tokenName: "scoped" });
    expect(await names()).toEqual(["here", "laptop", "team", "twin"]);
  });
});

describe("invalidating tokens", () => {
  test("wire-facts 5.4 revokes all tokens that the user has minted so far, including the token in use", async () => {
    const { api, as, olga, advance } = await olgas();
    const adam = await as({ user: "adam" });
    await advance(60);
    expect(await olga.ok("invalidateApiTokens", {})).toEqual({ ValidFrom: Date.parse("2026-03-01T12:01:00Z") / 1000 });
    expect(await olga.status("validateApiToken", {})).toBe(401);
    const fresh = calling(api, await api.token({ user: "olga", organization: null, name: "fresh" }));
    expect((await fresh.ok("listOwnApiTokens", {})).tokens.map(({ name }) => name)).toEqual(["fresh"]);
    await adam.ok("validateApiToken", {});
  });

  test("§5 rule 3 affects only the organization that the credential is restricted to", async () => {
    const { as, names } = await olgas();
    const restricted = await as({ user: "olga", organization: "acme" });
    await restricted.ok("invalidateApiTokens", {});
    expect(await restricted.status("validateApiToken", {})).toBe(401);
    expect(await names()).toEqual(["laptop", "twin"]);
  });
});

test("wire-facts 5.1 returns a new token in the nested form that the official CLI expects", async () => {
  const { api } = await olgas();
  const credential = await api.token({ user: "olga", organization: null });
  const answer = await raw(`${api.url}/v2/auth/api-tokens/ci`, {
    method: "POST",
    credential,
    body: '{"organization":"acme"}',
  });
  const { token } = await answer.json();
  expect(Object.keys(token).sort()).toEqual(["id", "name", "value"]);
  expect((await calling(api, token.value).ok("listOrganizations", {})).map(({ slug }) => slug)).toEqual(["acme"]);
});
