import fc from "fast-check";
import type { Seed } from "../../platform/reference/seed/seed";
import type { OpenReferenceApi } from "../../platform/reference/server";
import type { DatabaseRow, GroupRow } from "../../platform/reference/store/schema";
import type { Client } from "../../provider/client/organization-client";
import { clientOf } from "../engine/engine-fixture";

const KINDS = [
  ["deleteDatabase", 6],
  ["deleteGroup", 2],
  ["createDatabase", 5],
  ["createGroup", 2],
  ["renameGroup", 2],
  ["transferGroup", 0.3],
  ["restoreDatabase", 1],
  ["restoreGroup", 1],
  ["protectDatabase", 1],
  ["plan", 0.5],
  ["recovery", 0.5],
] as const;

/** One act. `to` chooses the object and `how` the name or the variant, both modulo what there is. */
export interface Act {
  readonly do: (typeof KINDS)[number][0];
  readonly to: number;
  readonly how: number;
  /** Who does it: an index into `PEOPLE`. */
  readonly who: number;
  /** Seconds since the act before. */
  readonly after: number;
}

export const acts = fc.array(
  fc.record<Act>({
    do: fc.oneof(...KINDS.map(([kind, weight]) => ({ weight: weight * 10, arbitrary: fc.constant(kind) }))),
    to: fc.nat(20),
    how: fc.nat(20),
    who: fc.nat(2),
    after: fc.oneof({ weight: 150, arbitrary: fc.integer({ min: 0, max: 600 }) }, fc.integer({ min: 0, max: 400_000 })),
  }),
  { maxLength: 30, size: "max" },
);

/** Few names, so that they are used again. */
const NAMES = ["orders", "users", "carts", "tenant-1", "tenant-2", "orders-restored"];
const GROUPS = ["default", "shop", "eu"];

export const SEED: Seed = {
  users: [{ username: "ada" }, { username: "max" }],
  organizations: ["acme", "globex"].map((slug) => ({
    slug,
    plan: "scaler",
    members: [
      { username: "ada", role: "owner" },
      { username: "max", role: "admin" },
    ],
    groups: slug === "acme" ? GROUPS.map((name) => ({ name })) : [{ name: "default" }],
    databases:
      slug === "acme"
        ? NAMES.map((name, index) => ({ name, group: GROUPS[index % 3] ?? "", block_writes: index === 1 }))
        : [],
  })),
};

/** Two people and the API token of one of them. */
const PEOPLE = ["ada", "max", "ada"];

export interface Rows {
  readonly groups: readonly GroupRow[];
  readonly databases: readonly DatabaseRow[];
}

/** Reads the rows of the organization "acme", without asking the API. */
export const rowsOf = ({ store, organizationId }: OpenReferenceApi): Promise<Rows> =>
  store.read(async (state) => ({
    groups: await state.selectFrom("groups").selectAll().where("organization_id", "=", organizationId).execute(),
    databases: await state.selectFrom("databases").selectAll().where("organization_id", "=", organizationId).execute(),
  }));

export interface Rampage {
  /** The user who deleted each object last, by id. */
  readonly deletedBy: ReadonlyMap<string, string>;
}

/** Plays the acts. What the platform refuses does not happen. */
export async function rampage(api: OpenReferenceApi, history: readonly Act[]): Promise<Rampage> {
  const people = await Promise.all(
    PEOPLE.map(async (user) => ({ user, client: clientOf(api, await api.token({ user })) })),
  );
  const deletedBy = new Map<string, string>();
  for (const act of history) {
    await api.advance(act.after);
    const { user, client } = people[act.who] ?? (people[0] as (typeof people)[0]);
    const before = await rowsOf(api);
    await perform(act, before, client, api).catch(() => undefined);
    const after = await rowsOf(api);
    const live = new Set([...before.databases, ...before.groups].filter((row) => !row.deleted_at).map(({ id }) => id));
    for (const { id, deleted_at } of [...after.databases, ...after.groups])
      if (deleted_at && live.has(id)) deletedBy.set(id, user);
  }
  return { deletedBy };
}

const at = <Item>(items: readonly Item[], index: number): Item => {
  const item = items[index % items.length];
  if (item === undefined) throw new Error("nothing to act on");
  return item;
};

async function perform(act: Act, { groups, databases }: Rows, client: Client, api: OpenReferenceApi): Promise<unknown> {
  const slug = { organizationSlug: "acme" };
  const id = { organizationId: api.organizationId };
  const alive = <Row extends { readonly deleted_at: string | null }>(rows: readonly Row[]) =>
    rows.filter(({ deleted_at }) => deleted_at === null);
  const dead = <Row extends { readonly deleted_at: string | null }>(rows: readonly Row[]) =>
    rows.filter(({ deleted_at }) => deleted_at !== null);
  switch (act.do) {
    case "deleteDatabase":
      return client.deleteDatabase({ ...slug, databaseName: at(alive(databases), act.to).name });
    case "deleteGroup":
      return client.deleteGroup({ ...slug, groupName: at(alive(groups), act.to).name });
    case "createDatabase":
      return client.createDatabase({
        ...slug,
        body: { name: at(NAMES, act.how), group: at(alive(groups), act.to).name },
      });
    case "createGroup":
      return client.createGroup({ ...slug, body: { name: at(GROUPS, act.how), location: "aws-us-east-1" } });
    case "renameGroup":
      return client.renameGroup({
        ...slug,
        groupName: at(alive(groups), act.to).name,
        body: { name: at([...GROUPS, "later"], act.how) },
      });
    case "transferGroup":
      return client.transferGroup({
        ...slug,
        groupName: at(alive(groups), act.to).name,
        body: { organization: "globex" },
      });
    case "restoreDatabase": {
      const name = act.how % 4 === 0 ? { body: { name: `${at(NAMES, act.how)}-2` } } : {};
      return client.restoreDatabase({ ...id, databaseId: at(dead(databases), act.to).id, ...name });
    }
    case "restoreGroup":
      return client.restoreGroup({ ...id, groupId: at(dead(groups), act.to).id });
    case "protectDatabase":
      return client.updateDatabaseConfiguration({
        ...slug,
        databaseName: at(alive(databases), act.to).name,
        body: { delete_protection: act.how % 2 === 0 },
      });
    case "plan":
      return api.plan(act.how === 0 ? "starter" : "scaler");
    case "recovery":
      return client.updateOrganization({ ...slug, body: { restore_enabled: act.how % 8 !== 0 } });
  }
}
