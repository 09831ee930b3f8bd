import type { Kysely } from "kysely";
import type { Configuration, ConfigurationField } from "../../contract/configuration-fields";

/** A boolean that is stored as an integer, because SQLite has no booleans and PostgreSQL accepts integers too. */
export type Flag = 0 | 1;

export const asFlag = (value: boolean): Flag => (value ? 1 : 0);

/**
 * The tables and their columns, as the files in migrations/ create them. Timestamps are RFC 3339 in UTC with
 * milliseconds, so that they sort as text. Lists are stored as JSON.
 */
export interface Schema {
  settings: { name: string; value: string };
  counters: { name: string; value: number };
  users: { id: string; username: string; name: string; email: string };
  organizations: OrganizationRow;
  members: { organization_id: string; user_id: string; role: string };
  groups: GroupRow;
  databases: DatabaseRow;
  tokens: TokenRow;
  invites: InviteRow;
  signing_keys: SigningKeyRow;
  dumps: DumpRow;
  audit_logs: AuditLogRow;
}

export interface OrganizationRow {
  id: string;
  /** Value of the `org_id` claim in the organization's tokens. */
  number: number;
  slug: string;
  name: string;
  plan: string;
  /** Billing period of the plan: `monthly`, `yearly` or an empty string. */
  plan_timeline: string;
  overages: Flag;
  require_mfa: Flag;
  restore_enabled: Flag;
  /** A `personal` organization is the account of one user, and its slug is that user's username. */
  type: "personal" | "team";
  stripe_id: string;
}

export interface GroupRow {
  id: string;
  organization_id: string;
  name: string;
  location: string;
  /** Codes of all locations except `location`, in the order in which they were added. */
  other_locations: string;
  delete_protection: Flag;
  deleted_at: string | null;
  /** Number of databases that were deleted with the group (§2.3). */
  cascade_databases: number;
  archived: Flag;
  version: string;
}

/** The columns of a configuration. Flags are stored as integers, and lists as JSON. */
export type ConfigurationColumns = {
  [Name in ConfigurationField]: Configuration[Name] extends boolean ? Flag : string;
};

export interface DatabaseRow extends ConfigurationColumns {
  id: string;
  organization_id: string;
  group_id: string;
  name: string;
  deleted_at: string | null;
  /** The time when the group was deleted; `null` unless the database was deleted with its group (§2.1). */
  group_deleted_at: string | null;
  /**
   * Set to 1 while the database waits to be restored with its group. Timestamps cannot show this, because a group can
   * be deleted twice at the same instant while the clock is stopped.
   */
  returns_with_group: Flag;
  /** Codes of the locations that were added to this database, but not to its group. */
  added_locations: string;
  /** Creation time, or `null` if unknown. A database without a creation time is treated as having always existed. */
  created_at: string | null;
  parent_id: string | null;
  /** Name of the parent at the time of the copy. The parent may later have another one, or no longer exist. */
  parent_name: string | null;
  branched_at: string | null;
  storage_bytes: number;
  version: string;
  /** `libsql` or `tursodb`. */
  engine: string;
  encryption_cipher: string | null;
  sleeping: Flag;
}

export interface TokenRow {
  id: string;
  name: string;
  user_id: string;
  /** The organization to which the token is restricted; `null` for an unrestricted token. */
  organization_id: string | null;
  group_id: string | null;
  scopes: string | null;
  /**
   * SHA-256 of the `jti`. The `jti` itself is not stored, because anyone with the signing key could recreate the
   * token from it.
   */
  jti_hash: string;
  created_at: string;
}

export interface InviteRow {
  number: number;
  organization_id: string;
  email: string;
  role: string;
  created_at: string;
}

export interface SigningKeyRow {
  /** The value of `kid` in the tokens that this key signs. */
  id: string;
  /** Id of the object whose tokens the key signs: the DbId of a database or the UUID of a group. */
  owner_id: string;
  /** The public half of the key, as JSON. */
  jwk: string;
  /** The private key; `null` after a rotation. */
  secret: string | null;
}

/** Metadata of an uploaded dump. The content of the dump is not stored in this table. */
export interface DumpRow {
  id: string;
  organization_id: string;
  size_bytes: number;
  created_at: string;
}

export interface AuditLogRow {
  organization_id: string;
  /** Number of the entry within its organization, starting at 1. */
  number: number;
  code: string;
  message: string;
  origin: string;
  /** Username. */
  author: string;
  created_at: string;
  /** JSON object. */
  data: string;
}

/** A database connection within a transaction. */
export type State = Kysely<Schema>;
