import { databaseActions } from "../../contract/database-actions";
import { groups } from "../../contract/group";
import { authorizeElsewhere } from "../credentials/access";
import { refuse } from "../messages";
import { changeDatabase, databaseNamesIn, findDatabase } from "../store/databases";
import { findGroup, moveGroupRow } from "../store/groups";
import { databaseNamed } from "./database";
import { DEFAULT_GROUP } from "./database-creation";
import { groupNamed, groupRecord } from "./group";
import type { Handlers } from "./handler";
import { checkName } from "./names";

export const transfer: Pick<Handlers, "transferGroup" | "transferDatabase"> = {
  /**
   * Transfers a group with all its databases. The databases keep their names, but their hostnames change, because a
   * hostname contains the organization's slug.
   */
  async transferGroup({ params, body }, context) {
    const { state, accessScope } = context;
    const organization = await authorizeElsewhere(groups.transferGroup, body.organization, context);
    const group = await groupNamed(params.groupName, context);
    if (organization.id === accessScope.organization.id) throw refuse.groupInOrganization(organization.slug);

    checkName("group", group.name, organization);
    if (await findGroup(state, { organization }, group.name)) throw refuse.groupExists();
    for (const name of await databaseNamesIn(state, group.id)) {
      checkName("database", name, organization);
      if (await findDatabase(state, { organization }, name)) throw refuse.databaseExists(name);
    }
    await moveGroupRow(state, group.id, organization.id);
    return groupRecord(group);
  },

  /** Transfers one database, which keeps its name, UUID and signing key. */
  async transferDatabase({ params, body }, context) {
    const { state, accessScope } = context;
    const organization = await authorizeElsewhere(databaseActions.transferDatabase, body.org, context);
    const database = await databaseNamed(params.databaseName, context);
    if (organization.id === accessScope.organization.id) throw refuse.databaseInOrganization(organization.slug);

    const group = await findGroup(state, { organization }, DEFAULT_GROUP);
    if (!group) throw refuse.groupMissing(organization.slug, DEFAULT_GROUP);
    checkName("database", database.name, organization);
    if (await findDatabase(state, { organization }, database.name)) throw refuse.databaseExists(database.name);
    await changeDatabase(state, database.id, { organization_id: organization.id, group_id: group.id });
    return {};
  },
};
