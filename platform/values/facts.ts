/** The facts that some messages of the platform need, by name. A message is a function of one object of facts. */
export type Facts<Name extends keyof PlatformFacts> = Pick<PlatformFacts, Name>;

/** All facts in messages of the platform. `npm run messages` has an example of each. */
export interface PlatformFacts {
  /** The values that a field accepts, for example `a UUID`. */
  readonly accepted: string;
  readonly billingPlan: string;
  readonly bound: number | bigint;
  readonly certFile: string;
  readonly choices: readonly string[];
  /** The cipher of a database; `null` if the database is not encrypted. */
  readonly cipher: string | null;
  readonly ciphers: readonly string[];
  readonly column: number;
  /** Number of objects in a seed, by kind. */
  readonly counts: Readonly<Record<string, number>>;
  /** Where a server stores its data; `undefined` for data in memory. */
  readonly data?: string | undefined;
  /** Name of a database. */
  readonly database: string;
  readonly days: number;
  readonly depth: number;
  /** An action that requires a role, for example `updating member roles`. */
  readonly doing?: string | undefined;
  readonly field: string;
  readonly file: string;
  readonly folder: string;
  readonly given: string;
  /** Name of a group. */
  readonly group: string;
  readonly host: string;
  readonly id: string;
  readonly instance: string;
  readonly keyFile: string;
  /** Name of the HTTP header in which clients send the key of a server. */
  readonly keyHeader: string;
  readonly kind: string;
  readonly known: readonly string[];
  readonly largest: number;
  /** In bytes. */
  readonly largestSize: bigint;
  /** The form of an instant, in the notation of Go. */
  readonly layout: string;
  readonly leastRole: "member" | "admin" | "owner";
  readonly line: number;
  /** Code of a location. */
  readonly location: string;
  /** Path of a server's log. */
  readonly log: string;
  readonly longest: number;
  readonly mostBytes: number;
  readonly name: string;
  readonly option: string;
  readonly parameter: string;
  /** The part of an instant at which `rest` does not fit `layout`. */
  readonly part: string;
  /** Where data is stored: a file or the address of a database. */
  readonly place: string;
  readonly port: number;
  readonly ports: readonly number[];
  readonly presets: readonly string[];
  /** A clause. */
  readonly reason: string;
  /** The end of a text, which does not fit. */
  readonly rest: string;
  readonly roles: readonly string[];
  readonly scope: string;
  readonly scopes: readonly string[];
  readonly server: StartedServer;
  /** RFC 3339 */
  readonly since: string;
  /** Slug of an organization. */
  readonly slug: string;
  readonly status: number;
  /** The rejected text. */
  readonly text: string;
  readonly units: readonly string[];
  /** What nobody can do to a personal organization. */
  readonly unpersonal: "be deleted" | "have other members";
  readonly url: string;
  readonly username: string;
  /** The port of the server to stop, if the command names one. */
  readonly wantedPort?: number | undefined;
}

/** How clients reach a server. */
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
