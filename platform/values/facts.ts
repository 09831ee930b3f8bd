/** The facts that a message needs, and those that may be absent. A message is a function of one object of facts. */
export type Facts<Name extends keyof PlatformFacts, Optional extends keyof PlatformFacts = never> = Pick<
  PlatformFacts,
  Name
> &
  Partial<Pick<PlatformFacts, Optional>>;

/** All facts in messages of the reference API and about its values. `npm run messages` has an example of each. */
export interface PlatformFacts {
  /** The values that a field accepts, for example `a UUID`. */
  readonly accepted: string;
  /** Name of an alias in a YAML file. */
  readonly alias: string;
  readonly billingPlan: string;
  readonly bound: number | bigint;
  readonly certFile: string;
  readonly choices: readonly string[];
  readonly ciphers: readonly string[];
  readonly column: number;
  /** The content that a file should have, for example `seed`, or the option that names the file. */
  readonly content: string;
  /** Number of objects in a seed, by kind. */
  readonly counts: Readonly<Record<string, number>>;
  /** Path or address of a server's data; `undefined` for data in memory. */
  readonly data: string;
  /** Name of a database. */
  readonly database: string;
  readonly days: number;
  /** The declaration of a column in SQL, for example `name text not null`. */
  readonly declaration: string;
  readonly depth: number;
  /** An action that requires a role, for example `updating member roles`. */
  readonly doing: string;
  /** A part of SQL, for example `VACUUM INTO`. */
  readonly feature: string;
  /** A field of a request or a response, for example `database.DbId`. */
  readonly field: string;
  /** Path of a file. */
  readonly file: string;
  /** Path of the folder with the rows of the databases. */
  readonly folder: string;
  readonly gibibytes: number;
  readonly given: string;
  /** Name or UUID of a group. */
  readonly group: string;
  /** Whether a pragma is used with a value. */
  readonly hasValue: boolean;
  readonly host: string;
  readonly id: string;
  readonly instance: string;
  /** The alternative that a message recommends, for example `an empty database`. */
  readonly instead: string;
  /** Address of a client. */
  readonly ipAddress: string;
  /** Whether a shell runs the lines on standard output, instead of showing them. */
  readonly isEvaluated: boolean;
  readonly keyFile: string;
  /** Name of the HTTP header in which clients send the key of a server. */
  readonly keyHeader: string;
  /** The type of an object as a noun, for example `API token`. */
  readonly kind: string;
  readonly known: readonly string[];
  readonly largest: number;
  /** In bytes. */
  readonly largestSize: bigint;
  /** The form of an instant, in the notation of Go. */
  readonly layout: string;
  readonly leastRole: "member" | "admin" | "owner";
  /** Line of a text, counting from 1. */
  readonly line: number;
  /** Code of a location. */
  readonly location: string;
  /** Path of a server's log. */
  readonly log: string;
  readonly longest: number;
  /** Names of the migrations that this version does not know. */
  readonly migrations: readonly string[];
  readonly mostBytes: number;
  readonly name: string;
  /** Address of a server's page. */
  readonly page: string;
  /** Option of a command, for example `--unmanaged`. */
  readonly option: string;
  /** What a client opens on a WebSocket, by an id that it chooses. */
  /** The position of an error in a statement, in bytes. */
  readonly offset: number;
  readonly opened: "stream" | "cursor";
  readonly openedId: number;
  /** Name or number of a parameter, in an SQL statement or a path. */
  readonly parameter: string;
  readonly parameterCount: number;
  /** The cipher of a copied database; `null` if it is not encrypted. */
  readonly parentCipher: string | null;
  /** The part of an instant at which `rest` does not fit `layout`. */
  readonly part: string;
  /** Fine-grained permission of a SQL token, for example `data_add`. */
  readonly permission: string;
  /** Path or address of data, without credentials. */
  readonly place: string;
  readonly port: number;
  readonly presets: readonly string[];
  /** WebSocket subprotocol, for example `hrana3`. */
  readonly protocol: string;
  /** A clause. */
  readonly reason: string;
  /** Version of this package. */
  readonly release: string;
  /** Type of a request over a WebSocket, for example `describe`. */
  readonly requestType: string;
  /** The end of a text, which does not fit. */
  readonly rest: string;
  readonly roles: readonly string[];
  /** The columns that name a row of the stored data, for example `id "…", name "orders"`; empty if none does. */
  readonly row: string;
  /** The version of this package that has saved a snapshot. */
  readonly savedBy: string;
  readonly scope: string;
  readonly scopes: readonly string[];
  readonly seconds: number;
  readonly server: StartedServer;
  /** A setting of a database, as the platform names it. */
  readonly setting: string;
  /** RFC 3339 */
  readonly since: string;
  /** Slug of an organization. */
  readonly slug: string;
  /** Id that a client has chosen for SQL that it stores on a stream. */
  readonly sqlId: number;
  readonly snapshot: SavedSnapshot;
  /** Status code of a response. */
  readonly status: number;
  /** Name of a table; `null` if a permission is missing for the whole schema. */
  readonly table: string | null;
  /** Names of the tables in the data. */
  readonly tables: readonly string[];
  /** A value as the user wrote it. */
  readonly text: string;
  readonly units: readonly string[];
  /** Continues "a personal organization cannot". */
  readonly unpersonal: "be deleted" | "have other members";
  readonly url: string;
  readonly username: string;
  readonly valueCount: number;
  /** The port of the server to select, if the command names one. */
  readonly wantedPort: number;
}

/** A saved state of a server. */
interface SavedSnapshot {
  readonly name: string;
  /** RFC 3339 */
  readonly savedAt: string;
  readonly databases: number;
  readonly rows: boolean;
}

/** The addresses and credentials with which clients reach a server. */
interface StartedServer {
  readonly url: string;
  readonly organization: string;
  readonly organizationId: string;
  readonly apiToken: string;
  readonly unrestrictedToken: string;
  readonly sql?: string | undefined;
  /** The tokens that the seed declares, by name. */
  readonly tokens: Readonly<Record<string, string>>;
  readonly key?: string | undefined;
}
