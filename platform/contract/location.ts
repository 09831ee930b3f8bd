import { z } from "zod";
import { endpoint } from "./endpoint";

/** §4.5: location codes with their descriptions. */
export const listLocations = endpoint({
  summary: "List the locations of groups.",
  method: "GET",
  paths: ["/v1/locations"],
  result: z.object({ locations: z.record(z.string(), z.string()) }),
  access: { level: "any" },
});
