import { auditLogs } from "./audit-log";
import { billing } from "./billing";
import { configurations } from "./configuration";
import { databaseActions, databases } from "./database";
import { groups } from "./group";
import { instances } from "./instance";
import { locations } from "./location";
import { members } from "./member";
import { organizations } from "./organization";
import { recovery } from "./recovery";
import { sqlTokens } from "./sql-token";
import { apiTokens } from "./token";
import { usage } from "./usage";

/** All operations of the platform, by name. Client methods, handlers and journal entries use the same names. */
export const api = {
  ...organizations,
  ...members,
  ...billing,
  ...groups,
  ...databases,
  ...configurations,
  ...databaseActions,
  ...usage,
  ...instances,
  ...sqlTokens,
  ...recovery,
  ...apiTokens,
  ...auditLogs,
  ...locations,
};

export type Api = typeof api;
export type Operation = keyof Api;
