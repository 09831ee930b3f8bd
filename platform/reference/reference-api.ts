import type { Credential } from "./credentials/credential";
import type { SqlPermissions } from "./credentials/sql-token-check";
import type { ActiveFault, Fault } from "./faults/faults";
import type { JournalEntry } from "./journal/journal";
import type { Seed } from "./seed/seed";
import type { ReferenceClock } from "./time/clock";

export interface ReferenceApiOptions {
  /** 0, which is the default: any free one. */
  port?: number;
  /** Address to listen on; 127.0.0.1 when left out. */
  host?: string;
  /**
   * Path of a file, `postgres://…`, or `:memory:`, which is the default. Data that holds something already is not
   * seeded again. Several servers may share a file of one machine, or a PostgreSQL database.
   */
  data?: string;
  /** What there is at first, or the path of a YAML file that says it. Left out: one organization with one group. */
  seed?: Seed | string;
  /** Which calls go wrong from the start, or the path of a YAML file that says it. */
  faults?: readonly Fault[] | string;
  /** The clock stands still at this instant from the start. Left out: it goes on as stored, at first with the machine. */
  now?: string | Date;
  /** Ids and tokens are the same at every start with fresh data. Everybody could forge them: on loopback only. */
  deterministic?: boolean;
  /** `false`: nothing is served under `/_reference/`. */
  control?: boolean;
  /** A line for each request on the standard error; `none` when left out. */
  log?: "json" | "text" | "none";
  /** PEM texts: serves https. */
  tls?: { readonly cert: string; readonly key: string };
}

/** A running reference API. The routes under `/_reference/` call the same methods. */
export interface ReferenceApi {
  /** Without a path or a slash at the end. */
  readonly url: string;
  /** Slug of the first organization. */
  readonly organization: string;
  readonly organizationId: string;
  /** Organization-scoped credential of an owner or admin, minted anew at every start, since none is ever stored. */
  readonly apiToken: string;
  /**
   * The same without a restriction, which the platform deprecates. Only such a token creates others like it, as the
   * official clients do, and acts on several organizations.
   */
  readonly unrestrictedToken: string;
  /** The seed's own tokens by name; empty when this start has inserted no seed. */
  readonly tokens: Readonly<Record<string, string>>;
  /** Whether this start has inserted the seed: data that held something already stays as it was. */
  readonly seeded: boolean;
  /** Must be sent as `Reference-Key` to `/_reference/`; present only when the host is not loopback. */
  readonly key?: string;
  /** Mints a credential without another one; by default like `apiToken`. */
  token(wanted?: Credential): Promise<string>;
  /** Makes the user (also a new one) a member of the organization in this role; `undefined`: no member any more. */
  member(username: string, role: Credential["role"]): Promise<void>;
  /** Puts the organization on this plan; `starter` is the free one. */
  plan(plan: string): Promise<void>;
  /**
   * What the database with this DbId lets the bearer of a SQL-engine token do; rejects with the reason where it lets
   * them do nothing. There are no databases to connect to here, so this is how expiry and rotation are seen.
   */
  verifySqlToken(token: string, database: string): Promise<SqlPermissions>;
  /** Its time, which every record, window and expiry goes by. */
  readonly clock: ReferenceClock;
  /** `clock.advance`. */
  advance(seconds: number): Promise<void>;
  /** The next calls that fit the rule go wrong. The id of the rule, which is told in the journal when it is used. */
  fault(rule: Fault): string;
  /** The rules that are left, in the order in which they are asked. */
  faults(): readonly ActiveFault[];
  /** `false`: there is no such rule (any more). */
  removeFault(id: string): boolean;
  clearFaults(): void;
  /** The last 10,000 requests to this process, in the order in which they were answered. */
  journal(): readonly JournalEntry[];
  clearJournal(): void;
  /**
   * Everything is as it was after the start: records with their ids, clock, faults, an empty journal. `apiToken` and
   * the seed's tokens stay valid; all others end.
   */
  reset(): Promise<void>;
  /** Finishes what runs, then ends every connection. */
  close(): Promise<void>;
}
