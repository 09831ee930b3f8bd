import { randomBytes } from "node:crypto";
import { Credential, credential, organizationOf } from "./credentials/credential";
import { Signer } from "./credentials/signer";
import { checkSqlToken } from "./credentials/sql-token-check";
import { type Fault, FaultRule, FaultRules, Faults } from "./faults/faults";
import { replicaOf } from "./faults/replica";
import { randomIds, repeatableIds } from "./ids";
import type { Parts } from "./parts";
import type { ReferenceApi, ReferenceApiOptions } from "./reference-api";
import { application } from "./requests/application";
import { Journal } from "./requests/journal";
import { isLoopback, type Listening, listen } from "./requests/listen";
import { logger } from "./requests/log";
import { formed } from "./requests/parse";
import { contentOf } from "./seed/content";
import { rememberStart, reset } from "./seed/reset";
import { DEFAULT_SEED, Seed, type SownSeed } from "./seed/seed";
import { sow } from "./seed/sow";
import { changeMember } from "./store/members";
import { openStore, startFailure } from "./store/open";
import { changeOrganization } from "./store/organizations";
import type { State } from "./store/schema";
import type { Store } from "./store/store";
import { Clock, nowIn } from "./time/clock";

export type * from "./reference-api";

/** With what tests of our own look at. */
export interface OpenReferenceApi extends ReferenceApi {
  readonly store: Store;
  readonly own: Own;
}

export async function startReferenceApi(options: ReferenceApiOptions = {}, own?: Own): Promise<OpenReferenceApi> {
  const { port = 0, host = DEFAULT_HOST, tls, deterministic, seed = DEFAULT_SEED, faults = [] } = options;
  if (deterministic && !isLoopback(host))
    throw new Error(
      `everybody could forge the tokens of a deterministic start: not on ${host}, which others can reach`,
    );
  // Mistakes in them are told before anything is touched.
  const wanted = { seed: await contentOf(seed, Seed, "seed"), faults: await contentOf(faults, FaultRules, "faults") };
  // Before anything is stored: where the port is taken, the next start is still the first, and tells the seed's tokens.
  const listening = await listen({ port, host, tls });
  try {
    return await serve({ listening, own, ...wanted }, options);
  } catch (thrown) {
    await listening.close();
    throw thrown;
  }
}

const DEFAULT_HOST = "127.0.0.1";

/** What a server does not keep in its data, for several servers in one process that are to have it together. */
type Own = Pick<Parts, "journal" | "faults">;

interface Kept {
  readonly listening: Listening;
  readonly own?: Own;
  readonly seed: SownSeed;
  readonly faults: readonly Fault[];
}

async function serve(kept: Kept, options: ReferenceApiOptions): Promise<OpenReferenceApi> {
  const { data = ":memory:" } = options;
  const store = await openStore(data);
  try {
    return await begin({ ...kept, store }, options);
  } catch (thrown) {
    await store.close();
    throw await startFailure(data, thrown);
  }
}

async function begin({ store, listening, ...kept }: Kept & { store: Store }, options: ReferenceApiOptions) {
  const { host = DEFAULT_HOST, now, deterministic, control = true, log = "none" } = options;
  const ids = deterministic ? repeatableIds : randomIds;
  const signer = await Signer.of(store, ids);
  const minting = { signer, ids };
  const clock = new Clock(store);
  if (now !== undefined) await clock.set(now);
  const tokens = await sow(store, minting, kept.seed);
  const { slug, id } = await organizationOf(store, undefined);
  const also = (state: State, tokenId: string) => rememberStart(state, { tokenId, now });
  const apiToken = await credential(store, minting, { also });
  const unrestrictedToken = await credential(store, minting, { organization: null, also });

  const key = isLoopback(host) ? undefined : randomBytes(24).toString("base64url");
  const own = kept.own ?? {
    journal: new Journal(logger(log, process.stderr), key),
    faults: new Faults(kept.faults, () => replicaOf(store)),
  };
  const { journal, faults } = own;
  const ending = new AbortController();
  const api: OpenReferenceApi = {
    url: listening.url,
    organization: slug,
    organizationId: id,
    apiToken,
    unrestrictedToken,
    tokens: tokens ?? {},
    sown: tokens !== undefined,
    ...(key !== undefined && { key }),
    store,
    own,
    token: async (credentialWanted = {}) => credential(store, minting, formed(Credential, credentialWanted)),
    member: (username, role) =>
      store.transaction([slug], (state) => changeMember(state, ids, { organizationId: id, username, role })),
    plan: (plan) => store.transaction([slug], (state) => changeOrganization(state, id, { plan })),
    verifySqlToken: (token, database) =>
      store.read(async (state) => checkSqlToken(state, { token, database, now: await nowIn(state) })),
    clock,
    advance: (seconds) => clock.advance(seconds),
    fault: (rule) => faults.add(formed(FaultRule, rule)),
    faults: () => faults.list(),
    removeFault: (fault) => faults.remove(fault),
    clearFaults: () => faults.clear(),
    journal: () => journal.entries(),
    clearJournal: () => journal.clear(),
    async reset() {
      await reset(store);
      faults.reset();
      journal.clear();
    },
    async close() {
      ending.abort();
      await listening.close();
      await store.close();
    },
  };
  listening.serve(
    application({ store, signer, ids, clock, journal, faults, ending: ending.signal, ...(control && { api }) }),
  );
  return api;
}
