import { type Places, prepared } from "./prepared";
import type { State } from "./schema";

/**
 * Returns the next number of a counter: 1, 2, … Numbers have no gaps, because a rolled-back transaction takes none, and
 * no duplicates, because other transactions wait for this transaction to end. Call it last in a transaction, so that
 * the wait is short.
 */
export async function nextNumber(state: State, name: string): Promise<number> {
  const [counter] = await counted(state, { name, value: 1 });
  if (!counter) throw new Error(`the counter ${name} returned no number`);
  return counter.value;
}

const counted = prepared((state, counter: Places<{ name: string; value: number }>) =>
  state
    .insertInto("counters")
    .values(counter)
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet(({ eb }) => ({ value: eb("counters.value", "+", 1) })),
    )
    .returning("value"),
);
