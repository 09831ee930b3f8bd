import type { Api } from "../../contract/api";
import type { Received } from "../../contract/endpoint";
import { refuse } from "../messages";
import { addDatabase, NEW_DATABASE } from "../store/databases";
import { findGroup, findLiveGroupById, type Group } from "../store/groups";
import { contentOf, fillNew, parentOf } from "./database-content";
import { uuidOn } from "./engine";
import type { Handlers, OrganizationContext } from "./handler";
import { checkName, hostnameOf } from "./names";

/** The group of a new or transferred database if the request names no group (wire-facts 13.4). */
export const DEFAULT_GROUP = "default";

export const databaseCreation: Pick<Handlers, "createDatabase" | "createDatabaseById"> = {
  async createDatabase({ body }, context) {
    const { state, accessScope } = context;
    return create(body, await findGroup(state, accessScope, body.group || DEFAULT_GROUP), context);
  },

  async createDatabaseById({ body }, context) {
    const { state, accessScope } = context;
    const group = body.group_id
      ? await findLiveGroupById(state, accessScope, body.group_id)
      : await findGroup(state, accessScope, body.group || DEFAULT_GROUP);
    return create(body, group, context);
  },
};

type Wanted = Omit<Received<Api["createDatabase"]>["body"], "group">;

async function create(wanted: Wanted, group: Group | undefined, context: OrganizationContext) {
  const { state, now, ids, accessScope } = context;
  const { organization } = accessScope;
  const { name } = wanted;
  checkName("database", name, organization);
  if (!group) throw refuse.groupOfDatabaseNotFound();
  const parent = await parentOf(wanted.seed, context);
  const content = await contentOf(wanted, parent, context);
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
  await fillNew({ ...content, id }, { seed: wanted.seed, parent }, context);
  return { database: { Name: name, DbId: id, Hostname: hostnameOf(name, organization, group.location) } };
}
