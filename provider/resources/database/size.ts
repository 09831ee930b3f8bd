import type { Semantics } from "../../../kit/resource/traits";
import { isNoLessPrecise, sameSize, sizeProblem } from "../../../platform/values/size";

/** Compares and validates sizes, which are given in bytes or with a unit. An empty string means no limit. */
export const size: Semantics<string, object> = {
  validate: sizeProblem,
  semanticallyEqual: (wanted, observed = "") => sameSize(wanted, observed),
  standsFor: (wanted, observed = "") => isNoLessPrecise(wanted, observed),
};
