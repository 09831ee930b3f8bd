import type { AnyResource } from "../../definition";
import type { Properties } from "../properties";

/** Hidden input: the names of the arguments that the program omitted and the provider filled in. */
export const FILLED_IN = "__defaults";

/**
 * Returns inputs that describe an imported object. All inputs except the name count as filled in by the provider, so an
 * update does not reset a property that the program omits.
 */
export function inputsOfImport(resource: AnyResource, state: Properties): Properties {
  const found = Object.keys(resource.args.shape).filter((property) => state[property] !== undefined);
  return {
    ...Object.fromEntries(found.map((property) => [property, state[property]])),
    [FILLED_IN]: found.filter((property) => !isGeneratedName(resource, property)),
  };
}

/** Returns whether the argument is a name that the provider can generate. */
export const isGeneratedName = ({ named }: AnyResource, property: string): boolean =>
  named !== undefined && property === "name";

/** Returns whether the program omitted the argument and the provider filled it in when these inputs were checked. */
export const filledInBefore = (inputs: Properties, property: string): boolean =>
  Array.isArray(inputs[FILLED_IN]) && inputs[FILLED_IN].includes(property);

/** Returns the name if the program sets it. Generated names are ignored, because they practically never conflict. */
export const chosenName = (args: Properties): string | undefined =>
  typeof args.name === "string" && !filledInBefore(args, "name") ? args.name : undefined;
