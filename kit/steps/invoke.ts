import type { z } from "zod";
import type { Problem } from "../field";
import type { AnyFunction } from "../function";
import { argumentShapeProblems, unknownArguments } from "../lifecycle/arguments";
import type { Context } from "../lifecycle/context";
import { UNKNOWN_VALUE } from "../lifecycle/messages";
import { isKnown, type Properties, present } from "../lifecycle/properties";

/**
 * Calls a function. Returns the result, or the problems with the arguments. If there are problems, no request is sent.
 */
export async function invoke(
  platformFunction: AnyFunction,
  given: Properties,
  { platform }: Context,
): Promise<{ readonly result?: Properties; readonly failures: readonly Problem[] }> {
  const args = present(Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value ?? undefined])));
  const failures = invokeArgumentProblems(platformFunction, args);
  if (failures.length > 0) return { failures };
  return { result: present(await platformFunction.read(args, platform)), failures };
}

function invokeArgumentProblems({ name, args: { shape }, args, validate }: AnyFunction, given: Properties): Problem[] {
  const problems = unknownArguments(name, args, given);
  for (const [property, schema] of Object.entries<z.ZodType>(shape)) {
    const value = given[property];
    // An unknown value is reported as a problem, because the function would otherwise ignore the argument.
    if (!isKnown(value)) problems.push({ property, reason: UNKNOWN_VALUE });
    else problems.push(...argumentShapeProblems(property, schema, value));
  }
  const problem = problems.length === 0 ? validate?.(given) : undefined;
  return problem ? [problem] : problems;
}
