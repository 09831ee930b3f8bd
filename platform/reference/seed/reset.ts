import { SERIAL } from "../ids";
import { refuse } from "../messages";
import { jsonIn } from "../store/columns";
import { WrongData } from "../store/failure";
import { valueChanged } from "../store/messages";
import type { State, TokenRow } from "../store/schema";
import { changeSetting, findSetting, removeSetting, settingFacts } from "../store/settings";
import { type Rows, replaceRows } from "./store-rows";

/** The state that a reset restores, including all ids. It does not contain the text of any credential. */
interface Origin {
  readonly rows: Rows;
  /** The stored clock setting; absent if nobody has set the clock. */
  readonly clock?: string;
  /** Ids of the tokens that were minted when servers started on the data; absent in data of older versions. */
  readonly starts?: readonly string[];
}

export async function rememberSeedForReset(state: State, rows: Rows): Promise<void> {
  await rememberOrigin(state, { rows, clock: await findSetting(state, "clock") });
}

/**
 * Adds the credential that was minted at startup to the state that a reset restores, so that the credential survives a
 * reset. Also adds the clock if it was set at startup.
 */
export async function rememberStartForReset(
  state: State,
  { tokenId, now }: { tokenId: string; now: unknown },
): Promise<void> {
  const origin = await findOrigin(state);
  if (!origin) return;
  const { tokens, organizations, users } = origin.rows;
  const token = await state.selectFrom("tokens").selectAll().where("id", "=", tokenId).executeTakeFirstOrThrow();
  // Whether the seed contains the credential's organization and user. If not, the credential is omitted, because a
  // reset removes its organization or user.
  const isOfSeed =
    (token.organization_id === null || organizations.some(({ id }) => id === token.organization_id)) &&
    users.some(({ id }) => id === token.user_id);
  await rememberOrigin(state, {
    starts: [...(origin.starts ?? []), tokenId],
    rows: { ...origin.rows, tokens: isOfSeed ? [...tokens, token] : tokens },
    clock: now === undefined ? origin.clock : await findSetting(state, "clock"),
  });
}

/**
 * Stores the state that a reset restores. Includes the counter of deterministic ids, so that ids used at startup are
 * not generated again.
 */
async function rememberOrigin(state: State, { rows, clock, starts }: Origin): Promise<void> {
  const serial = await state.selectFrom("counters").selectAll().where("name", "=", SERIAL).execute();
  const counters = [...rows.counters.filter(({ name }) => name !== SERIAL), ...serial];
  await changeSetting(state, "seed", JSON.stringify({ rows: { ...rows, counters }, clock, starts }));
}

async function findOrigin(state: State): Promise<Origin | undefined> {
  const stored = await findSetting(state, "seed");
  if (stored === undefined) return undefined;
  const origin = jsonIn(stored) as Origin | undefined;
  if (!origin) throw new WrongData(valueChanged(settingFacts("seed")));
  return origin;
}

/** Returns the tokens that were minted when servers started on the data, and have not been revoked. */
export async function tokensOfStarts(state: State): Promise<TokenRow[]> {
  const { starts = [] } = (await findOrigin(state)) ?? {};
  const tokens = await state.selectFrom("tokens").selectAll().execute();
  return tokens.filter(({ id }) => starts.includes(id));
}

/** @throws ApiError if the data has no seed. */
export async function getResetOrigin(state: State): Promise<Origin> {
  const origin = await findOrigin(state);
  if (!origin) throw refuse.seedMissing();
  return origin;
}

/**
 * Restores all data and the clock to their state after startup. Must run in a transaction that locks all data.
 *
 * @throws ApiError if the data has no seed.
 */
export async function resetToOrigin(state: State): Promise<void> {
  const { clock, rows } = await getResetOrigin(state);
  if (clock === undefined) await removeSetting(state, "clock");
  else await changeSetting(state, "clock", clock);
  await replaceRows(state, rows);
}
