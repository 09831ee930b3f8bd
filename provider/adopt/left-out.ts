import { tokenOf } from "../command/type-token";
import type { LeftOut } from "./inventory";

export const leftOutJson = (leftOut: readonly LeftOut[]) =>
  leftOut.map(({ type, ...rest }) => ({ type: tokenOf(type), ...rest }));
