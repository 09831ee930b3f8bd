/**
 * Finds a database or group of the seed by name or UUID. A live one takes precedence over a deleted one with the same
 * name.
 */
export const entryNamed = <
  Thing extends {
    readonly name?: string | null | undefined;
    readonly uuid?: string | null | undefined;
    readonly deleted_at?: string | null | undefined;
  },
>(
  things: readonly Thing[],
  wanted: string,
): Thing | undefined => {
  const found = things.filter(({ name, uuid }) => name === wanted || uuid === wanted.toLowerCase());
  return found.find(({ deleted_at }) => deleted_at === undefined) ?? found[0];
};
