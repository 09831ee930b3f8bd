import { isLocation } from "../../values/location";
import type { AccessScope } from "../credentials/access-scope";
import { groupInAws, migrationNotStarted, refuse } from "../messages";
import { checkedColumns } from "../store/columns";
import { given } from "../store/given";
import { asFlag, type GroupRow, type State } from "../store/schema";
import { checkName } from "./names";
import type { Operations, OrganizationContext } from "./operation";

export type Group = GroupRow;

/** The latest version of the SQL engine. New and updated groups and databases get this version. */
export const NEWEST_VERSION = "v0.23.7";

export const NEW_GROUP = {
  other_locations: "[]",
  delete_protection: 0,
  deleted_at: null,
  cascade_databases: 0,
  archived: 0,
  version: NEWEST_VERSION,
} as const satisfies Partial<Group>;

/**
 * Groups, their locations and settings. Adding an existing location or removing a missing location succeeds, because the
 * group is already in the requested state.
 */
export const groups = {
  listGroups: { handle: (_request, context) => groupRecordsIn(context) },
  listGroupsById: { handle: (_request, context) => groupRecordsIn(context) },

  createGroup: {
    async handle({ body }, { state, accessScope, ids }) {
      checkName("group", body.name, accessScope.organization);
      if (!isLocation(body.location)) throw refuse.invalidLocation(body);
      const created: Group = {
        id: await ids.uuid(state),
        organization_id: accessScope.organization.id,
        name: body.name,
        location: body.location,
        ...NEW_GROUP,
      };
      if (!(await addGroup(state, created))) throw refuse.groupExists();
      return { group: groupRecord(created) };
    },
    audit: ({ answer: { group } }) => ({
      code: "group-create",
      data: { group: group.name, uuid: group.uuid, location: group.primary },
    }),
  },

  retrieveGroup: {
    async handle({ params }, context) {
      return { group: groupRecord(await groupNamed(params.groupName, context)) };
    },
  },

  retrieveGroupById: {
    async handle({ params }, context) {
      return { group: groupRecord(await groupWithId(params.groupId, context)) };
    },
  },

  deleteGroup: {
    async handle({ params }, context) {
      const { state, now } = context;
      const found = await groupNamed(params.groupName, context);
      if (found.delete_protection) throw refuse.deleteProtected({ kind: "group", name: found.name });
      const protectedDatabase = await protectedDatabaseIn(state, found.id);
      if (protectedDatabase) throw refuse.deleteProtected({ kind: "database", name: protectedDatabase });
      await deleteGroup(state, found.id, now.toISOString());
      return { group: groupRecord(found) };
    },
    audit: ({ answer: { group } }) => ({ code: "group-delete", data: { group: group.name, uuid: group.uuid } }),
  },

  retrieveGroupConfiguration: {
    async handle({ params }, context) {
      return groupConfigurationRecord(await groupNamed(params.groupName, context));
    },
  },

  updateGroupConfiguration: {
    async handle({ params, body }, context) {
      const found = await groupNamed(params.groupName, context);
      const changes = typeof body.delete_protection === "boolean" && {
        delete_protection: asFlag(body.delete_protection),
      };
      await changeGroup(context.state, found.id, { ...changes });
      return groupConfigurationRecord({ ...found, ...changes });
    },
    audit: ({ request: { params, body } }) =>
      typeof body.delete_protection === "boolean"
        ? { code: body.delete_protection ? "group-protect" : "group-unprotect", data: { group: params.groupName } }
        : [],
  },

  renameGroup: {
    async handle({ params, body }, context) {
      const { state, accessScope } = context;
      const found = await groupNamed(params.groupName, context);
      checkName("group", body.name, accessScope.organization);
      // Searches all groups of the organization, even for a group-scoped caller, because names must be unique.
      const holder = await findGroup(state, { organization: accessScope.organization }, body.name);
      if (holder && holder.id !== found.id) throw refuse.groupExists();
      await changeGroup(state, found.id, { name: body.name });
      return {};
    },
    audit: ({ request: { params, body } }) => ({
      code: "group-rename",
      data: { group: params.groupName, name: body.name },
    }),
  },

  addGroupLocation: {
    async handle({ params }, context) {
      const group = await groupNamed(params.groupName, context);
      if (!isLocation(params.location)) throw refuse.invalidLocation(params);
      if (locationsOf(group).includes(params.location)) return { group: groupRecord(group) };
      return setOtherLocations(group, [...otherLocationsOf(group), params.location], context);
    },
    audit: ({ request: { params } }) => ({
      code: "group-location-add",
      data: { group: params.groupName, location: params.location },
    }),
  },

  removeGroupLocation: {
    async handle({ params }, context) {
      const group = await groupNamed(params.groupName, context);
      if (!isLocation(params.location)) throw refuse.invalidLocation(params);
      if (params.location === group.location) throw refuse.primaryLocation(params);
      const others = otherLocationsOf(group).filter((code) => code !== params.location);
      return setOtherLocations(group, others, context);
    },
    audit: ({ request: { params } }) => ({
      code: "group-location-rm",
      data: { group: params.groupName, location: params.location },
    }),
  },

  awaitGroupLocation: {
    /** Succeeds immediately, because a location is ready as soon as it has been added. */
    async handle({ params }, context) {
      const group = await groupNamed(params.groupName, context);
      if (!locationsOf(group).includes(params.location))
        throw refuse.groupLocationNotFound({ group: group.name, location: params.location });
      return {};
    },
  },

  unarchiveGroup: {
    async handle({ params }, context) {
      const group = await groupNamed(params.groupName, context);
      await changeGroup(context.state, group.id, { archived: 0 });
      return { group: groupRecord({ ...group, archived: 0 }) };
    },
    audit: ({ answer: { group } }) => ({ code: "group-unarchive", data: { group: group.name, uuid: group.uuid } }),
  },

  updateGroupVersion: {
    async handle({ params }, context) {
      const group = await groupNamed(params.groupName, context);
      await upgradeGroup(context.state, group.id);
      return {};
    },
    audit: ({ request: { params } }) => ({ code: "group-update", data: { group: params.groupName } }),
  },

  retrieveAwsMigration: {
    /** Always returns `none`, because this server cannot start a migration. */
    async handle({ params }, context) {
      const { name, location } = await groupNamed(params.groupName, context);
      const comment = location.startsWith("aws-") ? groupInAws({ group: name }) : migrationNotStarted({ group: name });
      return { status: "none" as const, comment };
    },
  },
} satisfies Partial<Operations>;

