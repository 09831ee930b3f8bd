import * as z from "zod";
import { canonicalUuid } from "../../platform/values/uuid";
import { platformFunction } from "../resource/function";
import { noSuchGroup } from "../resources/group/reference";
import { exactlyOne } from "./exactly-one";
import { LiveGroup, liveGroup } from "./live-group";
import { uuid } from "./uuid";

export const getGroup = platformFunction({
  name: "getGroup",
  reads: ["listGroups"],
  description: "One group, by name or UUID. Deleted groups are not found: see `getDeletedGroups`.",
  args: z.object({
    name: z.string().optional().describe("Name of the group. Give either this or `uuid`."),
    uuid: uuid.optional().describe("UUID of the group. Give either this or `name`."),
  }),
  result: LiveGroup,
  validate: exactlyOne("name", "uuid"),

  async read({ name, uuid = "" }, context) {
    const { client, organization } = context;
    const groups = await organization.groups(client);
    const id = canonicalUuid(uuid);
    const found = groups.find((group) => group.name === name || group.uuid === id);
    if (!found) throw noSuchGroup(name ?? id ?? uuid, groups, context);
    return liveGroup(found);
  },
});
