import { database } from "./database";
import type { Audits } from "./entry";
import { group } from "./group";
import { organization } from "./organization";
import { people } from "./people";
import { sqlToken } from "./sql-token";
import { token } from "./token";

/**
 * The audit-log entries of each operation (§2.6). The compiler reports every operation that changes something but is
 * missing here.
 */
export const audits: Audits = { ...organization, ...people, ...group, ...database, ...sqlToken, ...token };
