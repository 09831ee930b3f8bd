import {
  CheckFailure,
  CheckResponse,
  DiffResponse,
  InvokeResponse,
  PropertyDiff,
} from "@pulumi/pulumi/proto/provider_pb";
import type { Difference } from "../lifecycle/compare";
import type { Diff } from "../lifecycle/diff";
import type { Properties } from "../lifecycle/properties";
import type { Problem } from "../resource/traits";
import { encode } from "./values";

export const checked = (inputs: Properties, secrets: Iterable<string>, failures: readonly Problem[]): CheckResponse =>
  new CheckResponse().setInputs(encode(inputs, secrets)).setFailuresList(failures.map(failed));

/** `result`: nothing where there are failures. */
export const answered = (result: Properties | undefined, failures: readonly Problem[]): InvokeResponse => {
  const response = new InvokeResponse().setFailuresList(failures.map(failed));
  return result ? response.setReturn(encode(result)) : response;
};

const failed = ({ property, reason }: Problem) => new CheckFailure().setProperty(property).setReason(reason);

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
