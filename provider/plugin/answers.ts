import { CheckFailure, CheckResponse, DiffResponse, PropertyDiff } from "@pulumi/pulumi/proto/provider_pb";
import type { Diff, Difference } from "../lifecycle/diff";
import type { Properties } from "../lifecycle/properties";
import type { Problem } from "../resources/resource";
import { encode } from "./values";

export const checked = (inputs: Properties, secrets: Iterable<string>, failures: readonly Problem[]): CheckResponse =>
  new CheckResponse()
    .setInputs(encode(inputs, secrets))
    .setFailuresList(
      failures.map(({ property, reason }) => new CheckFailure().setProperty(property).setReason(reason)),
    );

/** `names`: what differs. */
export const changesOf = (names: readonly string[]): DiffResponse => {
  const { DIFF_NONE, DIFF_SOME } = DiffResponse.DiffChanges;
  return new DiffResponse().setChanges(names.length > 0 ? DIFF_SOME : DIFF_NONE).setDiffsList([...names]);
};

const { Kind } = PropertyDiff;
const KIND: Record<Difference["kind"], [plain: PropertyDiff.Kind, replacing: PropertyDiff.Kind]> = {
  add: [Kind.ADD, Kind.ADD_REPLACE],
  delete: [Kind.DELETE, Kind.DELETE_REPLACE],
  update: [Kind.UPDATE, Kind.UPDATE_REPLACE],
};

export function diffed({ differences, deleteBeforeReplace }: Diff): DiffResponse {
  const namesOf = (some: readonly Difference[]) => [...new Set(some.map(({ property }) => property))];
  const response = changesOf(namesOf(differences))
    .setHasdetaileddiff(true)
    .setReplacesList(namesOf(differences.filter(({ replaces }) => replaces)))
    .setDeletebeforereplace(deleteBeforeReplace);
  for (const { path, kind, replaces } of differences)
    response.getDetaileddiffMap().set(path, new PropertyDiff().setKind(KIND[kind][replaces ? 1 : 0]));
  return response;
}
