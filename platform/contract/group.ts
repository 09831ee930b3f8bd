import { z } from "zod";
import { endpoint } from "./endpoint";
import { organizationPath } from "./organization";
import { Pagination, pageQuery } from "./page";

/** Wire-facts 2.1. */
export const Group = z.object({
  uuid: z.uuid(),
  name: z.string(),
  /** Codes of every location, the primary one among them. */
  locations: z.array(z.string()).default([]),
  primary: z.string(),
  delete_protection: z.boolean().default(false),
});

/** §2.3 */
const DeletedGroup = z.object({
  uuid: z.uuid(),
  name: z.string(),
  deleted_at: z.iso.datetime({ offset: true }),
  cascade_databases: z.number().int(),
});

const all = "/v1/organizations/{organizationSlug}/groups";
const groupPath = organizationPath.extend({ groupName: z.string().min(1) });

export const listGroups = endpoint({
  method: "GET",
  paths: [all],
  params: organizationPath,
  result: z.object({ groups: z.array(Group) }),
  access: { level: "group", scope: "read" },
});

/** §4.7 */
export const createGroup = endpoint({
  method: "POST",
  paths: [all],
  params: organizationPath,
  body: z.object({ name: z.string(), location: z.string() }),
  result: z.object({ group: Group }),
  access: { level: "organization", role: "member" },
});

export const retrieveGroup = endpoint({
  method: "GET",
  paths: [`${all}/{groupName}`],
  params: groupPath,
  result: z.object({ group: Group }),
  access: { level: "group", scope: "read" },
});

export const deleteGroup = endpoint({
  method: "DELETE",
  paths: [`${all}/{groupName}`],
  params: groupPath,
  result: z.object({ group: Group }),
  access: { level: "organization", role: "member" },
});

/** §4.4: groups deleted within the last five days, empty ones included. */
export const listDeletedGroups = endpoint({
  method: "GET",
  paths: ["/v3/organizations/{organizationId}/deleted-groups"],
  params: z.object({ organizationId: z.uuid() }),
  query: pageQuery,
  result: z.object({ groups: z.array(DeletedGroup), pagination: Pagination.optional() }),
  access: { level: "organization", plan: "paid" },
});
