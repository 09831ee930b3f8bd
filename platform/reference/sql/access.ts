import { isAddressAllowedBy } from "../../values/address";
import { largestBytes } from "../../values/size";
import { checkSqlToken, type SqlPermissions, type VerifiedTokens } from "../credentials/sql-token-check";
import { refuse } from "../messages";
import { configurationOf } from "../operations/configuration";
import { ApiError } from "../refusal";
import type { State } from "../store/schema";
import type { Rights } from "./engine/jobs";
import { PAGE } from "./engine/limits";
import type { Folder } from "./folder";
import {
  type DatabaseReference,
  findDatabaseByIdOrHostname,
  findLocatedDatabase,
  type LocatedDatabase,
} from "./located-database";
import {
  addressRefused,
  NOT_READING,
  NOT_WRITING,
  namespaceMissing,
  READS_BLOCKED,
  TOKEN_MISSING,
  WRITES_BLOCKED,
} from "./messages";

/** The maximum size of a database without a `size_limit`, in pages (1 GiB). */
const MOST_PAGES = 262_144;

export interface Visitor {
  readonly named: DatabaseReference;
  readonly authorization: string | undefined;
  /** The caller's IP address. */
  readonly address: string;
}

/** The database that a request is for, and what the request may do there. */
export interface SqlAccess {
  readonly database: LocatedDatabase;
  readonly rights: Rights;
  readonly pages: number;
  /** The databases that the request may attach. */
  readonly attachable: readonly LocatedDatabase[];
}

/**
 * Returns the database that a request is for, and what its token allows.
 *
 * @throws ApiError 404 if the database does not exist or is deleted, 401 if the token is missing or invalid, 403 if the
 *   address is not allowed or the group is archived.
 */
export async function grantSqlAccess(
  state: State,
  { named, authorization, address }: Visitor,
  { now, verified, folder }: { now: Date; verified: VerifiedTokens; folder: Folder },
): Promise<SqlAccess> {
  const database = await findDatabaseByIdOrHostname(state, named);
  if (!database || database.deleted_at !== null)
    throw new ApiError(404, namespaceMissing({ name: "id" in named ? named.id : named.host }));
  const token = /^Bearer\s+(\S+)\s*$/i.exec(authorization ?? "")?.[1];
  if (token === undefined) throw new ApiError(401, TOKEN_MISSING, "AUTH_JWT_MISSING");
  const permissions = await checkSqlToken(state, { token, database, now, verified }).catch((thrown) => {
    throw thrown instanceof ApiError ? new ApiError(thrown.status, thrown.message, "AUTH_JWT_INVALID") : thrown;
  });
  if (!allowsAddress(database, address)) throw new ApiError(403, addressRefused({ ipAddress: address }));
  if (database.archived) throw refuse.groupStopped({ group: database.group_name });
  const bytes = largestBytes(database.size_limit);
  const pages = bytes === undefined ? MOST_PAGES : Math.max(1, Number(bytes / BigInt(PAGE)));
  const attachable = await attachableDatabases(state, permissions, address);
  const folders = Object.fromEntries(attachable.map(({ id }) => [id, folder.of(id)]));
  return {
    database,
    attachable,
    rights: { ...sqlRights(permissions), attachable: folders },
    pages: Math.min(pages, 2 ** 32 - 2),
  };
}

function allowsAddress(database: LocatedDatabase, address: string): boolean {
  const { allowed_ips, allowed_aws_vpc_ids } = configurationOf(database);
  // Nobody reaches this server through a VPC endpoint, so an allowlist with only VPC endpoints allows nobody.
  if (allowed_ips.length + allowed_aws_vpc_ids.length === 0) return true;
  return allowed_ips.some((allowed) => isAddressAllowedBy(address, allowed));
}

const sqlRights = ({ reads, writes, ...permissions }: SqlPermissions): Omit<Rights, "attachable"> => ({
  reads,
  writes,
  refusal: {
    reads: permissions.block_reads ? READS_BLOCKED : NOT_READING,
    writes: permissions.block_writes ? WRITES_BLOCKED : NOT_WRITING,
    // As in libSQL's own server, where the token is refused and the configuration only the statement.
    endsTransaction: !permissions.block_writes,
  },
  rules: permissions.fine_grained_permissions,
});

/**
 * Checks that the caller may read or write the whole database, which dumps, exports and uploads require.
 *
 * @throws ApiError 403 if the token or the configuration does not allow this.
 */
export function assertFullSqlAccess(rights: Rights, action: "reads" | "writes"): void {
  if (!rights[action] || rights.rules) throw new ApiError(403, rights.refusal[action]);
}

/**
 * Returns the databases that the caller may attach. The token must list the database, and the database's configuration
 * must allow attaching, reads and the caller's address.
 */
async function attachableDatabases(
  state: State,
  { read_attach }: SqlPermissions,
  address: string,
): Promise<LocatedDatabase[]> {
  const attachable: LocatedDatabase[] = [];
  for (const id of read_attach) {
    const other = await findLocatedDatabase(state, id);
    if (!other || other.deleted_at !== null || other.archived) continue;
    const { allow_attach, block_reads } = configurationOf(other);
    if (allow_attach && !block_reads && allowsAddress(other, address)) attachable.push(other);
  }
  return attachable;
}
