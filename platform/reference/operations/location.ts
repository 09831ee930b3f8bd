import { locationDescriptionsOn, locationWithClosest } from "../../values/location";
import { refuse } from "../messages";
import type { DatabaseRow, GroupRow, State } from "../store/schema";
import { findSetting } from "../store/settings";
import { locationsOf } from "./group";
import type { Operations } from "./operation";

/**
 * Returns the locations of a database: the primary location, then the other locations of its group, then locations that
 * were added to this database alone.
 */
export const regionsOf = (
  database: Pick<GroupRow, "location" | "other_locations"> & Pick<DatabaseRow, "added_locations">,
): readonly string[] => [...new Set([...locationsOf(database), ...(JSON.parse(database.added_locations) as string[])])];

/**
 * Returns the list of locations that the seed selects. §4.5 shows two lists, but does not say which organization gets
 * which.
 */
export const locationsIn = async (state: State): Promise<Record<string, string>> =>
  locationDescriptionsOn((await findSetting(state, "locations")) === "fly" ? "fly" : "aws");

const BY_PLATFORM = { locations: { aws: locationDescriptionsOn("aws"), fly: locationDescriptionsOn("fly") } };

export const locations = {
  listLocations: {
    handle: async (_request, { state }) => ({ locations: await locationsIn(state) }),
  },

  retrieveLocation: {
    handle({ params }) {
      const found = locationWithClosest(params.locationCode);
      if (!found) throw refuse.locationNotFound({ location: params.locationCode });
      return { location: found };
    },
  },

  listLocationsByPlatform: { handle: () => BY_PLATFORM },
  listOrganizationLocations: { handle: () => BY_PLATFORM },
} satisfies Partial<Operations>;
