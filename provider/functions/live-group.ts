import * as z from "zod";
import { groupNames, type LiveRecord, others } from "../resources/group/records";
import { namedType } from "./results";

export const LiveGroup = namedType("LiveGroup", "A group that is not deleted.", {
  uuid: z.string().describe("UUID of the group, by which a `Group` is imported."),
  name: z.string().describe("Name of the group."),
  location: z.string().describe("Code of the primary location."),
  locations: z.array(z.string()).describe("Codes of further locations."),
  deleteProtection: z.boolean().describe("Whether the platform refuses to delete the group."),
  archived: z.boolean().optional().describe("Whether the group is archived."),
});

export function liveGroup(record: LiveRecord): z.output<typeof LiveGroup> {
  const { uuid, archived, locations, primary } = record;
  const own = groupNames.fromWire(record) as Pick<z.output<typeof LiveGroup>, "name" | "location" | "deleteProtection">;
  return { ...own, uuid, archived, locations: others(locations, primary) };
}
