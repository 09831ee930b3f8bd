import { refuse } from "../refusal";
import type { State } from "../store/schema";
import { changeSetting, removeSetting, setting } from "../store/settings";
import type { Store } from "../store/store";
import { type Rows, replant } from "./planting";

/** What a store goes back to. Ids and credentials are the same again; of credentials only what is stored of them. */
interface Origin {
  readonly rows: Rows;
  /** Of the settings; absent: not set. */
  readonly clock?: string;
  readonly serial?: string;
}

export async function rememberSeed(state: State, rows: Rows): Promise<void> {
  await remember(state, { rows, clock: await setting(state, "clock") });
}

/** The credential that a start has minted stays valid; and the clock stands where the start has put it, if it has. */
export async function rememberStart(state: State, { tokenId, now }: { tokenId: string; now: unknown }): Promise<void> {
  const origin = await originIn(state);
  if (!origin) return;
  const { tokens, organizations, users } = origin.rows;
  const token = await state.selectFrom("tokens").selectAll().where("id", "=", tokenId).executeTakeFirstOrThrow();
  // A later start may find other organizations and users than the seed has.
  const isOfSeed =
    organizations.some(({ id }) => id === token.organization_id) && users.some(({ id }) => id === token.user_id);
  await remember(state, {
    rows: { ...origin.rows, tokens: isOfSeed ? [...tokens, token] : tokens },
    clock: now === undefined ? origin.clock : await setting(state, "clock"),
  });
}

async function remember(state: State, origin: Omit<Origin, "serial">): Promise<void> {
  await changeSetting(state, "seed", JSON.stringify({ ...origin, serial: await setting(state, "serial") }));
}

async function originIn(state: State): Promise<Origin | undefined> {
  const stored = await setting(state, "seed");
  return stored === undefined ? undefined : JSON.parse(stored);
}

/** Everything that the store holds, and the clock, as after the start. */
export async function reset(store: Store): Promise<void> {
  const organizations = await store.read((state) => state.selectFrom("organizations").select("id").execute());
  await store.transaction(
    organizations.map(({ id }) => id),
    async (state) => {
      const origin = await originIn(state);
      if (!origin) throw refuse.noSeed();
      for (const name of ["clock", "serial"] as const) {
        const value = origin[name];
        if (value === undefined) await removeSetting(state, name);
        else await changeSetting(state, name, value);
      }
      await replant(state, origin.rows);
    },
  );
}
