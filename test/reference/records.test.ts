import { describe, expect, test } from "vitest";
import * as z from "zod";
import { flags } from "../configuration-flags";
import { raw } from "./calling";
import { NOON, world } from "./world";

/** Schemas for the records of §2. A record must not have any additional fields; a location map may have any keys. */
const uuid = z.guid();
const instant = z.iso.datetime({ offset: true });
const DeletedDatabase = z.strictObject({
  Name: z.string(),
  DbId: uuid,
  Hostname: z.hostname(),
  group: z.string(),
  group_id: uuid,
  organization_id: uuid,
  regions: z.array(z.string()),
  primaryRegion: z.string(),
  delete_protection: z.boolean(),
  deleted_at: instant,
});
const DeletedGroup = z.strictObject({ uuid, name: z.string(), deleted_at: instant, cascade_databases: z.int() });
const Configuration = z.strictObject({
  size_limit: z.string(),
  ...Object.fromEntries(Object.keys(flags(false)).map((name) => [name, z.boolean()])),
  allowed_ips: z.array(z.string()),
  allowed_aws_vpc_ids: z.array(z.string()),
});
const CreatedToken = z.strictObject({ name: z.string(), id: z.string(), token: z.jwt() });
const LocationMap = z.record(z.string().regex(/^(?:[a-z]{3}|aws-[a-z]+-[a-z]+-\d)$/), z.string().min(1));

async function deletions() {
  const { api, owner, slug, database, group } = await world();
  await group("shop");
  await database("orders", "shop");
  await database("single");
  await owner.ok("deleteDatabase", { ...slug, databaseName: "single" });
  await owner.ok("deleteGroup", { ...slug, groupName: "shop" });
  return api;
}

async function records(path: (id: string) => string, key: string): Promise<unknown[]> {
  const api = await deletions();
  const answer = await raw(api.url + path(api.organizationId), { credential: api.apiToken });
  expect(answer.status).toBe(200);
  return (await answer.json())[key];
}

describe("returns exactly the documented fields", () => {
  test("§2.1 for a deleted database, with `group_deleted_at` only if its group was deleted with it", async () => {
    const found = await records((id) => `/v3/organizations/${id}/databases?deleted=true`, "databases");
    const [orders, single] = (found as { Name: string }[]).sort((one, other) => (one.Name < other.Name ? -1 : 1));
    expect(DeletedDatabase.parse(single).deleted_at).toBe(NOON);
    expect(DeletedDatabase.extend({ group_deleted_at: instant }).parse(orders).group_deleted_at).toBe(NOON);
  });

  test("§2.3 for a deleted group", async () => {
    const [shop] = await records((id) => `/v3/organizations/${id}/deleted-groups`, "groups");
    expect(DeletedGroup.parse(shop)).toMatchObject({ name: "shop", deleted_at: NOON, cascade_databases: 1 });
  });

  test("§2.2 when a configuration is read or changed", async () => {
    const { api, database } = await world();
    await database("orders");
    const path = `${api.url}/v1/organizations/acme/databases/orders/configuration`;
    for (const init of [{}, { method: "PATCH", body: '{"size_limit":"256mb"}' }])
      Configuration.parse(await (await raw(path, { ...init, credential: api.apiToken })).json());
  });

  test("§2.4, §4.2 for a created API token", async () => {
    const { api } = await world();
    const path = `${api.url}/v1/auth/api-tokens/ci`;
    const body = '{"organization":"acme"}';
    const answer = await raw(path, { method: "POST", credential: api.apiToken, body });
    expect(answer.status).toBe(200);
    const { name, token } = CreatedToken.parse(await answer.json());
    expect(name).toBe("ci");
    expect((await raw(`${api.url}/v1/auth/validate`, { credential: token })).status).toBe(200);
  });

  test("§2.5 for the location map", async () => {
    const { api } = await world();
    const answer = await (await raw(`${api.url}/v1/locations`, { credential: api.apiToken })).json();
    z.strictObject({ locations: LocationMap }).parse(answer);
  });
});
