import type { State } from "./schema";

/**
 * Returns the next number of a counter: 1, 2, … A rollback also undoes the increment, so there are no gaps. Other
 * transactions wait until this transaction ends, so there are no duplicates. Call this function last in a transaction
 * to keep the wait short.
 */
export async function nextNumber(state: State, name: string): Promise<number> {
  const { value } = await state
    .insertInto("counters")
    .values({ name, value: 1 })
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet(({ eb }) => ({ value: eb("counters.value", "+", 1) })),
    )
    .returning("value")
    .executeTakeFirstOrThrow();
  return value;
}
