import { isCanonicalUuid } from "../../values/uuid";
import { isInstant, jsonIn } from "./columns";
import { WrongData } from "./failure";
import { notStorable, valueChanged } from "./messages";
import type { State } from "./schema";

/** Returns whether a text can be the value of a setting. Asked before storing it, and after reading it. */
const HOLDS = {
  clock(text) {
    const { ahead, stands } = objectIn(text);
    return stands === undefined ? Number.isFinite(ahead) : isInstant(stands);
  },
  "data-id": isCanonicalUuid,
  "loaded-keys": (text) => Array.isArray(jsonIn(text)),
  locations: (text) => text !== "",
  "rejected-on-aws": (text) => Array.isArray(jsonIn(text)),
  /** The generation of the rows that belong to the records (docs/decisions/store.md, "Snapshots"). */
  rows: isCanonicalUuid,
  "signing-key"(text) {
    const { d, x } = objectIn(text);
    return typeof d === "string" && typeof x === "string";
  },
  // Its rows are checked when they are inserted, because a large seed takes long to read.
  seed: (text) => text.startsWith("{"),
} satisfies Readonly<Record<string, (text: string) => boolean>>;

type Setting = keyof typeof HOLDS;

const objectIn = (text: string): Readonly<Record<string, unknown>> => Object(jsonIn(text));

export const settingFacts = (name: Setting) => ({ row: `name "${name}"`, field: "value", accepted: "valid" });

export async function findSetting(state: State, name: Setting): Promise<string | undefined> {
  const row = await state.selectFrom("settings").select("value").where("name", "=", name).executeTakeFirst();
  if (row && !HOLDS[name](row.value)) throw new WrongData(valueChanged(settingFacts(name)));
  return row?.value;
}

export async function changeSetting(state: State, name: Setting, value: string): Promise<void> {
  if (!HOLDS[name](value)) throw new WrongData(notStorable(settingFacts(name)));
  await state
    .insertInto("settings")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}

export async function removeSetting(state: State, name: Setting): Promise<void> {
  await state.deleteFrom("settings").where("name", "=", name).execute();
}
