/**
 * Finds a database or group of the seed by UUID or name. A UUID takes precedence, because a name can look like the UUID
 * of another entry, and a live entry over a deleted one with the same name.
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
  const identified = things.find(({ uuid }) => uuid === wanted.toLowerCase());
  if (identified) return identified;
  const named = things.filter(({ name }) => name === wanted);
  return named.find(({ deleted_at }) => deleted_at === undefined) ?? named[0];
};
