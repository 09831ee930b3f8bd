import type { Deed, Search } from "../../provider/client/audit-log/authors";
import type { ListCache } from "../../provider/client/cache/list-cache";
import type { PlatformClock } from "../../provider/client/clock";
import type { Credential } from "../../provider/client/credential";
import type { Client } from "../../provider/client/http/client";
import type { Organization } from "../../provider/client/organization";

/** The names that this update gives to objects or, in a preview, that `pulumi up` would give. */
export interface GivenNames {
  of(type: string, id: string): string | undefined;
  /**
   * Returns the ids of the objects of this type to which this update gives the name. An object that a preview plans to
   * create has no id yet, so its URN stands for it.
   */
  idsOf(type: string, name: string): readonly string[];
}

/** What resources may ask about the preview or update that calls them. */
export interface RunView {
  readonly names: GivenNames;
  /**
   * Returns whether the stack's state contains the object. The result is reliable only if the engine reads all
   * resources before it runs the program.
   */
  inStack(type: string, id: string): boolean;
  /**
   * Returns whether the stack manages the object and the program no longer declares it. This update then deletes the
   * object, unless the option `retainOnDelete` keeps it.
   */
  leavesStack(type: string, id: string): boolean;
  /** In a preview, returns the URN of the resource that will create an object of this type with this name. */
  planned(type: string, name: string): string | undefined;
  /** Returns whether this update restores the object or, in a preview, whether `pulumi up` would. */
  restores(type: string, id: string): boolean;
  /** Loads a value at most once per update, for checks and warnings. If loading fails, the next caller tries again. */
  once<T>(what: string, load: () => Promise<T>): Promise<T>;
}

/** Gives resources access to the configured organization during one call from the engine. */
export interface ResourceContext extends RunView {
  readonly client: Client;
  /** Creates a client that uses another API token instead of the configured token. */
  readonly clientWith: (apiToken: string) => Client;
  readonly organization: Organization;
  readonly lists: ListCache;
  readonly credential: Credential;
  readonly clock: PlatformClock;
  /**
   * Searches the audit log for the author of a change, to name the author in a message about drift. Returns `undefined`
   * if the log cannot be read or does not prove who made the change. Never fails, and requests the log at most once per
   * update.
   */
  readonly authorOf: (search: Search) => Promise<Deed | undefined>;
  /** URN of the resource that the call is about. */
  readonly urn: string;
  /**
   * Shows the user a warning, also at the end of the run. The engine repeats its first line in each later row of the
   * resource.
   */
  readonly warn: (message: string) => void;
  /** Shows the user what an update has done, only in the row of the resource. */
  readonly inform: (message: string) => void;
}
