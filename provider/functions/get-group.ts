import { platformFunction } from "../platform";
import { findGroup, oneGroup, whichGroup } from "./find-group";
import { LiveGroup, liveGroup } from "./live-group";

export const getGroup = platformFunction({
  name: "getGroup",
  reads: ["listGroups"],
  description: "One group, by name or UUID. Deleted groups are not found: see `getDeletedGroups`.",
  args: oneGroup,
  result: LiveGroup,
  validate: whichGroup,

  async read(wanted, context) {
    return liveGroup(await findGroup(wanted, context));
  },
});
