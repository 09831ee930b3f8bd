import { Refusal } from "../../platform/client/refusal";
import type { AnyResource } from "../resources/resource";
import { nounOf, type Properties } from "./properties";

/** The name is in use: nothing is ever taken over silently, and the advice says how to do it on purpose. */
export function nameTaken(
  resource: AnyResource,
  { name }: Properties,
  holder: { readonly id: string } | undefined,
  cause?: Refusal,
): Refusal {
  const told = cause ? { tried: cause.message, cause } : {};
  if (!holder)
    return new Refusal("conflict", { ...told, answer: `the name "${name}" is taken`, advice: "Choose another `name`" });
  return new Refusal("conflict", {
    ...told,
    answer: `the name "${name}" is taken by another ${nounOf(resource)} (${holder.id}), which is not taken over`,
    advice: [
      'If this stack manages that one under another logical name, add the resource option `aliases: [{ name: "<that logical name>" }]`',
      `to manage it from now on, add \`import: "${holder.id}"\``,
      "if this resource is replacing it, add `deleteBeforeReplace: true`",
      "otherwise choose another `name`",
    ].join("; "),
  });
}