async function groupRecordsIn({ state, accessScope }: OrganizationContext) {
  const found = await listLiveGroups(state, accessScope);
  return { groups: found.map(groupRecord) };
}

export async function groupNamed(name: string, { state, accessScope }: OrganizationContext): Promise<Group> {
  const found = await findGroup(state, accessScope, name);
  if (!found) throw refuse.groupNotFound();
  return found;
}

export async function groupWithId(id: string, { state, accessScope }: OrganizationContext): Promise<Group> {
  const found = await findGroupById(state, accessScope, id);
  if (!found) throw refuse.groupNotFound();
  return found;
}

async function setOtherLocations(group: Group, others: string[], { state }: OrganizationContext) {
  const changes = { other_locations: JSON.stringify(others) };
  await changeGroup(state, group.id, changes);
  return { group: groupRecord({ ...group, ...changes }) };
}

const groupConfigurationRecord = ({ delete_protection }: Pick<Group, "delete_protection">) => ({
  delete_protection: delete_protection === 1,
});

/** Returns the API representation of a group (wire-facts 2.1). */
export function groupRecord(group: Group) {
  const locations = locationsOf(group);
  const status = group.archived ? "stopped" : "running";
  return {
    name: group.name,
    version: group.version,
    uuid: group.id,
    locations,
    primary: group.location,
    delete_protection: group.delete_protection === 1,
    archived: group.archived === 1,
    status: { locations: locations.map((name) => ({ name, status })) },
  };
}

export async function protectedDatabaseIn(state: State, groupId: string): Promise<string | undefined> {
  const row = await state
    .selectFrom("databases")
    .select("name")
    .where("group_id", "=", groupId)
    .where("deleted_at", "is", null)
    .where("delete_protection", "=", 1)
    .orderBy("name")
    .executeTakeFirst();
  return row?.name;
}

export const selectLiveGroups = (state: State, { organization, groupId }: AccessScope) =>
  state
    .selectFrom("groups")
    .selectAll()
    .where("organization_id", "=", organization.id)
    .where("deleted_at", "is", null)
    .$call(given(groupId, (query, value) => query.where("id", "=", value)));

export const listLiveGroups = (state: State, accessScope: AccessScope): Promise<Group[]> =>
  selectLiveGroups(state, accessScope).orderBy("name").execute();

export const findGroup = (state: State, accessScope: AccessScope, name: string): Promise<Group | undefined> =>
  selectLiveGroups(state, accessScope).where("name", "=", name).executeTakeFirst();

export const findGroupById = (state: State, accessScope: AccessScope, id: string): Promise<Group | undefined> =>
  selectLiveGroups(state, accessScope).where("id", "=", id.toLowerCase()).executeTakeFirst();

export async function addGroup(state: State, group: Group): Promise<boolean> {
  const added = await state
    .insertInto("groups")
    .values(checkedColumns(group))
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return added !== undefined;
}

/** Deletes a group together with its databases, and permanently revokes its tokens (§3). */
async function deleteGroup(state: State, id: string, at: string): Promise<void> {
  const databases = await state
    .updateTable("databases")
    .set(checkedColumns({ deleted_at: at, group_deleted_at: at, returns_with_group: 1 }))
    .where("group_id", "=", id)
    .where("deleted_at", "is", null)
    .returning("id")
    .execute();
  await state
    .updateTable("groups")
    .set(checkedColumns({ deleted_at: at, cascade_databases: databases.length }, { id }))
    .where("id", "=", id)
    .execute();
  await revokeTokensOfGroup(state, id);
}

export const revokeTokensOfGroup = (state: State, id: string) =>
  state.deleteFrom("tokens").where("group_id", "=", id).execute();

/**
 * Updates the engine version of the group and of all its databases, including deleted databases, because a restore does
 * not change the version.
 */
async function upgradeGroup(state: State, id: string): Promise<void> {
  await state.updateTable("groups").set({ version: NEWEST_VERSION }).where("id", "=", id).execute();
  await state.updateTable("databases").set({ version: NEWEST_VERSION }).where("group_id", "=", id).execute();
}

export async function changeGroup(
  state: State,
  id: string,
  changes: Partial<Omit<Group, "id" | "organization_id">>,
): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  await state.updateTable("groups").set(checkedColumns(changes, { id })).where("id", "=", id).execute();
}

export const locationsOf = ({
  location,
  other_locations,
}: Pick<GroupRow, "location" | "other_locations">): string[] => [
  location,
  ...(JSON.parse(other_locations) as string[]),
];

const otherLocationsOf = (group: Group): string[] => locationsOf(group).slice(1);
