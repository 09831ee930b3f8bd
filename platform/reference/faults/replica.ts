import { noRows, type Rows, replaceRows } from "../seed/rows";
import { MEMORY, openStore } from "../store/open";
import type { State } from "../store/schema";
import type { Store } from "../store/store";

/** Copies the platform's current data into a store that later changes do not affect. */
export async function replicaOf(store: Store): Promise<Store> {
  const { rows, settings } = await store.read(async (state) => ({
    rows: await rowsIn(state),
    settings: await state.selectFrom("settings").selectAll().execute(),
  }));
  const replica = await openStore(MEMORY);
  await replica.transaction("all", async (state) => {
    await state.deleteFrom("settings").execute();
    await state.insertInto("settings").values(settings).execute();
    await replaceRows(state, rows);
  });
  return replica;
}

async function rowsIn(state: State): Promise<Rows> {
  const tables = Object.keys(noRows()) as (keyof Rows)[];
  const rows: [string, unknown[]][] = [];
  for (const table of tables) rows.push([table, await state.selectFrom(table).selectAll().execute()]);
  return Object.fromEntries(rows) as unknown as Rows;
}
