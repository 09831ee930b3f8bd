/** By name or UUID; a group that lives before a deleted one of the same name. */
export const groupOf = <Group extends { name: string; uuid?: string; deleted_at?: string }>(
  groups: readonly Group[],
  wanted: string,
): Group | undefined => {
  const found = groups.filter(({ name, uuid }) => name === wanted || uuid === wanted.toLowerCase());
  return found.find(({ deleted_at }) => deleted_at === undefined) ?? found[0];
};
