import type { AnyResource } from "../definition";
import type { Compared } from "../lifecycle/compare";
import { isKnown, titleOf, traitsOf } from "../lifecycle/properties";
import { Refusal } from "../refusal";
import { replacementUnseen } from "./messages";

/**
 * Rejects a replacement caused by a changed secret. The program's text does not show such a change, and the preview of
 * a dynamic provider shows neither the property nor a warning (decision 170).
 *
 * @throws Refusal if a changed secret would replace the resource.
 */
export function assertReplacementSeen(
  resource: AnyResource,
  { state, news }: Compared,
  replaces: readonly string[],
): void {
  const secret = replaces.find((property) => traitsOf(resource, property).writeOnly && isKnown(news[property]));
  if (secret === undefined) return;
  throw new Refusal("conflict", replacementUnseen({ title: titleOf(resource, state), property: secret }));
}
