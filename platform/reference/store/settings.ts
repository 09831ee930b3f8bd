import { type Places, prepared } from "./query-cache";
import type { State } from "./schema";

type Setting = "clock" | "data-id" | "locations" | "signing-key" | "seed";

export async function findSetting(state: State, name: Setting): Promise<string | undefined> {
  const [row] = await named(state, { name });
  return row?.value;
}

const named = prepared((state, { name }: Places<{ name: string }>) =>
  state.selectFrom("settings").select("value").where("name", "=", name),
);

export async function changeSetting(state: State, name: Setting, value: string): Promise<void> {
  await state
    .insertInto("settings")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}

export async function removeSetting(state: State, name: Setting): Promise<void> {
  await state.deleteFrom("settings").where("name", "=", name).execute();
}
