import type { Problem } from "../resource/traits";
import { argumentMissing, argumentsConflict } from "./messages";

/**
 * Returns a check that a program gives exactly one of two arguments, because an object can be named by its name or its
 * id.
 */
export const exactlyOne =
  <Args extends object>(one: keyof Args & string, other: keyof Args & string) =>
  (args: Args): Problem | undefined => {
    if (args[one] !== undefined && args[other] !== undefined)
      return { property: other, reason: argumentsConflict(one) };
    if (args[one] === undefined && args[other] === undefined) return { property: one, reason: argumentMissing(other) };
    return undefined;
  };
