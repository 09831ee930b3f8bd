import * as z from "zod";
import type { ResourceContext } from "../../kit/resource/context";
import { canonicalUuid } from "../../platform/values/uuid";
import { noSuchGroup } from "../resources/group/reference";
import type { LiveRecord } from "../resources/group/state";
import { exactlyOne } from "./exactly-one";
import { uuid } from "./uuid";

export const oneGroup = z.object({
  name: z.string().optional().describe("Name of the group. Give either this or `uuid`."),
  uuid: uuid.optional().describe("UUID of the group. Give either this or `name`."),
});

export const whichGroup = exactlyOne<z.output<typeof oneGroup>>("name", "uuid");

export async function findGroup(
  { name, uuid = "" }: z.output<typeof oneGroup>,
  context: ResourceContext,
): Promise<LiveRecord> {
  const { client, organization } = context;
  const groups = await organization.groups(client);
  const id = canonicalUuid(uuid);
  const found = groups.find((group) => group.name === name || group.uuid === id);
  if (!found) throw noSuchGroup(name ?? id ?? uuid, groups, context);
  return found;
}
