import { z } from "zod";
import { endpoint } from "./endpoint";
import { organizationPath } from "./organization";
import { Pagination, pageQuery } from "./page";

/** Wire-facts 2.1. */
export const Group = z.object({
  uuid: z.guid(),
  name: z.string(),
  /** Codes of every location, the primary one among them. */
  locations: z.array(z.string()).default([]),
  primary: z.string(),
  delete_protection: z.boolean().default(false),
});

/** §2.3 */
const DeletedGroup = z.object({
  uuid: z.guid(),
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
  params: z.object({ organizationId: z.guid() }),
  query: pageQuery,
  result: z.object({ groups: z.array(DeletedGroup), pagination: Pagination.optional() }),
  access: { level: "organization", plan: "paid" },
});

const one = `${all}/{groupName}`;
const configuration = z.object({ delete_protection: z.boolean() });

/** Wire-facts 2.2. */
export const retrieveGroupConfiguration = endpoint({
  method: "GET",
  paths: [`${one}/configuration`],
  params: groupPath,
  result: configuration,
  access: { level: "group", scope: "read" },
});

/** Wire-facts 2.2. */
export const updateGroupConfiguration = endpoint({
  method: "PATCH",
  paths: [`${one}/configuration`],
  params: groupPath,
  body: z.object({ delete_protection: z.boolean().nullish() }),
  result: configuration,
  access: { level: "group", scope: "group:configure", role: "member" },
});

/** Wire-facts 2.2. The group keeps its UUID, and its tokens. */
export const renameGroup = endpoint({
  method: "POST",
  paths: [`${one}/rename`],
  params: groupPath,
  body: z.object({ name: z.string() }),
  result: z.looseObject({}),
  access: { level: "group", scope: "group:configure", role: "member" },
});

const locationPath = groupPath.extend({ location: z.string().min(1) });

/** Wire-facts 2.2. */
export const addGroupLocation = endpoint({
  method: "POST",
  paths: [`${one}/locations/{location}`],
  params: locationPath,
  result: z.object({ group: Group }),
  access: { level: "group", scope: "group:configure", role: "member" },
});

/** Wire-facts 2.2. The primary location cannot be removed. */
export const removeGroupLocation = endpoint({
  method: "DELETE",
  paths: [`${one}/locations/{location}`],
  params: locationPath,
  result: z.object({ group: Group }),
  access: { level: "group", scope: "group:configure", role: "member" },
});

/** Wire-facts 2.2. `organization`: slug of the new owner. Tokens of the group are revoked (§3). */
export const transferGroup = endpoint({
  method: "POST",
  paths: [`${one}/transfer`],
  params: groupPath,
  body: z.object({ organization: z.string() }),
  result: Group,
  access: { level: "organization", role: "admin" },
});
