import { sameSize, saysNoMore, sizeProblem } from "../../../platform/values/size";
import type { Semantics } from "../../resource/traits";

/** A size in bytes or with a unit; an empty string means no limit. */
export const size: Semantics<string, object> = {
  validate: sizeProblem,
  semanticallyEqual: (wanted, observed = "") => sameSize(wanted, observed),
  standsFor: (wanted, observed = "") => saysNoMore(wanted, observed),
};
