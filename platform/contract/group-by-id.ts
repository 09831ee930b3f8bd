import * as z from "zod";
import { endpoint } from "./endpoint";
import { Group } from "./group";
import { lazy } from "./lazy";
import { organizationIdPath } from "./organization";

const all = "/v3/organizations/{organizationId}/groups";
const params = lazy(() => organizationIdPath());
export const groupIdPath = lazy(() =>
  params().extend({ groupId: z.guid().meta({ description: "UUID of the group." }) }),
);

/** Lists groups like `listGroups`, but the path names the organization by UUID (wire-facts 2.4). */
export const listGroupsById = endpoint({
  summary: "List the groups of an organization by its UUID.",
  method: "GET",
  paths: [all],
  params,
  result: () => z.object({ groups: z.array(Group()) }),
  access: { level: "group", scope: "read" },
});

/** Retrieves a group by its UUID, which stays the same when the group is renamed (wire-facts 2.4). */
export const retrieveGroupById = endpoint({
  summary: "Retrieve a group by UUID.",
  method: "GET",
  paths: [`${all}/{groupId}`],
  params: groupIdPath,
  result: () => z.object({ group: Group() }),
  access: { level: "group", scope: "read" },
});
