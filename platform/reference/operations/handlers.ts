import { auditLog } from "./audit-log";
import { billing } from "./billing";
import { configuration } from "./configuration";
import { database } from "./database";
import { databaseCreation } from "./database-creation";
import { databaseUpkeep } from "./database-upkeep";
import { dump } from "./dump";
import { group } from "./group";
import { groupLocation } from "./group-location";
import { groupUpkeep } from "./group-upkeep";
import type { Handlers } from "./handler";
import { instance } from "./instance";
import { invite } from "./invite";
import { location } from "./location";
import { member } from "./member";
import { organization } from "./organization";
import { recovery } from "./recovery";
import { sqlToken } from "./sql-token";
import { token } from "./token";
import { transfer } from "./transfer";
import { usage } from "./usage";
import { user } from "./user";

export const handlers: Handlers = {
  ...user,
  ...organization,
  ...invite,
  ...billing,
  ...member,
  ...group,
  ...groupLocation,
  ...groupUpkeep,
  ...transfer,
  ...database,
  ...databaseCreation,
  ...databaseUpkeep,
  ...dump,
  ...instance,
  ...sqlToken,
  ...configuration,
  ...usage,
  ...recovery,
  ...token,
  ...auditLog,
  ...location,
};
