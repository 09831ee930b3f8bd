import type { ResourceContext } from "../kit/context";
import { kit } from "../kit/kit";
import type { Operation } from "../platform/contract/api";
import type { Deed, Search } from "./client/audit-log/authors";
import type { ListCache } from "./client/cache/list-cache";
import type { PlatformClock } from "./client/clock";
import type { Credential } from "./client/credential";
import type { Organization } from "./client/organization";
import type { OrganizationClient } from "./client/organization-client";
import type { SqlAddress, SqlCredential, SqlDatabase } from "./client/sql";

/** Gives resources and functions access to the configured organization during one call from the engine. */
export interface Platform {
  readonly api: OrganizationClient;
  /** Sends requests also after the call was cancelled, until its time limit, to undo what the call has begun. */
  readonly apiToUndo: OrganizationClient;
  /** Returns a client that uses another API token instead of the configured token. */
  apiWith(apiToken: string): OrganizationClient;
  readonly organization: Organization;
  readonly lists: ListCache;
  readonly credential: Credential;
  /** Returns whether the provider authenticates with this API token. Without the token itself, only its id may show it. */
  authenticatesWith(apiToken: { readonly id: string; readonly token?: string | undefined }): boolean;
  readonly clock: PlatformClock;
  /** Opens a database for SQL. */
  openDatabase(database: SqlAddress, credential: SqlCredential): Promise<SqlDatabase>;
  /**
   * Searches the audit log for the author of a change, to name the author in a message about drift. Returns `undefined`
   * if the log cannot be read or does not prove who made the change. Never fails, and requests the log at most once per
   * update.
   */
  authorOf(search: Search): Promise<Deed | undefined>;
}

export type PlatformContext = ResourceContext<Platform>;

export const { field, resource, platformFunction } = kit<Platform, Operation>();
