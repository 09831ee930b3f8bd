import { decodeJwt, decodeProtectedHeader, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, test } from "vitest";
import { SCOPES_WITHOUT_GROUP } from "../../platform/reference/messages";
import { calling, raw } from "./calling";
import { world } from "./world";

const named = (tokenName: string, body?: { organization?: string; group?: string; scopes?: string[] }) => ({
  tokenName,
  ...(body && { body }),
});

describe("creating a token", () => {
  test("§2.4, §5 rule 2 returns the token itself only once; neither the list nor the store contains it", async () => {
    const { api, owner, slug } = await world();
    const created = await owner.ok("createApiToken", named("ci", { organization: "acme" }));
    expect(created.id).toMatch(/^[\w-]{22}$/);
    const shown = JSON.stringify(await owner.ok("listApiTokens", slug));
    const { jti } = decodeJwt(created.token);
    const stored = await api.store.read((state) => state.selectFrom("tokens").selectAll().execute());
    for (const text of [shown, JSON.stringify(stored)]) {
      expect(text).toContain(created.id);
      expect(text).not.toContain(jti);
      expect(text).not.toContain(created.token);
    }
    expect(jti).not.toBe(created.id);
  });

  test("wire-facts 5.5 puts only the group, the organization and sorted scopes into a group-scoped token", async () => {
    const { owner, slug } = await world();
    const { group } = await owner.ok("retrieveGroup", { ...slug, groupName: "default" });
    const body = { organization: "acme", group: "default", scopes: ["read", "db:delete", "db:create"] };
    const { token } = await owner.ok("createApiToken", named("ci", body));
    expect(decodeProtectedHeader(token)).toEqual({ alg: "EdDSA", typ: "JWT" });
    expect(decodeJwt(token)).toEqual({
      jti: expect.any(String),
      org_id: expect.any(Number),
      group_uuid: group.uuid,
      scopes: { scopes: ["db:create", "db:delete", "read"] },
    });
  });

  test("wire-facts 5.5 puts the organization into a restricted token, but not into an unrestricted token", async () => {
    const { api, owner } = await world();
    const restricted = await owner.ok("createApiToken", named("one", { organization: "acme" }));
    expect(Object.keys(decodeJwt(restricted.token)).sort()).toEqual(["jti", "org_id"]);
    const unrestricted = calling(api, await api.token({ organization: null }));
    const { token } = await unrestricted.ok("createApiToken", named("all"));
    expect(Object.keys(decodeJwt(token))).toEqual(["jti"]);
  });

  test("§5 rule 6 expands presets to their scopes", async () => {
    const { owner, slug } = await world();
    await owner.ok("createApiToken", named("r", { organization: "acme", group: "default", scopes: ["read-only"] }));
    await owner.ok("createApiToken", named("f", { organization: "acme", group: "default", scopes: ["full-access"] }));
    const { tokens } = await owner.ok("listApiTokens", slug);
    const scopes = Object.fromEntries(tokens.map((token) => [token.name, token.scopes]));
    expect(scopes.r).toEqual(["read"]);
    expect(scopes.f).toHaveLength(9);
  });

  test("wire-facts 5.1 accepts each name only once per user, until the token is revoked", async () => {
    const { owner, slug, as, api } = await world();
    const { id } = await owner.ok("createApiToken", named("ci", { organization: "acme" }));
    await api.member("bob", "member");
    const bob = await as({ user: "bob" });
    await bob.ok("createApiToken", named("ci", { organization: "acme" }));
    await owner.ok("revokeApiToken", { ...slug, tokenId: id });
    await owner.ok("createApiToken", named("ci", { organization: "acme" }));
  });
});

describe("listing and revoking tokens", () => {
  test("§4.9, §5 rule 9 shows admins all tokens and other users only their own tokens", async () => {
    const { api, owner, slug, as } = await world();
    await api.member("adam", "admin");
    await api.member("vera", "viewer");
    const vera = await as({ user: "vera", name: "vera-1" });
    await vera.ok("createApiToken", named("vera-2", { organization: "acme" }));
    const adam = await as({ user: "adam", name: "adam-1" });

    const all = (await adam.ok("listApiTokens", slug)).tokens;
    expect(all.map(({ name, owner }) => [name, owner?.username])).toEqual(
      expect.arrayContaining([
        ["vera-1", "vera"],
        ["vera-2", "vera"],
        ["adam-1", "adam"],
      ]),
    );
    const own = (await vera.ok("listApiTokens", slug)).tokens;
    expect(own.map(({ name }) => name).sort()).toEqual(["vera-1", "vera-2"]);
    expect(own.map(({ owner }) => owner?.username)).toEqual(["vera", "vera"]);
    expect(own[0]?.created_at).toBe("2026-03-01");

    const ownId = own.find(({ name }) => name === "vera-2")?.id ?? "";
    expect(await vera.ok("revokeApiToken", { ...slug, tokenId: ownId })).toEqual({ token: ownId });
    expect(await owner.status("revokeApiToken", { ...slug, tokenId: ownId })).toBe(404);
  });

  test("wire-facts 5.3 omits unrestricted tokens, and returns 404 for an attempt to revoke one by id", async () => {
    const { api, owner, slug } = await world();
    const unrestricted = calling(api, await api.token({ organization: null }));
    const { id, name } = await unrestricted.ok("createApiToken", named("all"));
    const { tokens } = await owner.ok("listApiTokens", slug);
    expect(tokens.map((token) => token.name)).not.toContain(name);
    expect(await owner.status("revokeApiToken", { ...slug, tokenId: id })).toBe(404);
  });

  test("§3 row 6, §5 rule 10 makes requests with a revoked token fail with 401", async () => {
    const { api, owner, slug } = await world();
    const { id, token } = await owner.ok("createApiToken", named("ci", { organization: "acme" }));
    const ci = calling(api, token);
    expect(await ci.ok("validateApiToken", {})).toEqual({ exp: -1 });
    const official = await raw(`${api.url}/v1/auth/api-tokens/validate`, { credential: token });
    expect(await official.json()).toEqual({ exp: -1 });
    await owner.ok("revokeApiToken", { ...slug, tokenId: id });
    expect(await ci.refused("validateApiToken", {})).toEqual({ status: 401, error: "could not parse jwt id" });
  });
});

