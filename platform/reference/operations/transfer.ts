import { databaseActions } from "../../contract/database";
import { groups } from "../../contract/group";
import { authorizeElsewhere } from "../credentials/authorization";
import { refuse } from "../messages";
import { checkedColumns } from "../store/columns";
import type { State } from "../store/schema";
import { changeDatabase, databaseNamed, findDatabase } from "./database";
import { findGroup, groupNamed, groupRecord, revokeTokensOfGroup } from "./group";
import { checkName, DEFAULT_GROUP } from "./names";
import type { Entry, Operations } from "./operation";

export const transfers = {
  transferGroup: {
    /**
     * Transfers a group with all its databases. The databases keep their names, but their hostnames change, because a
     * hostname contains the organization's slug.
     */
    async handle({ params, body }, context) {
      const { state, accessScope } = context;
      const organization = await authorizeElsewhere(groups.transferGroup, body.organization, context);
      const group = await groupNamed(params.groupName, context);
      if (organization.id === accessScope.organization.id)
        throw refuse.alreadyInOrganization({ kind: "group", slug: organization.slug });

      checkName("group", group.name, organization);
      if (await findGroup(state, { organization }, group.name)) throw refuse.groupExists();
      for (const name of await databaseNamesIn(state, group.id)) {
        checkName("database", name, organization);
        if (await findDatabase(state, { organization }, name)) throw refuse.nameTaken({ kind: "database", name });
      }
      await moveGroup(state, group.id, organization.id);
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

  transferDatabase: {
    /** Transfers one database, which keeps its name, UUID and signing key. */
    async handle({ params, body }, context) {
      const { state, accessScope } = context;
      const organization = await authorizeElsewhere(databaseActions.transferDatabase, body.org, context);
      const database = await databaseNamed(params.databaseName, context);
      if (organization.id === accessScope.organization.id)
        throw refuse.alreadyInOrganization({ kind: "database", slug: organization.slug });

      const group = await findGroup(state, { organization }, DEFAULT_GROUP);
      if (!group) throw refuse.groupMissing({ slug: organization.slug, group: DEFAULT_GROUP });
      checkName("database", database.name, organization);
      if (await findDatabase(state, { organization }, database.name))
        throw refuse.nameTaken({ kind: "database", name: database.name });
      await changeDatabase(state, database.id, { organization_id: organization.id, group_id: group.id });
      return {};
    },
    audit({ request: { params, body } }) {
      const entry: Entry = { code: "db-transfer", data: { database: params.databaseName, organization: body.org } };
      return [entry, { ...entry, organization: body.org }];
    },
  },
} satisfies Partial<Operations>;

async function databaseNamesIn(state: State, groupId: string): Promise<string[]> {
  const rows = await state
    .selectFrom("databases")
    .select("name")
    .where("group_id", "=", groupId)
    .where("deleted_at", "is", null)
    .orderBy("name")
    .execute();
  return rows.map(({ name }) => name);
}

/**
 * Moves a group with all its live and deleted databases to another organization, and permanently revokes its tokens
 * (§3).
 */
async function moveGroup(state: State, id: string, organizationId: string): Promise<void> {
  await state
    .updateTable("groups")
    .set(checkedColumns({ organization_id: organizationId }))
    .where("id", "=", id)
    .execute();
  await state.updateTable("databases").set({ organization_id: organizationId }).where("group_id", "=", id).execute();
  await revokeTokensOfGroup(state, id);
}
