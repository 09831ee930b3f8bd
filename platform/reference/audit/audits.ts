import { database } from "./database";
import type { Audits } from "./entry";
import { group } from "./group";
import { organization } from "./organization";
import { people } from "./people";
import { sqlToken } from "./sql-token";
import { token } from "./token";

/** What each change leaves in the audit log (§2.6). An operation that changes something and is not here does not compile. */
export const audits: Audits = { ...organization, ...people, ...group, ...database, ...sqlToken, ...token };
