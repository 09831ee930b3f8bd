import type { createDatabase } from "../../contract/database-creation";
import type { Received } from "../../contract/endpoint";
import { refuse } from "../refusal";
import { addDatabase, NEW_DATABASE } from "../store/databases";
import { findGroup, findLiveGroupById, type Group } from "../store/groups";
import { contentOf } from "./database-content";
import { uuidOn } from "./engine";
import type { Handlers, OrganizationWorld } from "./handler";
import { checkName, hostnameOf } from "./names";

/** Used when creation or a transfer names no group (wire-facts 13.4). */
export const DEFAULT_GROUP = "default";

export const databaseCreation: Pick<Handlers, "createDatabase" | "createDatabaseById"> = {
  async createDatabase({ body }, world) {
    const { state, reach } = world;
    return create(body, await findGroup(state, reach, body.group || DEFAULT_GROUP), world);
  },

  async createDatabaseById({ body }, world) {
    const { state, reach } = world;
    const group = body.group_id
      ? await findLiveGroupById(state, reach, body.group_id)
      : await findGroup(state, reach, body.group || DEFAULT_GROUP);
    return create(body, group, world);
  },
};

type Wanted = Omit<Received<typeof createDatabase>["body"], "group">;

async function create(wanted: Wanted, group: Group | undefined, world: OrganizationWorld) {
  const { state, now, ids, reach } = world;
  const { organization } = reach;
  const { name } = wanted;
  checkName("database", name, organization);
  if (!group) throw refuse.groupOfDatabaseNotFound();
  const content = await contentOf(wanted, world);
  const id = uuidOn(content.engine, await ids.uuid(state));
  const added = await addDatabase(state, {
    ...NEW_DATABASE,
    ...content,
    id,
    organization_id: organization.id,
    group_id: group.id,
    name,
    size_limit: wanted.size_limit ?? "",
    created_at: now.toISOString(),
  });
  if (!added) throw refuse.databaseExists(name);
  return { database: { Name: name, DbId: id, Hostname: hostnameOf(name, organization, group.location) } };
}
