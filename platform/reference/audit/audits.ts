import { database } from "./database";
import type { Audits } from "./entry";
import { group } from "./group";
import { organization } from "./organization";
import { people } from "./people";
import { sqlToken } from "./sql-token";
import { token } from "./token";

/**
 * The audit-log entries that each operation writes (§2.6). The compiler requires an entry for every operation that
 * changes something.
 */
export const audits: Audits = { ...organization, ...people, ...group, ...database, ...sqlToken, ...token };
