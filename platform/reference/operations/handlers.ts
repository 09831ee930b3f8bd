import { configuration } from "./configuration";
import { database } from "./database";
import { group } from "./group";
import type { Handlers } from "./handler";
import { location } from "./location";
import { organization } from "./organization";
import { recovery } from "./recovery";
import { token } from "./token";

export const handlers: Handlers = {
  ...organization,
  ...group,
  ...database,
  ...configuration,
  ...recovery,
  ...token,
  ...location,
};
