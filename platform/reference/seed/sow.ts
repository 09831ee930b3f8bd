import { expandScopes } from "../../values/scope";
import { nowIn } from "../clock";
import { type Minting, mint } from "../credentials/mint";
import { addUser } from "../members";
import { columnsOf } from "../operations/configuration";
import { addDatabase, NEW_DATABASE } from "../store/databases";
import { addGroup, type Group, NEW_GROUP } from "../store/groups";
import { changeRole, firstOrganization } from "../store/organizations";
import { flag, type State } from "../store/schema";
import type { Store } from "../store/store";
import { groupOf } from "./group";
import { Seed, type SownOrganization } from "./seed";

/**
 * Puts the seed into a store that holds nothing yet; what was stored before stays as it is. The texts of the seed's
 * tokens by name: empty when nothing was sown.
 */
export function sow(store: Store, minting: Minting, seed: Seed): Promise<Record<string, string>> {
  const { users, organizations } = Seed.parse(seed);
  return store.transaction([], async (state) => {
    if (await firstOrganization(state)) return {};
    const userIds = new Map<string, string>();
    for (const user of users) userIds.set(user.username, await addUser(state, minting.ids, user));
    const tokens: Record<string, string> = {};
    for (const [index, organization] of organizations.entries())
      Object.assign(tokens, await sowOrganization(state, minting, { organization, number: index + 1, userIds }));
    return tokens;
  });
}

interface Sown {
  readonly organization: SownOrganization;
  readonly number: number;
  readonly userIds: ReadonlyMap<string, string>;
}

async function sowOrganization(state: State, minting: Minting, { organization, number, userIds }: Sown) {
  const { slug, plan, restore_enabled, members, groups, databases, tokens } = organization;
  const id = organization.id ?? (await minting.ids.uuid(state));
  const row = {
    id,
    number,
    slug,
    name: slug,
    plan,
    overages: flag(false),
    require_mfa: flag(false),
    type: "team",
    stripe_id: "",
  };
  await state
    .insertInto("organizations")
    .values({ ...row, restore_enabled: flag(restore_enabled) })
    .execute();
  for (const { username, role } of members)
    await changeRole(state, { organizationId: id, userId: userIds.get(username) ?? "", role });

  const planted = new Map<(typeof groups)[number], Group>();
  for (const group of groups) {
    const cascade = databases.filter((each) => !each.deleted_at && groupOf(groups, each.group) === group).length;
    const planting: Group = {
      id: group.uuid ?? (await minting.ids.uuid(state)),
      organization_id: id,
      name: group.name,
      location: group.location,
      ...NEW_GROUP,
      delete_protection: flag(group.delete_protection),
      deleted_at: group.deleted_at ?? null,
      cascade_databases: group.deleted_at ? cascade : 0,
    };
    planted.set(group, planting);
    await addGroup(state, planting);
  }
  const plantedAs = (name: string): Group | undefined => {
    const group = groupOf(groups, name);
    return group && planted.get(group);
  };

  for (const { uuid, name, group, deleted_at, ...configuration } of databases) {
    const home = plantedAs(group);
    await addDatabase(state, {
      id: uuid ?? (await minting.ids.uuid(state)),
      organization_id: id,
      group_id: home?.id ?? "",
      name,
      ...NEW_DATABASE,
      ...columnsOf(configuration),
      deleted_at: deleted_at ?? home?.deleted_at ?? null,
      group_deleted_at: deleted_at ? null : (home?.deleted_at ?? null),
      returns_with_group: flag(!deleted_at && typeof home?.deleted_at === "string"),
    });
  }

  const texts: Record<string, string> = {};
  for (const { name, user, group, scopes } of tokens) {
    const minted = await mint(state, minting, {
      name,
      userId: userIds.get(user) ?? "",
      organization: { id, number },
      group: group === undefined ? undefined : plantedAs(group),
      scopes: scopes && expandScopes(scopes),
      now: await nowIn(state),
    });
    texts[name] = minted.token;
  }
  return texts;
}
