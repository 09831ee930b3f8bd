import type { Kysely } from "kysely";
import type { Configuration, ConfigurationField } from "../../contract/configuration";
import type { Session } from "./session";

/** SQLite has no booleans; PostgreSQL accepts the same integers. */
export type Flag = 0 | 1;

export const flag = (value: boolean): Flag => (value ? 1 : 0);

/**
 * What is stored, column by column; migrations/ makes it so. Instants are RFC 3339 in UTC with milliseconds, so their
 * order as text is their order in time. Lists are JSON.
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
  /** The primary one. */
  location: string;
  /** Added later, in that order. */
  other_locations: string;
  delete_protection: Flag;
  deleted_at: string | null;
  /** Counted when the group was deleted (§2.3). */
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
  /** Set when the group was deleted together with the database (§2.1). */
  group_deleted_at: string | null;
  /**
   * Set from the deletion of its group until the group lives again. Times do not tell: while the clock stands, a group
   * can be deleted twice in one instant.
   */
  returns_with_group: Flag;
  /** Added to this database alone, beside the locations of its group. */
  added_locations: string;
  /** Absent: nobody knows, so it was always there. */
  created_at: string | null;
  /** DbId of the database that this one was made from. */
  parent_id: string | null;
  /** As it was called then, which stays so whatever becomes of it. */
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
  /** SHA-256 of the `jti`: with the key and the `jti` itself, the token could be shown again. */
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

/** The key that signs SQL-engine tokens of one database or one group. */
export interface SigningKeyRow {
  /** The `kid` of its tokens. */
  id: string;
  /** DbId or group UUID. */
  owner_id: string;
  /** The public part. */
  jwk: string;
  /** The private part, until a rotation. */
  secret: string | null;
}

/** An uploaded dump, of which only the size is kept. */
export interface DumpRow {
  id: string;
  organization_id: string;
  size_bytes: number;
  created_at: string;
}

export interface AuditLogRow {
  organization_id: string;
  /** 1, 2, … within the organization. */
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

/** What a transaction works on. Changed by a plugin, it has no session. */
export type State = Kysely<Schema> & { readonly session?: Session };
