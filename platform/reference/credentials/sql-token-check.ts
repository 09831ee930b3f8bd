import { compactVerify, decodeProtectedHeader, errors, importJWK } from "jose";
import { refuse } from "../messages";
import type { DatabaseRow, SigningKeyRow, State } from "../store/schema";
import { ALGORITHM } from "./signer";
import { findKeyById } from "./signing-keys";
import { SqlClaims } from "./sql-token";

/** The current permissions of a SQL-engine token in one database. */
export interface SqlPermissions {
  /** DbId. */
  readonly database: string;
  readonly name: string;
  readonly level: "database" | "group";
  readonly authorization: "full-access" | "read-only";
  /** Whether both the token and the database's configuration allow reads. */
  readonly reads: boolean;
  /** Whether both the token and the database's configuration allow writes. */
  readonly writes: boolean;
  readonly block_reads: boolean;
  readonly block_writes: boolean;
  /** DbIds of the databases that the token may attach for reading. */
  readonly read_attach: readonly string[];
  /**
   * Allowed actions by table. An entry without tables covers all tables. `null` means that the token does not restrict
   * actions.
   */
  readonly fine_grained_permissions: readonly { t?: string[] | null; a: string[] }[] | null;
  /** Time when the token expires (RFC 3339), or `null` if the token never expires. */
  readonly expires_at: string | null;
}

/** The claims of tokens whose signature has been verified, by token and key. */
export type VerifiedTokens = Map<string, SqlClaims>;

/** The maximum number of verified tokens to cache. Verifying a signature takes longer than running a small query. */
const REMEMBERED = 10_000;

interface PresentedToken {
  readonly token: string;
  readonly database: DatabaseRow;
  readonly now: Date;
  /** Tokens whose signatures need not be verified again. */
  readonly verified?: VerifiedTokens;
}

/**
 * Returns the permissions that the SQL engine would currently grant the bearer of this token.
 *
 * @throws ApiError with the reason if the SQL engine would reject the token.
 */
export async function checkSqlToken(
  state: State,
  { token, database, now, verified = new Map() }: PresentedToken,
): Promise<SqlPermissions> {
  const claims = await verifiedClaims(state, token, verified);
  if (claims.exp !== undefined && claims.exp * 1000 <= now.getTime()) throw refuse.sqlTokenExpired();
  if (claims.id !== database.id && claims.gid !== database.group_id) throw refuse.sqlTokenElsewhere();
  if (database.deleted_at !== null) throw refuse.databaseDeleted({ database: database.name });
  return { database: database.id, name: database.name, ...permissionsOf(claims, database) };
}

async function verifiedClaims(state: State, token: string, known: VerifiedTokens): Promise<SqlClaims> {
  if (token.split(".").length !== 3) throw refuse.tokenMalformed();
  const key = await findKeyById(state, keyIdOf(token));
  if (!key) throw refuse.sqlTokenUnknown();
  const name = `${key.id} ${token}`;
  const claims = known.get(name) ?? (await claimsSignedWith(token, key));
  if (known.size >= REMEMBERED) known.clear();
  known.set(name, claims);
  if (key.secret === null) throw refuse.sqlTokenRotated();
  return claims;
}

function keyIdOf(token: string): string {
  try {
    return decodeProtectedHeader(token).kid ?? "";
  } catch {
    return "";
  }
}

async function claimsSignedWith(token: string, { jwk }: SigningKeyRow): Promise<SqlClaims> {
  const key = await importJWK(JSON.parse(jwk), ALGORITHM);
  const { payload } = await compactVerify(token, key, { algorithms: [ALGORITHM] }).catch((thrown: unknown) => {
    throw thrown instanceof errors.JOSEError ? refuse.sqlTokenUnknown() : thrown;
  });
  return SqlClaims.parse(JSON.parse(new TextDecoder().decode(payload)));
}

function permissionsOf(
  { a, exp, gid, p, perm }: SqlClaims,
  { block_reads, block_writes }: DatabaseRow,
): Omit<SqlPermissions, "database" | "name"> {
  const actions = perm?.flatMap((permission) => permission.a);
  const mayRead = actions?.includes("data_read") ?? true;
  const mayWrite = a === "rw" && (actions?.some((action) => action !== "data_read") ?? true);
  return {
    level: gid === undefined ? "database" : "group",
    authorization: a === "rw" ? "full-access" : "read-only",
    reads: mayRead && block_reads === 0,
    writes: mayWrite && block_writes === 0,
    block_reads: block_reads === 1,
    block_writes: block_writes === 1,
    read_attach: p?.roa.ns ?? [],
    fine_grained_permissions: perm ?? null,
    expires_at: exp === undefined ? null : new Date(exp * 1000).toISOString(),
  };
}
