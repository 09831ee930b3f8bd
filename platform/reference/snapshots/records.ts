import { loadedKeys, type Signer } from "../credentials/signer";
import { SERIAL } from "../ids";
import { tokensOfStarts } from "../seed/reset";
import { noRows, type Rows, readRows, replaceRows } from "../seed/store-rows";
import type { Schema, State, TokenRow } from "../store/schema";
import { changeSetting, removeSetting } from "../store/settings";

/** Everything in a snapshot except the rows of the databases. It contains the text of no token. */
export type Records = Rows & { readonly settings: Schema["settings"][] };

/** The names of all tables, in an order in which every row follows those that it refers to. */
export const TABLES: readonly string[] = ["settings", ...Object.keys(noRows())];

/** The settings that are part of a snapshot. The others belong to the data. */
const SETTINGS = ["clock", "locations", "rejected-on-aws", "loaded-keys"] as const;

/** Reads what a snapshot contains, and the keys that verify its API tokens. */
export async function readRecords(state: State, signer: Signer): Promise<Records> {
  const stored = await state
    .selectFrom("settings")
    .selectAll()
    .where("name", "in", ["clock", "locations", "rejected-on-aws"])
    .execute();
  const keys = [signer.publicPart, ...(await loadedKeys(state))];
  return {
    settings: [...stored, { name: "loaded-keys", value: JSON.stringify(keys) }],
    ...(await readRows(state)),
  };
}

/** Replaces all records. The tokens that servers on this data have printed at their start stay valid. */
export async function replaceRecords(state: State, { settings, ...rows }: Records, signer: Signer): Promise<void> {
  const starts = await tokensOfStarts(state);
  const serial = await state.selectFrom("counters").select("value").where("name", "=", SERIAL).executeTakeFirst();
  const values = new Map(settings.map(({ name, value }) => [name, value]));
  for (const name of SETTINGS) {
    const value = name === "loaded-keys" ? keysOfOthers(values.get(name), signer) : values.get(name);
    if (value === undefined) await removeSetting(state, name);
    else await changeSetting(state, name, value);
  }
  await replaceRows(state, withTokens(rows, starts, serial?.value ?? 0));
}

function keysOfOthers(keys: string | undefined, signer: Signer): string {
  const own = JSON.stringify(signer.publicPart);
  return JSON.stringify((JSON.parse(keys ?? "[]") as object[]).filter((key) => JSON.stringify(key) !== own));
}

/**
 * Adds tokens to the rows of a snapshot, if they are not in it. If their user or organization is not in it, they get the
 * first organization, and its owner or admin, as at a start.
 *
 * @param serial The counter of deterministic ids. It must not produce the ids of the added tokens again.
 */
function withTokens(rows: Rows, tokens: readonly TokenRow[], serial: number): Rows {
  const known = new Set(rows.tokens.map(({ id }) => id));
  const added = tokens.filter(({ id }) => !known.has(id)).flatMap((token) => homedIn(token, rows));
  if (added.length === 0) return rows;
  const saved = rows.counters.find(({ name }) => name === SERIAL)?.value ?? 0;
  const counters = rows.counters.filter(({ name }) => name !== SERIAL);
  if (Math.max(saved, serial) > 0) counters.push({ name: SERIAL, value: Math.max(saved, serial) });
  return { ...rows, counters, tokens: [...rows.tokens, ...added] };
}

function homedIn(token: TokenRow, { organizations, users, members }: Rows): TokenRow[] {
  const { organization_id, user_id } = token;
  const isHome = organization_id === null || organizations.some(({ id }) => id === organization_id);
  if (isHome && users.some(({ id }) => id === user_id)) return [token];
  const [first] = organizations.toSorted((one, other) => one.number - other.number);
  const managing = members.filter(({ organization_id }) => organization_id === first?.id);
  const user = ["owner", "admin"].flatMap((role) => managing.filter((each) => each.role === role))[0];
  if (!first || !user) return [];
  return [{ ...token, user_id: user.user_id, organization_id: organization_id === null ? null : first.id }];
}

/** Formats records so that a change of one row changes one line. */
export function recordsText(records: Records): string {
  const tables = TABLES.map((table) => {
    const rows = records[table as keyof Records].map((row) => JSON.stringify(row));
    return `${JSON.stringify(table)}: [${rows.length === 0 ? "" : `\n${rows.join(",\n")}\n`}]`;
  });
  return `{\n${tables.join(",\n")}\n}\n`;
}
