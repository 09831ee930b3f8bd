import { type Places, prepared } from "./prepared";
import type { State } from "./schema";

/**
 * The next number of this name: 1, 2, … Without gaps, since a transaction that is undone has taken none, and never
 * twice, since others wait for the transaction to end; so it is asked for last.
 */
export async function nextNumber(state: State, name: string): Promise<number> {
  const [counter] = await counted(state, { name, value: 1 });
  if (!counter) throw new Error(`the counter ${name} has told no number`);
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
