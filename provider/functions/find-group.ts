import * as z from "zod";
import { canonicalUuid } from "../../platform/values/uuid";
import type { PlatformContext } from "../platform";
import type { LiveRecord } from "../resources/group/records";
import { noSuchGroup } from "../resources/group/reference";
import { exactlyOne, uuid } from "./arguments";

export const oneGroup = z.object({
  name: z.string().optional().describe("Name of the group. Give either this or `uuid`."),
  uuid: uuid.optional().describe("UUID of the group. Give either this or `name`."),
});

export const whichGroup = exactlyOne<z.output<typeof oneGroup>>("name", "uuid");

export async function findGroup(
  { name, uuid = "" }: z.output<typeof oneGroup>,
  context: PlatformContext,
): Promise<LiveRecord> {
  const { organization } = context.platform;
  const groups = await organization.groups();
  const id = canonicalUuid(uuid);
  const found = groups.find((group) => group.name === name || group.uuid === id);
  if (!found) throw noSuchGroup(name ?? id ?? uuid, groups, context);
  return found;
}
