import * as z from "zod";
import { platformFunction } from "../resource/function";
import { namedType } from "./named-type";

const LocationEntry = namedType("LocationEntry", "Where databases can be.", {
  code: z.string().describe("What a group's `location` and `locations` name it by."),
  description: z.string().describe("The location in words."),
});

export const getLocations = platformFunction({
  name: "getLocations",
  description: "The locations where groups can be.",
  example: `const { locations } = await dbplatform.getLocations();
export const codes = locations.map(({ code }) => code);`,
  args: z.object({}),
  result: z.object({ locations: z.array(LocationEntry).describe("Every location.") }),

  async read(_args, { client }) {
    const { locations } = await client.listLocations({});
    return { locations: Object.entries(locations).map(([code, description]) => ({ code, description })) };
  },
});
