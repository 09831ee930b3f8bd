import type { KitFacts } from "../kit/facts";
import type { Restorable } from "../kit/results";
import type { PlatformFacts } from "../platform/values/facts";

/** The facts that a message of the provider needs, and those that may be absent. */
export type Facts<Name extends keyof ProviderFacts, Optional extends keyof ProviderFacts = never> = Pick<
  ProviderFacts,
  Name
> &
  Partial<Pick<ProviderFacts, Optional>>;

/**
 * All facts in messages of the provider: those of the kit, those of the platform, and its own. `npm run messages` has an
 * example of each.
 */
export interface ProviderFacts extends KitFacts, PlatformFacts {
  /** A verb phrase for a request, for example `create groups`. */
  readonly action: string;
  /** UUID of the configured organization, as the platform returned it. */
  readonly actualId: string;
  /** The time as of which a database is copied (RFC 3339). */
  readonly asOf: string;
  /** Settings and their values, for example `blockWrites: true`. */
  readonly assignments: readonly string[];
  readonly baseUrl: string;
  readonly by: Author;
  /** Whether deleted objects of other types can be listed. */
  readonly canListOthers: boolean;
  /** Length of a response. */
  readonly characters: number;
  readonly cipher: string;
  /** A Unicode code point in hexadecimal, for example `2026`. */
  readonly codePoint: string;
  /** The organization that the provider is configured for. */
  readonly configured: { readonly slug: string; readonly id: string };
  /** Databases in a group. */
  readonly contained: readonly Contained[];
  /** The text that the user should write instead. */
  readonly corrected: string;
  readonly count: number;
  readonly protectedDatabase: Contained;
  /** Names or DbIds of databases. */
  readonly databases: readonly string[];
  readonly email: string;
  /** The platform's own error message. */
  readonly error: string;
  readonly expiration: string;
  /** How many objects are done. */
  readonly done: number;
  /** Options of a command, for example `--since 2026-11-22T07:00:00.000Z`. */
  readonly options: string;
  /** How many objects could not be restored. */
  readonly failed: number;
  /** The name that a database would get. */
  readonly newName: string;
  /** The end of a window of time that begins with `since`. */
  readonly until: string;
  /** Names of functions. */
  readonly functions: readonly string[];
  readonly groupId: string;
  readonly groupName: string;
  /** Names or UUIDs of groups. */
  readonly groups: readonly string[];
  /** The reason why deleted objects are hidden, as a clause. */
  readonly hiddenBecause: string;
  /** The users' word for the id of an object, for example `DbId`. */
  readonly idName: string;
  /** Whether the old database is deleted first, because the new one has the same name. */
  readonly isDeletedFirst: boolean;
  /** Whether the group of a deleted database was deleted with it. */
  readonly isDeletedWithGroup: boolean;
  /** Whether the database has a key of its own. */
  readonly isEncrypted: boolean;
  readonly isEnough: boolean;
  /** Whether the program declares the configuration of the database. */
  readonly isConfigurationDeclared: boolean;
  /** Whether the stack manages the deleted object, so that `pulumi up` restores it. */
  readonly isInStack: boolean;
  /** Whether the state contains the object, which proves that the object once existed. */
  readonly isKnown: boolean;
  readonly isRecoveryDisabled: boolean;
  /** Id of the live object with the name. */
  readonly live: string;
  readonly method: string;
  /** Number of databases that are not in `contained`. */
  readonly more: number;
  readonly mostPages: number;
  /** The deleted objects with the name. */
  readonly namesakes: readonly Restorable[];
  /** Several objects, each by its type and name, for example `Database orders, Database users`. */
  readonly objects: string;
  /** A verb phrase for each operation, for example `create groups`. */
  readonly operations: readonly string[];
  /** Slug of the organization. */
  readonly organization: string;
  /** UUID of the organization. */
  readonly organizationId: string;
  /** Another argument of the same function. */
  readonly other: string;
  /** Output with the object's id, in backticks. */
  readonly output: string;
  /** UUID of the only group that the API token can see. */
  readonly pinnedTo: string;
  /** The place of a character in a text, from 1. */
  readonly position: number;
  /** Logical name of a provider in the program; `default` for the default provider. */
  readonly providerName: string;
  /** URN of the provider's resource. Empty or undefined with dynamic providers, which do not have one. */
  readonly providerUrn: string;
  /** RFC 3339 */
  readonly readAt: string;
  readonly renewBefore: string;
  /** A description of the platform's response. */
  readonly response: string;
  /** Role of a user in the organization. */
  readonly role: string;
  readonly secondsLeft: number;
  /** Whether the new database of a replacement is a copy of the old one. Absent if it has no seed. */
  readonly seededFrom: "itself" | "elsewhere";
  /** The database to copy: its DbId, or its name in quotation marks. */
  readonly source: string;
  /** The stacks that declare an object, each as `<project>/<stack>`. Absent if the user passed no state files. */
  readonly stacks: readonly string[];
  /** Id of the live object that now has the name. */
  readonly successor: string;
  readonly value: string;
  /** The alternative for the user, worded as the end of a sentence. */
  readonly wayOut: string;
  /** Work that only an admin or owner may do. */
  readonly work: "changing the settings" | "listing all API tokens" | "managing members" | "restoring";
}

/** The user who made a change, and its origin: `cli`, `web`, `api` or any other string in the audit log. */
export interface Author {
  readonly author: string;
  readonly origin: string;
}

/** A database in a message about its group. */
export interface Contained {
  readonly name: string;
  readonly id: string;
}
