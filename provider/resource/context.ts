import type { ListCache } from "../../platform/client/cache/list-cache";
import type { PlatformClock } from "../../platform/client/clock";
import type { Credential } from "../../platform/client/credential";
import type { Client } from "../../platform/client/http/client";
import type { Organization } from "../../platform/client/organization";

/** Object names by id. */
export type GivenNames = ReadonlyMap<string, string>;

/** Gives the resources access to the configured organization during one call of the engine. */
export interface ResourceContext {
  readonly client: Client;
  /** Creates a client that uses another API token than the configured one. */
  readonly clientWith: (apiToken: string) => Client;
  readonly organization: Organization;
  readonly lists: ListCache;
  readonly credential: Credential;
  readonly clock: PlatformClock;
  /** Names of the objects that this run has created, renamed or restored, by id. */
  readonly names: GivenNames;
  /**
   * Returns whether the stack's state contains the object; reliable only when the engine reads resources before it runs
   * the program.
   */
  readonly inStack: (type: string, id: string) => boolean;
  /** Returns the URN of the resource that this preview creates under a name. */
  readonly planned: (type: string, name: string) => string | undefined;
  /** Loads a value at most once per run, for checks and warnings; a failed load is retried by the next caller. */
  readonly once: <T>(what: string, load: () => Promise<T>) => Promise<T>;
  /** URN of the resource that the call is about. */
  readonly urn: string;
  /** Shows the user a warning. */
  readonly warn: (message: string) => void;
  /** Reports a success, or what an update would do. */
  readonly inform: (message: string) => void;
}