test("`api.token` rejects scopes without a group", async () => {
  const { api } = await world();
  await expect(api.token({ scopes: ["read"] })).rejects.toThrow(SCOPES_WITHOUT_GROUP);
});

describe("a group-scoped credential", () => {
  test("§5 rule 3 sees only its group and the databases in it", async () => {
    const { owner, slug, id, group, database, as } = await world();
    await group("shop");
    await database("mine", "shop");
    const foreign = await database("foreign", "default");
    for (const [name, home] of [
      ["gone-mine", "shop"],
      ["gone-foreign", "default"],
    ] as const) {
      await database(name, home);
      await owner.ok("deleteDatabase", { ...slug, databaseName: name });
    }
    const shop = await as({ group: "shop", scopes: ["full-access"] });
    expect((await shop.ok("listGroups", slug)).groups.map(({ name }) => name)).toEqual(["shop"]);
    expect((await shop.ok("listDatabases", slug)).databases.map(({ Name }) => Name)).toEqual(["mine"]);
    expect((await shop.ok("listDatabases", { ...slug, query: { group: "default" } })).databases).toEqual([]);
    const deleted = await shop.ok("listDeletedDatabases", { ...id, query: { deleted: "true" } });
    expect(deleted.databases.map(({ Name }) => Name)).toEqual(["gone-mine"]);
    expect(await shop.status("retrieveDatabase", { ...slug, databaseName: "foreign" })).toBe(404);
    expect(await shop.status("retrieveDatabaseById", { ...id, databaseId: foreign })).toBe(404);
    expect(await shop.status("retrieveGroup", { ...slug, groupName: "default" })).toBe(404);
  });
});

async function signed(claims: JWTPayload): Promise<string> {
  const { privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519" });
  return new SignJWT(claims).setProtectedHeader({ alg: "EdDSA", typ: "JWT" }).sign(privateKey);
}

function edited(token: string): string {
  const [header, , signature] = token.split(".");
  const claims = JSON.stringify({ ...decodeJwt(token), org_id: 2 });
  return [header, Buffer.from(claims).toString("base64url"), signature].join(".");
}

describe("authentication", () => {
  test.each([
    ["a missing Authorization header", undefined, "token contains an invalid number of segments"],
    ["text that is not a token", "nonsense", "token contains an invalid number of segments"],
    ["a token with an invalid signature", "eyJhbGciOiJFZERTQSJ9.eyJqdGkiOiJ4In0.AAAA", "could not parse jwt id"],
    ["an unsigned token", "eyJhbGciOiJub25lIn0.eyJqdGkiOiJ4In0.", "could not parse jwt id"],
  ])("wire-facts 9 fails with 401 for %s", async (_what, credential, error) => {
    const { api } = await world();
    const answer = await raw(`${api.url}/v1/locations`, { credential });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual({ error });
  });

  test.each<[string, (token: string) => Promise<string> | string]>([
    ["are signed with another key", async (token) => signed(decodeJwt(token))],
    ["are in an unsigned token", (token) => new UnsecuredJWT(decodeJwt(token)).encode()],
    ["have the signature of other claims", (token) => edited(token)],
    ["have no signature", (token) => token.replace(/[^.]+$/, "")],
  ])("§5 rule 1 fails with 401 if the claims of a valid token %s", async (_how, forge) => {
    const { api } = await world();
    const forged = await forge(api.apiToken);
    expect(decodeJwt(forged).jti).toBe(decodeJwt(api.apiToken).jti);
    const refusal = { status: 401, error: "could not parse jwt id" };
    expect(await calling(api, forged).refused("listLocations", {})).toEqual(refusal);
    await calling(api).ok("listLocations", {});
    expect(await calling(api, forged).refused("listLocations", {})).toEqual(refusal);
  });

  test("§5 fails with 401 for a token issued by another reference API", async () => {
    const [{ api }, other] = await Promise.all([world(), world()]);
    expect(await calling(api, other.api.apiToken).status("listLocations", {})).toBe(401);
  });
});
