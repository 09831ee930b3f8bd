import * as z from "zod";
import { endpoint } from "./endpoint";
import { Group, groupPath, oneGroup } from "./group";
import { inOrganization } from "./organization";

/** Unarchives a group, so that its databases can be woken again (wire-facts 2.2). */
export const unarchiveGroup = endpoint({
  summary: "Unarchive a group.",
  method: "POST",
  paths: inOrganization(`${oneGroup}/unarchive`),
  params: groupPath,
  result: () => z.object({ group: Group() }),
  changes: ["groups", "databases"],
  access: { level: "group", scope: "group:configure", role: "member" },
});

/** Updates a group and all its databases to the newest version (wire-facts 2.2). */
export const updateGroupVersion = endpoint({
  summary: "Update a group and its databases to the newest version.",
  method: "POST",
  paths: inOrganization(`${oneGroup}/update`),
  params: groupPath,
  result: () => z.looseObject({}),
  changes: ["groups", "databases"],
  access: { level: "group", scope: "group:configure", role: "member" },
});

/** Retrieves the state of a migration to AWS (wire-facts 2.2). By §5 rule 7, group-scoped credentials are rejected. */
export const retrieveAwsMigration = endpoint({
  summary: "Retrieve the status of a group's migration to AWS.",
  method: "GET",
  paths: inOrganization(`${oneGroup}/aws/migration/info`),
  params: groupPath,
  result: () => z.object({ status: z.enum(["none", "pending", "finished", "aborted"]), comment: z.string() }),
  access: { level: "organization" },
});
