import type { Difference } from "../lifecycle/compare";
import type { Diff } from "../steps/diff";
import { DiffChanges, type DiffResponse, PropertyDiffKind as Kind } from "./protocol/messages";

export const changesOf = (names: readonly string[]): DiffResponse => ({
  changes: names.length > 0 ? DiffChanges.SOME : DiffChanges.NONE,
  diffs: names,
});

const KIND: Record<Difference["kind"], readonly [plain: number, replacing: number]> = {
  add: [Kind.ADD, Kind.ADD_REPLACE],
  delete: [Kind.DELETE, Kind.DELETE_REPLACE],
  update: [Kind.UPDATE, Kind.UPDATE_REPLACE],
};

export function diffed({ differences, deleteBeforeReplace }: Diff): DiffResponse {
  const namesOf = (some: readonly Difference[]) => [...new Set(some.map(({ property }) => property))];
  return {
    ...changesOf(namesOf(differences)),
    hasDetailedDiff: true,
    replaces: namesOf(differences.filter(({ replaces }) => replaces)),
    deleteBeforeReplace,
    detailedDiff: differences.map(({ path, kind, replaces }) => ({
      key: path,
      value: { kind: KIND[kind][replaces ? 1 : 0] },
    })),
  };
}
