import type { ListCache } from "../../platform/client/cache/list-cache";
import type { PlatformClock } from "../../platform/client/clock";
import type { Credential } from "../../platform/client/credential";
import type { Client } from "../../platform/client/http/client";
import type { Organization } from "../../platform/client/organization";

/** Names by id. */
export type GivenNames = ReadonlyMap<string, string>;

/** The configured organization, as one call of the engine sees it. */
export interface ResourceContext {
  readonly client: Client;
  /** The operations with another credential than the configured one. */
  readonly clientWith: (apiToken: string) => Client;
  readonly organization: Organization;
  readonly lists: ListCache;
  readonly credential: Credential;
  readonly clock: PlatformClock;
  /** Names of what this run has made, renamed or restored, by id. */
  readonly names: GivenNames;
  /** Whether the state of the stack holds the object; known where the engine reads before the program runs. */
  readonly inStack: (type: string, id: string) => boolean;
  /** URN of the resource that this preview creates under a name. */
  readonly planned: (type: string, name: string) => string | undefined;
  /** Loads something once in this run, for checks and warnings; a failure is not remembered. */
  readonly once: <T>(what: string, load: () => Promise<T>) => Promise<T>;
  /** URN of the resource that the call is about. */
  readonly urn: string;
  /** Tells the user something that is no failure. */
  readonly warn: (message: string) => void;
  /** Reports a success, or what an update would do. */
  readonly inform: (message: string) => void;
}
