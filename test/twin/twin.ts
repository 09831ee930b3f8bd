import { Instance } from "../../kit/instance";
import { configurationOf } from "../../platform/reference/operations/configuration";
import type { Seed } from "../../platform/reference/seed/seed";
import { type OpenReferenceApi, startReferenceApi } from "../../platform/reference/server";
import { dbplatform } from "../../provider/provider";
import { type OrganizationSeed, organizationSeed } from "../../provider/twin/organization-seed";
import { readOrganization } from "../../provider/twin/reading";

/** Reads an organization over HTTP, as the command does. */
export async function seedFrom(
  { url, organization, organizationId }: Pick<OpenReferenceApi, "url" | "organization" | "organizationId">,
  apiToken: string,
): Promise<OrganizationSeed> {
  const settings = { baseUrl: url, organization, organizationId, apiToken };
  const instance = new Instance(dbplatform, settings, {});
  const { signal } = new AbortController();
  try {
    return await organizationSeed(await readOrganization(instance.context({ urn: "", signal }).platform));
  } finally {
    await instance.close();
  }
}

/** Starts a twin whose clock shows the same time, with people who are in no organization. */
export async function startTwin(seed: Seed, now: Date, strangers: readonly string[] = []): Promise<OpenReferenceApi> {
  const known = new Set(seed.users.map(({ username }) => username));
  const users = [...seed.users, ...strangers.filter((name) => !known.has(name)).map((username) => ({ username }))];
  return startReferenceApi({ seed: { ...seed, users }, now: now.toISOString() });
}

/** Returns the names of the tokens that are not in the seed, because starts of the server have created them. */
export async function tokensOfStarts(
  twin: OpenReferenceApi,
  { organizations: [organization] }: Seed,
): Promise<string[]> {
  const seeded = new Set(organization?.tokens?.map(({ name }) => name));
  const all = await twin.store.read((state) => state.selectFrom("tokens").select("name").execute());
  return all.map(({ name }) => name).filter((name) => !seeded.has(name));
}

/** Returns answers without the tokens that have these names. */
export const withoutTokens = (answers: Record<string, unknown>, names: readonly string[]): Record<string, unknown> =>
  JSON.parse(JSON.stringify(answers), (_, value) =>
    Array.isArray(value) ? value.filter((each) => !names.includes(each?.name)) : value,
  );

/**
 * Returns the seed with what the platform does not show of deleted objects (docs/rehearsal.md), read from the store of
 * the original.
 */
export async function withHiddenFields(seed: Seed, { store }: OpenReferenceApi): Promise<Seed> {
  const [rows, groupRows] = await store.read(async (state) => [
    await state.selectFrom("databases").selectAll().execute(),
    await state.selectFrom("groups").selectAll().execute(),
  ]);
  const organizations = seed.organizations.map((organization) => ({
    ...organization,
    groups: organization.groups?.map((group) => {
      const row = group.deleted_at && groupRows.find(({ id }) => id === group.uuid);
      return row ? { ...group, location: row.location, other_locations: JSON.parse(row.other_locations) } : group;
    }),
    databases: organization.databases?.map((database) => {
      const row = rows.find(({ id, deleted_at }) => id === database.uuid && deleted_at !== null);
      if (!row) return database;
      const { added_locations: _, ...rest } = database;
      return { ...rest, ...configurationOf(row), added_locations: JSON.parse(row.added_locations) };
    }),
  })) as Seed["organizations"];
  return { ...seed, organizations };
}
