import { randomUUID } from "node:crypto";
import { refuse } from "../refusal";
import { protectedDatabaseIn } from "../store/databases";
import { addGroup, deleteGroupRow, findGroup, type Group, listDeletedGroupRows, listLiveGroups } from "../store/groups";
import { paginationOf } from "../store/page";
import type { Handlers } from "./handler";
import { isLocation } from "./location";
import { checkName } from "./names";
import { DELETED_PAGE, startOfWindow } from "./window";

export const group: Pick<
  Handlers,
  "listGroups" | "createGroup" | "retrieveGroup" | "deleteGroup" | "listDeletedGroups"
> = {
  async listGroups(_request, { state, reach }) {
    const groups = await listLiveGroups(state, reach);
    return { groups: groups.map(groupRecord) };
  },

  async createGroup({ body }, { state, reach }) {
    checkName("group", body.name, reach.organization);
    if (!isLocation(body.location)) throw refuse.location(body.location);
    const created: Group = {
      id: randomUUID(),
      organization_id: reach.organization.id,
      name: body.name,
      location: body.location,
      delete_protection: 0,
      deleted_at: null,
      cascade_databases: 0,
    };
    if (!(await addGroup(state, created))) throw refuse.groupExists();
    return { group: groupRecord(created) };
  },

  async retrieveGroup({ params }, { state, reach }) {
    const found = await findGroup(state, reach, params.groupName);
    if (!found) throw refuse.groupNotFound();
    return { group: groupRecord(found) };
  },

  async deleteGroup({ params }, { state, reach, now }) {
    const found = await findGroup(state, reach, params.groupName);
    if (!found) throw refuse.groupNotFound();
    if (found.delete_protection) throw refuse.isProtected("group", found.name);
    const protectedDatabase = await protectedDatabaseIn(state, found.id);
    if (protectedDatabase) throw refuse.isProtected("database", protectedDatabase);
    await deleteGroupRow(state, found.id, now.toISOString());
    return { group: groupRecord(found) };
  },

  async listDeletedGroups({ query }, { state, reach, now }) {
    const page = await listDeletedGroupRows(state, reach, {
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
};

/** Wire-facts 2.1. */
const groupRecord = ({ id, name, location, delete_protection }: Group) => ({
  name,
  version: "v0.23.7",
  uuid: id,
  locations: [location],
  primary: location,
  delete_protection: delete_protection === 1,
  archived: false,
});
