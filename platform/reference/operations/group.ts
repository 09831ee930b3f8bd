import { isLocation } from "../../values/location";
import { refuse } from "../messages";
import { protectedDatabaseIn } from "../store/databases";
import {
  addGroup,
  changeGroup,
  deleteGroupRow,
  findGroup,
  findLiveGroupById,
  type Group,
  listDeletedGroupRows,
  listLiveGroups,
  NEW_GROUP,
} from "../store/groups";
import { flag } from "../store/schema";
import type { Handlers, OrganizationContext } from "./handler";
import { locationsOf } from "./location";
import { checkName } from "./names";
import { paginationOf } from "./pagination";
import { DELETED_PAGE, startOfWindow } from "./window";

export const group: Pick<
  Handlers,
  | "listGroups"
  | "listGroupsById"
  | "createGroup"
  | "retrieveGroup"
  | "retrieveGroupById"
  | "deleteGroup"
  | "listDeletedGroups"
  | "retrieveGroupConfiguration"
  | "updateGroupConfiguration"
  | "renameGroup"
> = {
  listGroups: (_request, context) => groupsIn(context),
  listGroupsById: (_request, context) => groupsIn(context),

  async createGroup({ body }, { state, accessScope, ids }) {
    checkName("group", body.name, accessScope.organization);
    if (!isLocation(body.location)) throw refuse.invalidLocation(body.location);
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

  async retrieveGroup({ params }, context) {
    return { group: groupRecord(await groupNamed(params.groupName, context)) };
  },

  async retrieveGroupById({ params }, context) {
    return { group: groupRecord(await groupWithId(params.groupId, context)) };
  },

  async deleteGroup({ params }, context) {
    const { state, now } = context;
    const found = await groupNamed(params.groupName, context);
    if (found.delete_protection) throw refuse.deleteProtected("group", found.name);
    const protectedDatabase = await protectedDatabaseIn(state, found.id);
    if (protectedDatabase) throw refuse.deleteProtected("database", protectedDatabase);
    await deleteGroupRow(state, found.id, now.toISOString());
    return { group: groupRecord(found) };
  },

  async listDeletedGroups({ query }, { state, accessScope, now }) {
    const page = await listDeletedGroupRows(state, accessScope, {
      since: startOfWindow(now),
      limit: query.limit ?? DELETED_PAGE,
      cursor: query.cursor,
    });
    return {
      groups: page.rows.map(({ id, name, deleted_at, cascade_databases }) => ({
        uuid: id,
        name,
        deleted_at,
        cascade_databases,
      })),
      pagination: paginationOf(page),
    };
  },

  async retrieveGroupConfiguration({ params }, context) {
    return configurationRecord(await groupNamed(params.groupName, context));
  },

  async updateGroupConfiguration({ params, body }, context) {
    const found = await groupNamed(params.groupName, context);
    const changes = typeof body.delete_protection === "boolean" && { delete_protection: flag(body.delete_protection) };
    await changeGroup(context.state, found.id, { ...changes });
    return configurationRecord({ ...found, ...changes });
  },

  async renameGroup({ params, body }, context) {
    const { state, accessScope } = context;
    const found = await groupNamed(params.groupName, context);
    checkName("group", body.name, accessScope.organization);
    // Searches all groups of the organization, even for a group-scoped caller, because names must be unique.
    const holder = await findGroup(state, { organization: accessScope.organization }, body.name);
    if (holder && holder.id !== found.id) throw refuse.groupExists();
    await changeGroup(state, found.id, { name: body.name });
    return {};
  },
};

async function groupsIn({ state, accessScope }: OrganizationContext) {
  const groups = await listLiveGroups(state, accessScope);
  return { groups: groups.map(groupRecord) };
}

export async function groupNamed(name: string, { state, accessScope }: OrganizationContext): Promise<Group> {
  const found = await findGroup(state, accessScope, name);
  if (!found) throw refuse.groupNotFound();
  return found;
}

export async function groupWithId(id: string, { state, accessScope }: OrganizationContext): Promise<Group> {
  const found = await findLiveGroupById(state, accessScope, id);
  if (!found) throw refuse.groupNotFound();
  return found;
}

const configurationRecord = ({ delete_protection }: Pick<Group, "delete_protection">) => ({
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
