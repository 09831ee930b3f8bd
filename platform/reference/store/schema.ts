import type { Kysely } from "kysely";
import type { Configuration, ConfigurationField } from "../../contract/configuration";
import type { Session } from "./session";

/** SQLite has no booleans; PostgreSQL accepts the same integers. */
export type Flag = 0 | 1;

export const flag = (value: boolean): Flag => (value ? 1 : 0);

/**
 * The tables, column by column; migrations/ creates them. Instants are RFC 3339 in UTC with milliseconds, so that they
 * sort as text. Lists are JSON.
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
  /** The `org_id` of tokens. */
  number: number;
  slug: string;
  name: string;
  plan: string;
  /** `monthly`, `yearly` or empty. */
  plan_timeline: string;
  overages: Flag;
  require_mfa: Flag;
  restore_enabled: Flag;
  /** `personal`: the account of one user, whose name is its slug. */
  type: "personal" | "team";
  stripe_id: string;
}

export interface GroupRow {
  id: string;
  organization_id: string;
  name: string;
  /** Code of the primary location. */
  location: string;
  /** Codes of the locations added later, in the order of their addition. */
  other_locations: string;
  delete_protection: Flag;
  deleted_at: string | null;
  /** Number of databases deleted with the group, counted at its deletion (§2.3). */
  cascade_databases: number;
  archived: Flag;
  version: string;
}

/** A configuration as columns: flags are integers, lists are JSON. */
export type ConfigurationColumns = {
  [Name in ConfigurationField]: Configuration[Name] extends boolean ? Flag : string;
};

export interface DatabaseRow extends ConfigurationColumns {
  id: string;
  organization_id: string;
  group_id: string;
  name: string;
  deleted_at: string | null;
  /** Present if the database was deleted together with its group (§2.1). */
  group_deleted_at: string | null;
  /**
   * 1 from the deletion of its group until the group is restored. Timestamps are not enough, because while the clock
   * stands still a group can be deleted twice at one instant.
   */
  returns_with_group: Flag;
  /** Codes of locations that only this database has, in addition to those of its group. */
  added_locations: string;
  /** Absent: unknown, and treated as if the database had always existed. */
  created_at: string | null;
  /** DbId of the database that this database was copied from. */
  parent_id: string | null;
  /** The parent's name at the time of the copy; later changes of the parent do not affect it. */
  parent_name: string | null;
  /** The instant of the parent's data. */
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
  /** Absent: unrestricted. */
  organization_id: string | null;
  /** Present: group-scoped. */
  group_id: string | null;
  scopes: string | null;
  /** SHA-256 of the `jti`, because the signing key and the `jti` itself would suffice to recreate the token. */
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

/** The key that signs the SQL-engine tokens of one database or one group. */
export interface SigningKeyRow {
  /** The `kid` of its tokens. */
  id: string;
  /** DbId or group UUID. */
  owner_id: string;
  /** The public key. */
  jwk: string;
  /** The private key; `null` after a rotation. */
  secret: string | null;
}

/** An uploaded dump, of which only the size is stored. */
export interface DumpRow {
  id: string;
  organization_id: string;
  size_bytes: number;
  created_at: string;
}

export interface AuditLogRow {
  organization_id: string;
  /** Number of the entry within its organization: 1, 2, … */
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

/** The connection of a transaction. A copy of it with a Kysely plugin has no session. */
export type State = Kysely<Schema> & { readonly session?: Session };
