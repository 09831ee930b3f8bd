import { sameSize, saysNoMore, sizeProblem } from "../../../platform/values/size";
import type { Semantics } from "../../resource/traits";

/** A size is written in bytes or with a unit; empty: no limit. */
export const size: Semantics<string, object> = {
  validate: sizeProblem,
  semanticallyEqual: (wanted, observed = "") => sameSize(wanted, observed),
  standsFor: (wanted, observed = "") => saysNoMore(wanted, observed),
};
