import type { Operation } from "../../contract/api";
import { auditLogs } from "./audit-log";
import { billing } from "./billing";
import { databases } from "./database";
import { databaseCreation } from "./database-creation";
import { dumps } from "./dump";
import { groups } from "./group";
import { instances } from "./instance";
import { locations } from "./location";
import { members } from "./member";
import type { AnyOperation, Operations } from "./operation";
import { organizations } from "./organization";
import { recovery } from "./recovery";
import { sqlTokens } from "./sql-token";
import { apiTokens } from "./token";
import { transfers } from "./transfer";
import { usage } from "./usage";

/** The compiler reports an operation that is missing here, and each area reports one that the contract does not have. */
const operations: Operations = {
  ...organizations,
  ...auditLogs,
  ...members,
  ...billing,
  ...groups,
  ...databases,
  ...databaseCreation,
  ...dumps,
  ...usage,
  ...instances,
  ...transfers,
  ...sqlTokens,
  ...recovery,
  ...apiTokens,
  ...locations,
};

export const operationNamed = (name: Operation): AnyOperation => operations[name] as AnyOperation;
