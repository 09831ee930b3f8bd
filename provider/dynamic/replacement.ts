import { Refusal } from "../../platform/client/refusal";
import type { Compared } from "../lifecycle/compare";
import { isKnown, titleOf, traitsOf } from "../lifecycle/properties";
import type { AnyResource } from "../resource/definition";
import { replacementUnseen } from "./messages";

/**
 * Checks that no changed secret replaces a resource. The program's text does not show such a change, and the preview of
 * a dynamic provider shows neither the property nor a warning (decision 170).
 *
 * @throws Refusal if a changed secret would replace the resource.
 */
export function assertReplacementSeen(
  resource: AnyResource,
  { state, news }: Compared,
  replaces: readonly string[],
): void {
  for (const property of replaces) {
    const { writeOnly, replacementWarning } = traitsOf(resource, property);
    const wanted = news[property];
    const warning =
      writeOnly && isKnown(wanted) ? replacementWarning?.(titleOf(resource, state), state, wanted) : undefined;
    if (warning !== undefined) throw new Refusal("conflict", replacementUnseen(warning, property));
  }
}
