import * as z from "zod";
import { endpoint } from "./endpoint";
import { lazy } from "./lazy";
import { organizationPath } from "./organization";

/** This map is specified in §2.5. */
const LocationMap = lazy(() =>
  z.record(z.string(), z.string()).meta({ description: "Descriptions by location code." }),
);

const LocationsByPlatform = lazy(() =>
  z.object({
    locations: z.record(z.string(), LocationMap()).meta({ description: "Maps of locations by platform." }),
  }),
);

const Location = lazy(() => z.object({ code: z.string(), description: z.string() }));

/** This operation is specified in §4.5. */
export const listLocations = endpoint({
  summary: "List the locations of groups.",
  method: "GET",
  paths: ["/v1/locations"],
  result: () => z.object({ locations: LocationMap() }),
  access: { level: "any" },
});

/** This operation is documented in wire-facts 6. */
export const retrieveLocation = endpoint({
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
});

/** This operation is documented in wire-facts 6. */
export const listLocationsByPlatform = endpoint({
  summary: "List the locations of groups by platform.",
  method: "GET",
  paths: ["/v2/locations"],
  result: LocationsByPlatform,
  access: { level: "any" },
});

/** This operation is documented in wire-facts 6. */
export const listOrganizationLocations = endpoint({
  summary: "List the locations of an organization's groups by platform.",
  method: "GET",
  paths: ["/v2/organizations/{organizationSlug}/locations"],
  params: organizationPath,
  result: LocationsByPlatform,
  access: { level: "group", scope: "read" },
});
