import { SERIAL } from "../ids";
import { refuse } from "../refusal";
import type { State } from "../store/schema";
import { changeSetting, removeSetting, setting } from "../store/settings";
import type { Store } from "../store/store";
import { type Rows, replaceRows } from "./rows";

/** What a store goes back to. Ids and credentials are the same again; of credentials only what is stored of them. */
interface Origin {
  readonly rows: Rows;
  /** The setting; absent: not set. */
  readonly clock?: string;
}

export async function rememberSeed(state: State, rows: Rows): Promise<void> {
  await remember(state, { rows, clock: await setting(state, "clock") });
}

/** A credential that a start has minted stays valid; and the clock stands where the start has put it, if it has. */
export async function rememberStart(state: State, { tokenId, now }: { tokenId: string; now: unknown }): Promise<void> {
  const origin = await originIn(state);
  if (!origin) return;
  const { tokens, organizations, users } = origin.rows;
  const token = await state.selectFrom("tokens").selectAll().where("id", "=", tokenId).executeTakeFirstOrThrow();
  // A later start may find other organizations and users than the seed has.
  const isOfSeed =
    (token.organization_id === null || organizations.some(({ id }) => id === token.organization_id)) &&
    users.some(({ id }) => id === token.user_id);
  await remember(state, {
    rows: { ...origin.rows, tokens: isOfSeed ? [...tokens, token] : tokens },
    clock: now === undefined ? origin.clock : await setting(state, "clock"),
  });
}

/** Of the counters, that of repeatable ids is as it is now: those that the start has used are not given again. */
async function remember(state: State, { rows, clock }: Origin): Promise<void> {
  const serial = await state.selectFrom("counters").selectAll().where("name", "=", SERIAL).execute();
  const counters = [...rows.counters.filter(({ name }) => name !== SERIAL), ...serial];
  await changeSetting(state, "seed", JSON.stringify({ rows: { ...rows, counters }, clock }));
}

async function originIn(state: State): Promise<Origin | undefined> {
  const stored = await setting(state, "seed");
  return stored === undefined ? undefined : JSON.parse(stored);
}

/** Everything that the store holds, and the clock, as after the start. */
export async function reset(store: Store): Promise<void> {
  await store.transaction("all", async (state) => {
    const origin = await originIn(state);
    if (!origin) throw refuse.noSeed();
    if (origin.clock === undefined) await removeSetting(state, "clock");
    else await changeSetting(state, "clock", origin.clock);
    await replaceRows(state, origin.rows);
  });
}
