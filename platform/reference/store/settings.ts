import { isUuid } from "../../values/uuid";
import { isInstant, jsonIn } from "./columns";
import { WrongData } from "./failure";
import { notStorable, valueChanged } from "./messages";
import { type Places, prepared } from "./query-cache";
import type { State } from "./schema";

/** What the settings contain. `said` completes the sentence "it is not …". */
const HOLDS = {
  clock: {
    said: "a clock",
    is(text) {
      const { ahead, stands } = objectIn(text);
      return stands === undefined ? Number.isFinite(ahead) : isInstant(stands);
    },
  },
  "data-id": { said: "a UUID", is: isUuid },
  locations: { said: "a map of locations", is: (text) => text !== "" },
  "signing-key": {
    said: "a key",
    is(text) {
      const { d, x } = objectIn(text);
      return typeof d === "string" && typeof x === "string";
    },
  },
  // Its rows are checked when they are inserted, because a large seed takes long to read.
  seed: { said: "a seed", is: (text) => text.startsWith("{") },
} satisfies Record<string, { readonly said: string; is(text: string): boolean }>;

type Setting = keyof typeof HOLDS;

const objectIn = (text: string): Readonly<Record<string, unknown>> => Object(jsonIn(text));

const factsOf = (name: Setting) => ({ row: `setting "${name}"`, field: "value", accepted: HOLDS[name].said });

export async function setting(state: State, name: Setting): Promise<string | undefined> {
  const [row] = await named(state, { name });
  if (row && !HOLDS[name].is(row.value)) throw new WrongData(valueChanged(factsOf(name)));
  return row?.value;
}

const named = prepared((state, { name }: Places<{ name: string }>) =>
  state.selectFrom("settings").select("value").where("name", "=", name),
);

export async function changeSetting(state: State, name: Setting, value: string): Promise<void> {
  if (!HOLDS[name].is(value)) throw new WrongData(notStorable(factsOf(name)));
  await state
    .insertInto("settings")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}

export async function removeSetting(state: State, name: Setting): Promise<void> {
  await state.deleteFrom("settings").where("name", "=", name).execute();
}
