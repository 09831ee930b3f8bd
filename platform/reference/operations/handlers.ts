import { configuration } from "./configuration";
import { database } from "./database";
import { group } from "./group";
import { groupLocation } from "./group-location";
import type { Handlers } from "./handler";
import { location } from "./location";
import { organization } from "./organization";
import { recovery } from "./recovery";
import { token } from "./token";
import { transfer } from "./transfer";
import { usage } from "./usage";

export const handlers: Handlers = {
  ...organization,
  ...group,
  ...groupLocation,
  ...transfer,
  ...database,
  ...configuration,
  ...usage,
  ...recovery,
  ...token,
  ...location,
};
