import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, onTestFinished } from "vitest";
import { api as contract } from "../../platform/contract/api";
import type { Endpoint } from "../../platform/contract/endpoint";
import { type Rows, readRows } from "../../platform/reference/seed/store-rows";
import { type OpenReferenceApi, type ReferenceApiOptions, startReferenceApi } from "../../platform/reference/server";
import { calling, raw } from "./calling";
import { engine, freshData } from "./data";
import type { Place } from "./sql/sql";

const NOON = "2026-03-01T12:00:00.000Z";

const running: OpenReferenceApi[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((api) => api.close()));
});

/** Returns a new folder, which is removed when the test ends. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "snapshots-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Returns options for a server with SQL on new data, in the storage engine of the current test run. */
export async function freshOptions() {
  const data = await freshData();
  onTestFinished(data.remove);
  const folder = await newFolder();
  return {
    data: data.place,
    snapshots: join(folder, "snapshots"),
    sql: true,
    now: NOON,
    ...(engine === "postgres" && { sqlFolder: join(folder, "rows") }),
  };
}

/** Starts a server. It stops when the test ends. */
export async function started(options: ReferenceApiOptions): Promise<OpenReferenceApi> {
  const api = await startReferenceApi(options);
  running.push(api);
  return api;
}

/** Returns functions that change a server's databases as its owner. */
export function shop(api: OpenReferenceApi) {
  const owner = calling(api);
  const slug = { organizationSlug: api.organization };
  const token = async (databaseName: string): Promise<string> =>
    (await owner.ok("createDatabaseToken", { ...slug, databaseName, query: {}, body: {} } as never)).jwt;
  const place = (id: string, token: string): Place => ({ url: `${api.url}/sql/${id}/`, token });
  return {
    owner,
    slug,
    token,
    place,
    async database(name: string, body: object = {}): Promise<Place & { readonly id: string }> {
      const { database } = await owner.ok("createDatabase", { ...slug, body: { name, group: "default", ...body } });
      return { id: database.DbId, ...place(database.DbId, await token(name)) };
    },
    names: async (): Promise<string[]> =>
      (await owner.ok("listDatabases", slug)).databases.map(({ Name }) => Name).sort(),
  };
}

/**
 * Returns everything that can be seen of the platform: records, lists and clock, then the rows of all databases. To see
 * the rows of deleted databases, it restores them.
 */
export async function seen(api: OpenReferenceApi): Promise<Record<string, unknown>> {
  const { records, settings } = await api.store.read(async (state) => ({
    records: await readRows(state),
    settings: await state.selectFrom("settings").selectAll().where("name", "in", ["clock", "locations"]).execute(),
  }));
  const found: Record<string, unknown> = { records, settings, stands: await api.clock.stands() };
  for (const path of [...pathsToGet(records, api), "/.well-known/jwks.json"]) {
    const answer = await raw(api.url + path, { credential: api.unrestrictedToken });
    found[path] = [answer.status, await answer.text()];
  }
  found.rows = await rowsSeen(api);
  return found;
}

/** Returns the paths of all operations that read, with every combination of the names in the records. */
function pathsToGet(
  { groups, databases, tokens, users }: Rows,
  { organization, organizationId }: Pick<OpenReferenceApi, "organization" | "organizationId">,
): string[] {
  const values: Readonly<Record<string, readonly string[]>> = {
    organizationSlug: [organization],
    organizationId: [organizationId],
    groupName: groups.map(({ name }) => name),
    groupId: groups.map(({ id }) => id),
    databaseName: databases.map(({ name }) => name),
    databaseId: databases.map(({ id }) => id),
    tokenName: tokens.map(({ name }) => name),
    username: users.map(({ username }) => username),
    location: ["aws-us-east-1"],
    locationCode: ["aws-us-east-1"],
    instanceName: ["aws-us-east-1"],
  };
  const filled = (path: string): string[] => {
    const [placeholder, name = ""] = /\{(\w+)\}/.exec(path) ?? [];
    if (placeholder === undefined) return [path];
    return (values[name] ?? []).flatMap((value) => filled(path.replace(placeholder, encodeURIComponent(value))));
  };
  return (Object.values(contract) as Endpoint[])
    .filter(({ method }) => method === "GET")
    .flatMap(({ paths, queryFlag }) =>
      filled(paths[0]).map((path) => (queryFlag === undefined ? path : `${path}?${queryFlag}=true`)),
    );
}

/** Returns the rows of all databases as SQL, by DbId. Restores deleted databases first. */
async function rowsSeen(api: OpenReferenceApi): Promise<Record<string, string>> {
  const { owner, slug, place, token } = shop(api);
  const id = { organizationId: api.organizationId };
  await api.plan("scaler");
  await owner.status("updateOrganization", { ...slug, body: { restore_enabled: true } });
  const { groups } = await owner.ok("listDeletedGroups", id);
  for (const group of groups) await owner.status("restoreGroup", { ...id, groupId: group.uuid });
  const { databases } = await owner.ok("listDeletedDatabases", { ...id, query: { deleted: "true" } });
  for (const [index, { DbId }] of databases.entries())
    await owner.status("restoreDatabase", { ...id, databaseId: DbId, body: { name: `restored-${index}` } } as never);
  const rows: Record<string, string> = {};
  for (const { Name, DbId } of (await owner.ok("listDatabases", slug)).databases) {
    const answer = await fetch(`${place(DbId, "").url}dump`, {
      headers: { Authorization: `Bearer ${await token(Name)}` },
    });
    rows[DbId] = `${answer.status} ${await answer.text()}`;
  }
  return rows;
}
