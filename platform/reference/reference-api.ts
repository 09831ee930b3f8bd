import type { Credential } from "./credentials/credential";
import type { SqlPermissions } from "./credentials/sql-token-check";
import type { ActiveFault, Fault } from "./faults/faults";
import type { JournalEntry } from "./journal/journal";
import type { Seed } from "./seed/seed";
import type { Snapshot } from "./snapshots/snapshots";
import type { ReferenceClock } from "./time/clock";

export interface ReferenceApiOptions {
  /** Port to listen on. The default, 0, takes any free port. */
  port?: number;
  /** Address to listen on; 127.0.0.1 by default. */
  host?: string;
  /**
   * The place of the data: the path of a file, `postgres://…`, or `:memory:`, which is the default. Existing data is
   * not seeded again. Several servers may share a file on one machine, or a PostgreSQL database.
   */
  data?: string;
  /**
   * The initial content, or the path of a YAML file with the initial content. By default, there is one organization
   * with one group.
   */
  seed?: Seed | string;
  /** The initial fault rules, or the path of a YAML file with the rules. */
  faults?: readonly Fault[] | string;
  /**
   * Stops the clock at this instant (RFC 3339) when the server starts. By default, the clock continues from the stored
   * setting, or shows the machine's time if the data is new.
   */
  now?: string | Date;
  /**
   * Generates the same ids and tokens whenever the server starts with fresh data. Allowed on loopback only, because the
   * signing keys are public and anyone could forge the tokens.
   */
  deterministic?: boolean;
  /**
   * Path of the folder with the snapshots. By default, a temporary folder for data in memory, and a folder beside a data
   * file. Required for snapshots of data in PostgreSQL.
   */
  snapshots?: string;
  /** Set to `false` to serve nothing under `/_reference/` except the health. */
  control?: boolean;
  /**
   * Key that requests to `/_reference/` must send in the header `Reference-Key`: at least 16 printable ASCII characters.
   * By default, there is a random one if the host is not loopback, and otherwise none.
   */
  key?: string;
  /**
   * Backs every database with a real SQL database, so that the official clients can connect. Requires Node.js 24.10.
   * Two servers with this option cannot use the same data.
   */
  sql?: boolean;
  /**
   * Path of a folder on this machine for the rows of the databases. Required if `sql` is set and the data is in
   * PostgreSQL, and not allowed otherwise.
   */
  sqlFolder?: string;
  /**
   * Whether browsers let pages of every origin use the platform's API (CORS). Databases can always be used, and the
   * routes under `/_reference/` never.
   */
  cors?: boolean;
  /** Whether to log a line for each request to standard error, and in which format. By default, nothing is logged. */
  log?: "json" | "text" | "none";
  /** Certificate and key in PEM format. With them, the server uses HTTPS. */
  tls?: { readonly cert: string; readonly key: string };
}

/** A running reference API. Its methods do what the routes under `/_reference/` do. */
export interface ReferenceApi {
  /** Address of the server without a path or a trailing slash. */
  readonly url: string;
  /** Slug of the first organization. It changes if a snapshot with another one is loaded. */
  readonly organization: string;
  readonly organizationId: string;
  /**
   * Organization-scoped credential of an owner or admin. It is minted when the server starts, because tokens are never
   * stored.
   */
  readonly apiToken: string;
  /**
   * Unrestricted credential of the same user, for clients that act on several organizations or mint unrestricted
   * tokens, as the official clients do. The platform deprecates unrestricted credentials.
   */
  readonly unrestrictedToken: string;
  /**
   * Address of a database for the official clients, with the placeholder `{DbId}`. Available only with the option
   * `sql`.
   */
  readonly sql?: string;
  /** The tokens that the seed declares, by name. Empty if the server did not insert the seed at startup. */
  readonly tokens: Readonly<Record<string, string>>;
  /** Whether the server inserted the seed at startup, which it does only if there is no data yet. */
  readonly seeded: boolean;
  /**
   * Key that requests to `/_reference/` must send in the header `Reference-Key`. Absent if the host is loopback and the
   * options name no key.
   */
  readonly key?: string;
  /** Mints a credential, by default one like `apiToken`. The call itself needs no credential. */
  token(wanted?: Credential): Promise<string>;
  /**
   * Makes the user a member of the organization with this role, and creates the user if necessary. The role `undefined`
   * ends the membership.
   */
  member(username: string, role: Credential["role"]): Promise<void>;
  /** Puts the organization on this plan; `starter` is the free plan. */
  plan(plan: string): Promise<void>;
  /**
   * Returns the permissions of a SQL-engine token in the database with this DbId, or rejects with the reason if the
   * token is not valid there. Without the option `sql` there are no databases to connect to, so only this method can
   * test expiry and rotation.
   *
   * @param token The SQL-engine token, a JWT.
   * @param database DbId of the database.
   */
  verifySqlToken(token: string, database: string): Promise<SqlPermissions>;
  /** The clock that determines timestamps, recovery windows and expiry. */
  readonly clock: ReferenceClock;
  /** Shorthand for `clock.advance`. */
  advance(seconds: number): Promise<void>;
  /**
   * Adds a fault rule for the next matching calls. Returns the rule's id, which the journal shows for each of these
   * calls.
   */
  fault(rule: Fault): string;
  /**
   * Returns the active rules (those that have not yet been applied to `times` calls) in the order in which they are
   * tried.
   */
  faults(): readonly ActiveFault[];
  /** Removes a fault rule. Returns `false` if no active rule has this id. */
  removeFault(id: string): boolean;
  clearFaults(): void;
  /** Returns the last 10,000 requests to this process, in the order of their responses. */
  journal(): readonly JournalEntry[];
  clearJournal(): void;
  /**
   * Restores the initial data, also if this start found existing data: the records of the seed with their ids, the
   * clock, the fault rules and an empty journal. `apiToken`, `unrestrictedToken` and the seed's tokens stay valid; all other tokens are revoked.
   */
  reset(): Promise<void>;
  /**
   * Saves the state of the platform under a name: all records, tokens and keys, the clock, and with the option `sql` the
   * rows of the databases. Requests wait meanwhile.
   *
   * @param name 1 to 64 lower-case letters, digits, `-` and `_`.
   * @param options With `replace`, a snapshot of this name is replaced. By default, the method rejects if there is one.
   */
  save(name: string, options?: { readonly replace?: boolean }): Promise<Snapshot>;
  /**
   * Restores the state that `save` has saved with this or other data. Streams that are open end, the fault rules are
   * the initial ones, and the journal is empty. `apiToken` and `unrestrictedToken` stay valid. If the method rejects,
   * nothing has changed.
   */
  load(name: string): Promise<Snapshot>;
  /** Returns all snapshots, by name. */
  snapshots(): Promise<readonly Snapshot[]>;
  /** Removes a snapshot. Rejects if there is none of this name. */
  deleteSnapshot(name: string): Promise<void>;
  close(): Promise<void>;
}
