import type { Problem } from "../../kit/resource/traits";
import { argumentMissing, argumentsConflict } from "./messages";

/** Returns a function that checks that exactly one of two arguments is given, for example either a name or an id. */
export const exactlyOne =
  <Args extends object>(one: keyof Args & string, other: keyof Args & string) =>
  (args: Args): Problem | undefined => {
    if (args[one] !== undefined && args[other] !== undefined)
      return { property: other, reason: argumentsConflict(one) };
    if (args[one] === undefined && args[other] === undefined) return { property: one, reason: argumentMissing(other) };
    return undefined;
  };
