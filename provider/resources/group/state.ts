import type { z } from "zod";
import type { GroupSchema as GroupRecord } from "../../../platform/contract/group";
import { locationsExceptPrimary } from "../../../platform/values/location";
import { renaming } from "../../renaming";

export type LiveGroupRecord = z.output<ReturnType<typeof GroupRecord>>;

export const groupNames = renaming({ name: "name", location: "primary", deleteProtection: "delete_protection" });

/** Converts the record of a live group to what the platform shows of it. */
export const groupStateOf = (
  { name, primary, locations, delete_protection, archived = false }: LiveGroupRecord,
  organizationId: string,
) => ({
  ...{
    name,
    location: primary,
    locations: locationsExceptPrimary(locations, primary),
    deleteProtection: delete_protection,
    archived,
  },
  organizationId,
});
