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

/** This operation is documented in wire-facts 2.4. */
export const listGroupsById = endpoint({
  summary: "List the groups of an organization by its UUID.",
  method: "GET",
  paths: [all],
  params,
  result: () => z.object({ groups: z.array(Group()) }),
  access: { level: "group", scope: "read" },
});

/** This operation is documented in wire-facts 2.4. */
export const retrieveGroupById = endpoint({
  summary: "Retrieve a group by UUID.",
  method: "GET",
  paths: [`${all}/{groupId}`],
  params: groupIdPath,
  result: () => z.object({ group: Group() }),
  access: { level: "group", scope: "read" },
});
