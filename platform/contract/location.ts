import { z } from "zod";
import { endpoint } from "./endpoint";

/** §4.5: location codes with their descriptions. */
export const listLocations = endpoint({
  method: "GET",
  paths: ["/v1/locations"],
  result: z.object({ locations: z.record(z.string(), z.string()) }),
  access: { level: "any" },
});
