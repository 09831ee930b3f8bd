import { isNoLessPrecise, sameSize, sizeProblem } from "../../../platform/values/size";

/** Options of an input that is a size, in bytes or with a unit. An empty string means no limit. */
export const sizeOptions = {
  valid: sizeProblem,
  same: (wanted: string, observed = "") => sameSize(wanted, observed),
  keeps: (wanted: string, observed = "") => isNoLessPrecise(wanted, observed),
};
