import { groups as contract } from "../../contract/group";
import { isLocation } from "../../values/location";
import { authorizeElsewhere } from "../credentials/authorization";
import { groupInAws, migrationNotStarted, refuse } from "../messages";
import { databaseRowNamesIn, findDatabaseRow, protectedDatabaseRowName } from "../store/databases";
import {
  addGroupRow,
  changeGroupRow,
  deleteGroupRow,
  findGroupRow,
  findLiveGroupRowById,
  type Group,
  groupRowLocations,
  groupRowOtherLocations,
  listLiveGroupRows,
  moveGroupRow,
  NEW_GROUP,
  updateGroupRow,
} from "../store/groups";
import { schemaFlag } from "../store/schema";
import { checkNameForOperation } from "./names";
import type { Entry, Operations, OrganizationContext } from "./operation";

/**
 * Groups, their locations and settings. Adding an existing location or removing a missing location succeeds, because the
 * group is already in the requested state.
 */
export const groups = {
  listGroups: { handle: (_request, context) => listGroupsForOperation(context) },
  listGroupsById: { handle: (_request, context) => listGroupsForOperation(context) },

  createGroup: {
    async handle({ body }, { state, accessScope, ids }) {
      checkNameForOperation("group", body.name, accessScope.organization);
      if (!isLocation(body.location)) throw refuse.invalidLocation(body);
      const created: Group = {
        id: await ids.uuid(state),
        organization_id: accessScope.organization.id,
        name: body.name,
        location: body.location,
        ...NEW_GROUP,
      };
      if (!(await addGroupRow(state, created))) throw refuse.groupExists();
      return { group: groupRecord(created) };
    },
    audit: ({ answer: { group } }) => ({
      code: "group-create",
      data: { group: group.name, uuid: group.uuid, location: group.primary },
    }),
  },

  retrieveGroup: {
    async handle({ params }, context) {
      return { group: groupRecord(await groupForOperation(params.groupName, context)) };
    },
  },

  retrieveGroupById: {
    async handle({ params }, context) {
      return { group: groupRecord(await groupByIdForOperation(params.groupId, context)) };
    },
  },

  deleteGroup: {
    async handle({ params }, context) {
      const { state, now } = context;
      const found = await groupForOperation(params.groupName, context);
      if (found.delete_protection) throw refuse.deleteProtected({ kind: "group", name: found.name });
      const protectedDatabase = await protectedDatabaseRowName(state, found.id);
      if (protectedDatabase) throw refuse.deleteProtected({ kind: "database", name: protectedDatabase });
      await deleteGroupRow(state, found.id, now.toISOString());
      return { group: groupRecord(found) };
    },
    audit: ({ answer: { group } }) => ({ code: "group-delete", data: { group: group.name, uuid: group.uuid } }),
  },

  retrieveGroupConfiguration: {
    async handle({ params }, context) {
      return groupConfigurationRecord(await groupForOperation(params.groupName, context));
    },
  },

  updateGroupConfiguration: {
    async handle({ params, body }, context) {
      const found = await groupForOperation(params.groupName, context);
      const changes = typeof body.delete_protection === "boolean" && {
        delete_protection: schemaFlag(body.delete_protection),
      };
      await changeGroupRow(context.state, found.id, { ...changes });
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
      const found = await groupForOperation(params.groupName, context);
      checkNameForOperation("group", body.name, accessScope.organization);
      // Searches all groups of the organization, even for a group-scoped caller, because names must be unique.
      const holder = await findGroupRow(state, { organization: accessScope.organization }, body.name);
      if (holder && holder.id !== found.id) throw refuse.groupExists();
      await changeGroupRow(state, found.id, { name: body.name });
      return {};
    },
    audit: ({ request: { params, body } }) => ({
      code: "group-rename",
      data: { group: params.groupName, name: body.name },
    }),
  },

  addGroupLocation: {
    async handle({ params }, context) {
      const group = await groupForOperation(params.groupName, context);
      if (!isLocation(params.location)) throw refuse.invalidLocation(params);
      if (groupRowLocations(group).includes(params.location)) return { group: groupRecord(group) };
      return changeGroupLocationsForOperation(group, [...groupRowOtherLocations(group), params.location], context);
    },
    audit: ({ request: { params } }) => ({
      code: "group-location-add",
      data: { group: params.groupName, location: params.location },
    }),
  },

  removeGroupLocation: {
    async handle({ params }, context) {
      const group = await groupForOperation(params.groupName, context);
      if (!isLocation(params.location)) throw refuse.invalidLocation(params);
      if (params.location === group.location) throw refuse.primaryLocation(params);
      const others = groupRowOtherLocations(group).filter((code) => code !== params.location);
      return changeGroupLocationsForOperation(group, others, context);
    },
    audit: ({ request: { params } }) => ({
      code: "group-location-rm",
      data: { group: params.groupName, location: params.location },
    }),
  },

  awaitGroupLocation: {
    /** Succeeds immediately, because a location is ready as soon as it has been added. */
    async handle({ params }, context) {
      const group = await groupForOperation(params.groupName, context);
      if (!groupRowLocations(group).includes(params.location))
        throw refuse.groupLocationNotFound({ group: group.name, location: params.location });
      return {};
    },
  },

  unarchiveGroup: {
    async handle({ params }, context) {
      const group = await groupForOperation(params.groupName, context);
      await changeGroupRow(context.state, group.id, { archived: 0 });
      return { group: groupRecord({ ...group, archived: 0 }) };
    },
    audit: ({ answer: { group } }) => ({ code: "group-unarchive", data: { group: group.name, uuid: group.uuid } }),
  },

  updateGroupVersion: {
    async handle({ params }, context) {
      const group = await groupForOperation(params.groupName, context);
      await updateGroupRow(context.state, group.id);
      return {};
    },
    audit: ({ request: { params } }) => ({ code: "group-update", data: { group: params.groupName } }),
  },

  retrieveAwsMigration: {
    /** Always returns `none`, because this server cannot start a migration. */
    async handle({ params }, context) {
      const { name, location } = await groupForOperation(params.groupName, context);
      const comment = location.startsWith("aws-") ? groupInAws({ group: name }) : migrationNotStarted({ group: name });
      return { status: "none" as const, comment };
    },
  },

  transferGroup: {
    /**
     * Transfers a group with all its databases. The databases keep their names, but their hostnames change, because a
     * hostname contains the organization's slug.
     */
    async handle({ params, body }, context) {
      const { state, accessScope } = context;
      const organization = await authorizeElsewhere(contract.transferGroup, body.organization, context);
      const group = await groupForOperation(params.groupName, context);
      if (organization.id === accessScope.organization.id)
        throw refuse.alreadyInOrganization({ kind: "group", slug: organization.slug });

      checkNameForOperation("group", group.name, organization);
      if (await findGroupRow(state, { organization }, group.name)) throw refuse.groupExists();
      for (const name of await databaseRowNamesIn(state, group.id)) {
        checkNameForOperation("database", name, organization);
        if (await findDatabaseRow(state, { organization }, name)) throw refuse.nameTaken({ kind: "database", name });
      }
      await moveGroupRow(state, group.id, organization.id);
      return groupRecord(group);
    },
    audit({ request: { params, body }, answer }) {
      const entry: Entry = {
        code: "group-transfer",
        data: { group: params.groupName, uuid: answer.uuid, organization: body.organization },
      };
      return [entry, { ...entry, organization: body.organization }];
    },
  },
} satisfies Partial<Operations>;

async function listGroupsForOperation({ state, accessScope }: OrganizationContext) {
  const found = await listLiveGroupRows(state, accessScope);
  return { groups: found.map(groupRecord) };
}

export async function groupForOperation(name: string, { state, accessScope }: OrganizationContext): Promise<Group> {
  const found = await findGroupRow(state, accessScope, name);
  if (!found) throw refuse.groupNotFound();
  return found;
}

export async function groupByIdForOperation(id: string, { state, accessScope }: OrganizationContext): Promise<Group> {
  const found = await findLiveGroupRowById(state, accessScope, id);
  if (!found) throw refuse.groupNotFound();
  return found;
}

async function changeGroupLocationsForOperation(group: Group, others: string[], { state }: OrganizationContext) {
  const changes = { other_locations: JSON.stringify(others) };
  await changeGroupRow(state, group.id, changes);
  return { group: groupRecord({ ...group, ...changes }) };
}

const groupConfigurationRecord = ({ delete_protection }: Pick<Group, "delete_protection">) => ({
  delete_protection: delete_protection === 1,
});

/** Returns the API representation of a group (wire-facts 2.1). */
export function groupRecord(group: Group) {
  const locations = groupRowLocations(group);
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
