import type { Kysely } from "kysely";

/** SQLite has no booleans; PostgreSQL accepts the same integers. */
export type Flag = 0 | 1;

export const flag = (value: boolean): Flag => (value ? 1 : 0);

/**
 * What is stored, column by column; migrations/ makes it so. Instants are RFC 3339 in UTC with milliseconds, so their
 * order as text is their order in time. Lists are JSON.
 */
export interface Schema {
  settings: { name: string; value: string };
  users: { id: string; username: string; name: string; email: string };
  organizations: OrganizationRow;
  members: { organization_id: string; user_id: string; role: string };
  groups: GroupRow;
  databases: DatabaseRow;
  tokens: TokenRow;
}

export interface OrganizationRow {
  id: string;
  /** The `org_id` of tokens. */
  number: number;
  slug: string;
  name: string;
  plan: string;
  overages: Flag;
  require_mfa: Flag;
  restore_enabled: Flag;
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
}

export interface DatabaseRow {
  id: string;
  organization_id: string;
  group_id: string;
  name: string;
  size_limit: string;
  allow_attach: Flag;
  block_reads: Flag;
  block_writes: Flag;
  delete_protection: Flag;
  allowed_ips: string;
  allowed_aws_vpc_ids: string;
  deleted_at: string | null;
  /** Set when the group was deleted together with the database (§2.1). */
  group_deleted_at: string | null;
  /**
   * Set from the deletion of its group until the group lives again. Times do not tell: while the clock stands, a group
   * can be deleted twice in one instant.
   */
  returns_with_group: Flag;
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

/** What a transaction works on. */
export type State = Kysely<Schema>;
