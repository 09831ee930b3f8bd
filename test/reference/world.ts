import { afterEach } from "vitest";
import type { ReferenceApi, ReferenceApiOptions } from "../../platform/reference/server";
import { type ApiCaller, calling } from "./calling";
import { startServers } from "./servers";

export const NOON = "2026-03-01T12:00:00.000Z";

const running: ReferenceApi[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((api) => api.close()));
});

/**
 * Starts a reference API whose clock shows noon, and returns helpers that act as the organization's owner. The
 * reference API stops when the test ends.
 */
export async function world(options: ReferenceApiOptions = {}) {
  const api = await startServers({ now: NOON, ...options });
  running.push(api);
  const owner = calling(api);
  const slug = { organizationSlug: api.organization };
  const id = { organizationId: api.organizationId };
  return {
    api,
    owner,
    slug,
    id,
    as: async (wanted: Parameters<ReferenceApi["token"]>[0]): Promise<ApiCaller> =>
      calling(api, await api.token(wanted)),
    async database(name: string, group = "default"): Promise<string> {
      const { database } = await owner.ok("createDatabase", { ...slug, body: { name, group } });
      return database.DbId;
    },
    async group(name: string): Promise<string> {
      const { group } = await owner.ok("createGroup", { ...slug, body: { name, location: "aws-us-east-1" } });
      return group.uuid;
    },
    async liveNames(): Promise<string[]> {
      const { databases } = await owner.ok("listDatabases", slug);
      return databases.map(({ Name }) => Name);
    },
    async deletedNames(): Promise<string[]> {
      const { databases } = await owner.ok("listDeletedDatabases", { ...id, query: { deleted: "true" } });
      return databases.map(({ Name }) => Name).sort();
    },
    async groupNames(): Promise<string[]> {
      const { groups } = await owner.ok("listGroups", slug);
      return groups.map(({ name }) => name);
    },
  };
}
