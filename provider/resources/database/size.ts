import { sameSize, saysNoMore, sizeProblem } from "../../../platform/values/size";
import type { Meaning } from "../../resource/traits";

/** A size is written in bytes or with a unit; empty: no limit. */
export const size: Meaning<string, object> = {
  problem: sizeProblem,
  met: (wanted, observed = "") => sameSize(wanted, observed),
  standsFor: (wanted, observed = "") => saysNoMore(wanted, observed),
};
