import type { Credential } from "./credentials/credential";
import type { SqlPermissions } from "./credentials/sql-token-check";
import type { ActiveFault, Fault } from "./faults/faults";
import type { JournalEntry } from "./journal/journal";
import type { Seed } from "./seed/seed";
import type { ReferenceClock } from "./time/clock";

export interface ReferenceApiOptions {
  /** Port to listen on. 0, the default: any free port. */
  port?: number;
  /** Address to listen on. Default: 127.0.0.1. */
  host?: string;
  /**
   * Path of a file, `postgres://…`, or `:memory:`, the default. Existing data is not seeded again. Several servers may
   * share a file on one machine, or a PostgreSQL database.
   */
  data?: string;
  /** The initial content, or the path of a YAML file with it. Absent: one organization with one group. */
  seed?: Seed | string;
  /** The fault rules to begin with, or the path of a YAML file with them. */
  faults?: readonly Fault[] | string;
  /**
   * Stops the clock at this instant (RFC 3339) from the start. Absent: the clock continues as stored, initially with
   * the machine's time.
   */
  now?: string | Date;
  /**
   * Makes ids and tokens the same at every start with fresh data. Allowed on loopback only, because anybody could forge
   * the tokens.
   */
  deterministic?: boolean;
  /** `false`: serves nothing under `/_reference/`. */
  control?: boolean;
  /** Logs a line for each request to standard error. Default: `none`. */
  log?: "json" | "text" | "none";
  /** PEM texts to serve https with. */
  tls?: { readonly cert: string; readonly key: string };
}

/** A running reference API. The routes under `/_reference/` call the same methods. */
export interface ReferenceApi {
  /** Address without a path or a trailing slash. */
  readonly url: string;
  /** Slug of the first organization. */
  readonly organization: string;
  readonly organizationId: string;
  /** Organization-scoped credential of an owner or admin, minted at every start because tokens are never stored. */
  readonly apiToken: string;
  /**
   * Unrestricted credential of the same user, which the platform deprecates. Only an unrestricted token can create
   * further unrestricted tokens, as the official clients do, and act on several organizations.
   */
  readonly unrestrictedToken: string;
  /** The seed's own tokens by name; empty if this start has inserted no seed. */
  readonly tokens: Readonly<Record<string, string>>;
  /** Whether this start has inserted the seed; existing data is left unchanged. */
  readonly seeded: boolean;
  /** Must be sent as `Reference-Key` to `/_reference/`; present only if the host is not loopback. */
  readonly key?: string;
  /** Mints a credential without another one; by default like `apiToken`. */
  token(wanted?: Credential): Promise<string>;
  /**
   * Makes the user a member of the organization with this role, and creates the user if necessary; `undefined` ends the
   * membership.
   */
  member(username: string, role: Credential["role"]): Promise<void>;
  /** Puts the organization on this plan; `starter` is the free plan. */
  plan(plan: string): Promise<void>;
  /**
   * Returns the permissions of a SQL-engine token in the database with this DbId; rejects with the reason if there are
   * none. Because this API has no databases to connect to, expiry and rotation can be tested only with this method.
   *
   * @param token The SQL-engine token, a JWT.
   * @param database DbId.
   */
  verifySqlToken(token: string, database: string): Promise<SqlPermissions>;
  /** The clock of every timestamp, recovery window and expiry. */
  readonly clock: ReferenceClock;
  /** Short for `clock.advance`. */
  advance(seconds: number): Promise<void>;
  /** Adds a fault rule for the next matching calls. Returns the rule's id, by which the journal names it. */
  fault(rule: Fault): string;
  /** Returns the rules that still have calls left, in the order in which they are tried. */
  faults(): readonly ActiveFault[];
  /** Returns `false` if there is no such rule, or no longer. */
  removeFault(id: string): boolean;
  clearFaults(): void;
  /** Returns the last 10,000 requests to this process, in the order of their responses. */
  journal(): readonly JournalEntry[];
  clearJournal(): void;
  /**
   * Restores the state after the start: records with their ids, clock, faults and an empty journal. `apiToken`,
   * `unrestrictedToken` and the seed's tokens stay valid; all other tokens are revoked.
   */
  reset(): Promise<void>;
  /** Finishes the requests in progress, then closes every connection. */
  close(): Promise<void>;
}
