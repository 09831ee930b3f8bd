import { LOCATIONS } from "../../values/location";
import type { Database } from "../store/databases";
import type { GroupRow } from "../store/schema";
import type { Handlers } from "./handler";

/** Of a group: the primary one first. */
export const locationsOf = ({
  location,
  other_locations,
}: Pick<GroupRow, "location" | "other_locations">): string[] => [
  location,
  ...(JSON.parse(other_locations) as string[]),
];

/** Of a database: those of its group, the primary one first, then those that were added to it alone. */
export const regionsOf = (
  database: Pick<Database, "location" | "other_locations" | "added_locations">,
): readonly string[] => [...new Set([...locationsOf(database), ...(JSON.parse(database.added_locations) as string[])])];

export const location: Pick<Handlers, "listLocations"> = {
  listLocations: () => ({ locations: { ...LOCATIONS } }),
};
