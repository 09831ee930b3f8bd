import { credential, organizationOf } from "../credentials/credential";
import type { Minting } from "../credentials/mint";
import type { State } from "../store/schema";
import type { Store } from "../store/store";
import { Clock } from "../time/clock";
import { insertSeed, type SeedContents } from "./insert";
import { rememberStart } from "./reset";
import type { CompleteSeed } from "./seed";

interface Beginning {
  readonly seed: CompleteSeed;
  readonly now: string | Date | undefined;
  readonly contents: SeedContents | undefined;
}

/**
 * Prepares a newly opened store for requests: sets the clock, inserts the seed if the store is empty, and mints
 * credentials.
 */
export async function start(store: Store, minting: Minting, { seed, now, contents }: Beginning) {
  if (now !== undefined) await new Clock(store).set(now);
  const tokens = await insertSeed(store, minting, { seed, contents });
  const { slug, id } = await organizationOf(store, undefined);
  const also = (state: State, tokenId: string) => rememberStart(state, { tokenId, now });
  return {
    organization: slug,
    organizationId: id,
    apiToken: await credential(store, minting, { also }),
    unrestrictedToken: await credential(store, minting, { organization: null, also }),
    tokens: tokens ?? {},
    seeded: tokens !== undefined,
  };
}
