import { randomBytes } from "node:crypto";
import type { z } from "zod";
import type { Role } from "../contract/organization";
import { Clock } from "./clock";
import { type Credential, credential, organizationOf } from "./credentials/credential";
import { Signer } from "./credentials/signer";
import { type Fault, Faults } from "./faults";
import { randomIds, repeatableIds } from "./ids";
import { Journal, type JournalEntry } from "./journal";
import { changeMember } from "./members";
import { application } from "./requests/application";
import { isLoopback, type Listening, listen } from "./requests/listen";
import { rememberStart } from "./seed/reset";
import { DEFAULT_SEED, Seed } from "./seed/seed";
import { sow } from "./seed/sow";
import { changeOrganization } from "./store/organizations";
import { openSqliteStore } from "./store/sqlite";
import type { Store } from "./store/store";

export interface ReferenceApiOptions {
  /** 0, which is the default: any free one. */
  port?: number;
  /** 127.0.0.1 when left out. */
  host?: string;
  /** Path of a file, or `:memory:`, which is the default. A file that holds something already is not seeded again. */
  data?: string;
  seed?: Seed;
  /** The clock stands still at this instant from the start. Left out: it goes on as stored, at first with the machine. */
  now?: string | Date;
  /** Ids and tokens are the same at every start with fresh data: for recorded tests, never where others can connect. */
  deterministic?: true;
}

/** A running reference API. What its methods do is what the routes under `/_reference/` do. */
export interface ReferenceApi {
  readonly url: string;
  /** Slug of the first organization. */
  readonly organization: string;
  readonly organizationId: string;
  /** Organization-scoped credential of an owner or admin, minted anew at every start, since none is ever stored. */
  readonly apiToken: string;
  /** The seed's own tokens by name; empty when this start has sown nothing. */
  readonly tokens: Readonly<Record<string, string>>;
  /** Must be sent as `Reference-Key` to `/_reference/`; present only when the host is not loopback. */
  readonly key?: string;
  readonly store: Store;
  readonly clock: Clock;
  /** Mints a credential without another one; by default like `apiToken`. */
  token(wanted?: Credential): Promise<string>;
  /** Makes the user (also a new one) a member of the organization in this role; `undefined`: no member any more. */
  member(username: string, role: z.output<typeof Role> | undefined): Promise<void>;
  /** Puts the organization on this plan; `starter` is the free one. */
  plan(plan: string): Promise<void>;
  journal(): readonly JournalEntry[];
  fault(rule: Fault): void;
  advance(seconds: number): Promise<void>;
  /** Finishes what runs, then ends every connection. */
  close(): Promise<void>;
}

export async function startReferenceApi(options: ReferenceApiOptions = {}): Promise<ReferenceApi> {
  const store = await openSqliteStore(options.data ?? ":memory:");
  try {
    return await serve(store, options);
  } catch (thrown) {
    await store.close();
    throw thrown;
  }
}

async function serve(store: Store, options: ReferenceApiOptions): Promise<ReferenceApi> {
  const { port = 0, host = "127.0.0.1" } = options;
  // Before anything is stored: where the port is taken, the next start is still the first, and tells the seed's tokens.
  const listening = await listen({ port, host });
  try {
    return await begin(store, listening, options);
  } catch (thrown) {
    await listening.close();
    throw thrown;
  }
}

async function begin(store: Store, listening: Listening, options: ReferenceApiOptions): Promise<ReferenceApi> {
  const { host = "127.0.0.1", seed = DEFAULT_SEED, now, deterministic } = options;
  const ids = deterministic ? repeatableIds : randomIds;
  const signer = await Signer.of(store, ids);
  const minting = { signer, ids };
  const clock = new Clock(store);
  if (now !== undefined) await clock.set(new Date(now));
  const tokens = await sow(store, minting, Seed.parse(seed));
  const { slug, id } = await organizationOf(store, undefined);
  const apiToken = await credential(store, minting, {
    also: (state, tokenId) => rememberStart(state, { tokenId, now }),
  });

  const journal = new Journal();
  const faults = new Faults();
  const ending = new AbortController();
  const key = isLoopback(host) ? undefined : randomBytes(24).toString("base64url");
  listening.serve(application({ store, signer, ids, clock, journal, faults, ending: ending.signal, key }));
  return {
    url: listening.url,
    organization: slug,
    organizationId: id,
    apiToken,
    tokens: tokens ?? {},
    ...(key !== undefined && { key }),
    store,
    clock,
    token: (wanted = {}) => credential(store, minting, wanted),
    member: (username, role) =>
      store.transaction([slug], (state) => changeMember(state, ids, { organizationId: id, username, role })),
    plan: (plan) => store.transaction([slug], (state) => changeOrganization(state, id, { plan })),
    journal: () => journal.entries(),
    fault: (rule) => faults.add(rule),
    advance: (seconds) => clock.advance(seconds),
    async close() {
      ending.abort();
      await listening.close();
      await store.close();
    },
  };
}
