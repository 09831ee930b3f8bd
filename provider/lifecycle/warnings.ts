import { Refusal, unlessRefused } from "../../platform/client/refusal";
import { readableInstant } from "../../platform/values/instant";
import type { AnyResource } from "../resource/definition";
import { chosenName } from "./check";
import type { Compared } from "./compare";
import type { Context } from "./context";
import { capitalized, nounOf, type Properties, type State, titleOf } from "./properties";

/** Warns about deleted objects that could be restored instead of creating an empty object with the same name. */
export async function warnOfNamesakes(
  resource: AnyResource,
  args: Properties,
  { platform, session }: Context,
  during: "preview" | "update",
): Promise<void> {
  const name = chosenName(args);
  if (name === undefined || !resource.restorable) return;
  const noun = nounOf(resource);
  // A warning that cannot be produced must not make the operation fail.
  const restorable = await resource.restorable.deletedNamed(name, platform).catch(unlessRefused);
  for (const { id, deletedAt, restorableUntil } of restorable ?? []) {
    const given = platform.names.get(id);
    if (given === name)
      throw new Refusal("conflict", {
        tried: `cannot create ${titleOf(resource, args)}`,
        answer: `this update restores ${noun} ${id}, which has that name`,
        advice: `To manage it with this resource, set the resource option \`import: "${id}"\`; otherwise choose another \`name\``,
      });
    if (given !== undefined || session.hasDeleted(resource, id)) continue;
    const isOwn = session.isInStack(resource.type, id);
    const advice = isOwn
      ? "To restore it instead, take `deletedAt` out of `replaceOnChanges`"
      : during === "preview" && !session.managedUnder(platform.urn)
        ? `To restore it instead, set the resource option \`import: "${id}"\``
        : `To restore it too, declare a second resource with another \`name\` and the option \`import: "${id}"\``;
    platform.warn(
      `A new, empty ${noun} "${name}" is created, but a deleted one of that name (${id}, deleted on ${readableInstant(deletedAt)}) can be restored until ${readableInstant(restorableUntil)}. ${advice}.`,
    );
  }
}

/** Warns that `ignoreChanges` keeps a deleted object deleted. */
export function warnLeftDeleted(resource: AnyResource, { id, state }: Compared, { platform }: Context): void {
  const until =
    typeof state.restorableUntil === "string"
      ? ` It can be restored until ${readableInstant(state.restorableUntil)}.`
      : "";
  platform.warn(
    `${capitalized(titleOf(resource, state))} (${id}) stays deleted, because \`ignoreChanges\` covers \`deletedAt\`.${until} To restore it, remove that from \`ignoreChanges\`.`,
  );
}

interface Changing {
  readonly id: string;
  readonly observed: State;
  readonly changes: Properties;
}

export async function warnOfConsequence(
  resource: AnyResource,
  { id, observed, changes }: Changing,
  { platform }: Context,
) {
  const consequence = await resource.preflight?.consequence?.(id, observed, changes, platform);
  if (consequence) platform.warn(consequence);
}
