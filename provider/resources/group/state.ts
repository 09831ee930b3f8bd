import * as z from "zod";
import { upheld, whileDeleted } from "../../../kit/resource/outputs";
import { renaming } from "../../../kit/resource/renaming";
import { word } from "../../../kit/resource/vocabulary";
import type { Group as GroupRecord } from "../../../platform/contract/group";
import { locationsOn } from "../../../platform/values/location";
import { deletion } from "../deletion";
import { Extensions } from "./extensions";

const location = word({
  name: "Location",
  description: "A location of databases. The platform's own list is `GET /v1/locations` (`getLocations`).",
  values: { ...locationsOn("aws"), ...locationsOn("fly") },
});

export const args = z.object({
  name: z
    .string()
    .optional()
    .describe(
      "Name of the group: lowercase letters, digits and hyphens, unique in the organization. Changing it renames the group. Default: generated from the name of the resource.",
    ),
  location: location.describe("Code of the primary location (see `getLocations`)."),
  locations: z
    .array(location)
    .optional()
    .describe(
      "Codes of further locations (edge replicas), in any order. If omitted, further locations are not managed; `[]` removes them. The platform has deprecated edge replicas: its official client marks adding and removing locations as deprecated.",
    ),
  extensions: Extensions.optional().describe(
    'Extensions of the SQL engine that the databases of the group have, or `["all"]`. Used only when the group is created or replaced, because the platform neither changes nor shows them; changing them later has no effect, and a warning says so.',
  ),
  deleteProtection: z
    .boolean()
    .optional()
    .describe(
      "Whether the platform refuses to delete the group. Databases are protected one by one (`DatabaseConfiguration`); a group with a protected database cannot be deleted either. Default: false.",
    ),
  forceDestroy: z
    .boolean()
    .optional()
    .describe(
      "Whether deleting the group deletes all its databases, including those that this program does not declare. Takes effect once it has been applied. Default: false.",
    ),
});

export const state = z.object({
  ...args.required({ location: true }).shape,
  name: z.string().describe("Name of the group."),
  archived: upheld(
    z
      .boolean()
      .describe(
        'Whether the platform has archived the group, so that its databases cannot be used. The next update unarchives it; to leave it archived, set `ignoreChanges: ["archived"]`.',
      ),
    false,
  ),
  organizationId: z.uuid().describe("UUID of the organization that owns the group."),
  deletedAt: whileDeleted(deletion.describe.deletedAt),
  restorableUntil: whileDeleted(
    "Time until which the object can be restored (RFC 3339). Present only while it is deleted.",
  ),
});

export type GroupArgs = z.output<typeof args> & { name: string };
export type GroupState = z.output<typeof state>;
export type LiveRecord = z.output<ReturnType<typeof GroupRecord>>;

export const groupNames = renaming({ name: "name", location: "primary", deleteProtection: "delete_protection" });

/** Returns a group's locations except the primary location. */
export const others = (codes: readonly string[], primary: string): string[] => codes.filter((code) => code !== primary);

export const stateOf = (record: LiveRecord, organizationId: string): GroupState =>
  ({
    ...groupNames.fromWire(record),
    locations: others(record.locations, record.primary),
    archived: record.archived ?? false,
    organizationId,
  }) as GroupState;
