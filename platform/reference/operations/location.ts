import { LOCATIONS } from "../../values/location";
import type { GroupRow } from "../store/schema";
import type { Handlers } from "./handler";

/** Of a group, or of a database in it: the primary one first. */
export const locationsOf = ({
  location,
  other_locations,
}: Pick<GroupRow, "location" | "other_locations">): string[] => [
  location,
  ...(JSON.parse(other_locations) as string[]),
];

export const location: Pick<Handlers, "listLocations"> = {
  listLocations: () => ({ locations: { ...LOCATIONS } }),
};
