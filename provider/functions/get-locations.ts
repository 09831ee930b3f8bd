import * as z from "zod";
import { platformFunction } from "../platform";
import { namedType } from "./results";

const LocationEntry = namedType("LocationEntry", "A location in which databases can be created.", {
  code: z.string().describe("Code to use in `location` and `locations` of a group."),
  description: z.string().describe("Name of the location."),
});

export const getLocations = platformFunction({
  name: "getLocations",
  reads: ["listLocations"],
  description: "The locations in which groups can be created.",
  args: z.object({}),
  result: z.object({ locations: z.array(LocationEntry).describe("Every location.") }),

  async read(_args, { platform: { api } }) {
    const { locations } = await api.listLocations();
    return { locations: Object.entries(locations).map(([code, description]) => ({ code, description })) };
  },
});
