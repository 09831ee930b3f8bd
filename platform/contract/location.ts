import * as z from "zod";
import { endpoint } from "./endpoint";
import { lazy } from "./lazy";
import { organizationPath } from "./organization";

/** Maps the code of each location to its description (§2.5). */
const LocationMap = lazy(() =>
  z.record(z.string(), z.string()).meta({ description: "Descriptions by location code." }),
);

const LocationsByPlatform = lazy(() =>
  z.object({
    locations: z.record(z.string(), LocationMap()).meta({ description: "Maps of locations by platform." }),
  }),
);

const Location = lazy(() => z.object({ code: z.string(), description: z.string() }));

export const locations = {
  /** Lists the locations in which groups can be created (§4.5). */
  listLocations: endpoint({
    summary: "List the locations of groups.",
    method: "GET",
    paths: ["/v1/locations"],
    result: () => z.object({ locations: LocationMap() }),
    access: { level: "any" },
  }),

  /** Retrieves a location and the locations that are closest to it (wire-facts 6). */
  retrieveLocation: endpoint({
    summary: "Retrieve a location and the locations closest to it.",
    method: "GET",
    paths: ["/v1/locations/{locationCode}"],
    params: () =>
      z.object({
        locationCode: z
          .string()
          .min(1)
          .meta({ description: "Code of the location.", examples: ["aws-us-east-1"] }),
      }),
    result: () => z.object({ location: Location().extend({ closest: z.array(Location()) }) }),
    access: { level: "any" },
  }),

  /**
   * Lists the locations in which groups can be created, in one map per hosting platform, such as `aws` (wire-facts 6).
   */
  listLocationsByPlatform: endpoint({
    summary: "List the locations of groups by platform.",
    method: "GET",
    paths: ["/v2/locations"],
    result: LocationsByPlatform,
    access: { level: "any" },
  }),

  /**
   * Lists the locations in which an organization can create groups, in one map per hosting platform, such as `aws`
   * (wire-facts 6).
   */
  listOrganizationLocations: endpoint({
    summary: "List the locations for an organization's groups by platform.",
    method: "GET",
    paths: ["/v2/organizations/{organizationSlug}/locations"],
    params: organizationPath,
    result: LocationsByPlatform,
    access: { level: "group", scope: "read" },
  }),
};
