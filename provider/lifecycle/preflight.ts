import { isRefusal, Refusal } from "../../platform/client/refusal";
import { readableInstant } from "../../platform/values/instant";
import type { AnyResource } from "../resource/definition";
import { firstFailure, type PreflightFailure } from "../resource/preflight";
import { filledInBefore } from "./check";
import type { Context } from "./context";
import { isKnown, knownOf, nounOf, type Properties, titleOf, traitsOf } from "./properties";

/** Refuses what every credential would be refused. What only this one lacks is a warning, since previews run with lesser ones. */
export function assertNone(obstacle: PreflightFailure | undefined, tried: string, { platform }: Context): void {
  if (!obstacle) return;
  if (!obstacle.isOfCredential) throw new Refusal("conflict", { tried: `cannot ${tried}`, answer: obstacle.reason });
  platform.warn(
    `This credential cannot ${tried}: ${obstacle.reason}. The preview is complete; \`pulumi up\` needs a credential that can.`,
  );
}

/** Finds an argument that a creation would fail at. `gone`: id of the object that is deleted before. */
export async function creationFailure(
  resource: AnyResource,
  args: Properties,
  { platform }: Context,
  gone?: string,
): Promise<PreflightFailure | undefined> {
  return firstFailure(
    ...Object.entries(args).map(([property, value]) => async () => {
      const found = isGiven(value)
        ? await traitsOf(resource, property).semantics?.preflight?.(value, platform, gone)
        : undefined;
      return found && { ...found, reason: `${found.property}: ${found.reason}` };
    }),
  );
}

/** Refuses before a creation what reading can tell: unusable arguments, and what Diff has left to be refused here. */
export async function assertCreatable(resource: AnyResource, args: Properties, context: Context): Promise<void> {
  assertNothingLacks(context);
  const obstacle = await creationFailure(resource, args, context);
  if (obstacle) throw new Refusal("invalid", { answer: obstacle.reason });
}

/**
 * Before a replacement deletes the old object, refuses what the creation of the new one would fail at (decision 112).
 */
export async function assertReplaceable(resource: AnyResource, context: Context): Promise<void> {
  assertNothingLacks(context);
  const { platform, session } = context;
  const wanted = session.inputsReplacing(platform.urn);
  const obstacle =
    wanted &&
    ((await creationFailure(resource, wanted, context)) ??
      (await resource.preflight?.create?.(knownOf(wanted), platform)));
  if (obstacle)
    throw new Refusal("conflict", {
      tried: `could not replace this ${nounOf(resource)}, so nothing was deleted`,
      answer: obstacle.reason,
    });
}

function assertNothingLacks({ session, platform }: Context): void {
  const lack = session.lackOf(platform.urn);
  if (lack !== undefined)
    throw new Refusal("forbidden", {
      answer: `this credential cannot replace the resource: ${lack}`,
      advice: "Use one that can",
    });
}

/** Refuses in the preview of a creation what `pulumi up` would fail at. */
export async function assertPlannable(resource: AnyResource, args: Properties, context: Context): Promise<void> {
  const { platform } = context;
  // Says so if the organization or the credential is wrong.
  await platform.organization.id(platform.client);
  const unusable = await creationFailure(resource, args, context);
  if (unusable && !unusable.isOfCredential) throw new Refusal("invalid", { answer: unusable.reason });
  const why = await context.session.restorations.lookAgain(async () =>
    resource.preflight?.create?.(knownOf(args), platform),
  );
  const obstacle = why && !why.isOfCredential ? why : (unusable ?? why);
  const lack = context.session.lackOf(platform.urn);
  if (obstacle) assertNone(obstacle, `create ${thingOf(resource, args)}`, context);
  else if (lack !== undefined)
    assertNone({ reason: lack, isOfCredential: true }, `replace ${thingOf(resource, args)}`, context);
  if (chosenName(args) !== undefined) await assertNameFree(resource, args, context);
}

/** Names the resource for a sentence: `database "orders"`, or `this database token`. */
const thingOf = (resource: AnyResource, args: Properties): string =>
  typeof args.name === "string" ? titleOf(resource, args) : `this ${nounOf(resource)}`;

/** A name that was made from the logical name is as good as never taken. */
const chosenName = (args: Properties): string | undefined =>
  typeof args.name === "string" && !filledInBefore(args, "name") ? args.name : undefined;

async function assertNameFree(resource: AnyResource, args: Properties, context: Context): Promise<void> {
  const { platform, session } = context;
  const holder = await resource.named
    ?.findByName({ name: String(args.name) }, platform, "run")
    .catch((refusal: unknown) => {
      // A credential that may create need not be one that may list.
      if (!isRefusal(refusal, "forbidden")) throw refusal;
      return undefined;
    });
  if (!holder) return;
  // A replacement frees the name, if it is told to delete first; so does another resource that this run renames.
  const isOwn = session.managedUnder(platform.urn)?.id === holder.id;
  // In the preview of a replacement, the new name is remembered under the URN.
  const urn = session.urnOf(resource.type, holder.id);
  const given = platform.names.get(holder.id) ?? (urn === undefined ? undefined : platform.names.get(urn));
  if (isOwn || (given !== undefined && given !== args.name)) return;
  throw new Refusal("conflict", {
    tried: `cannot create ${titleOf(resource, args)}`,
    ...nameTaken(resource, args, holder.id, context),
  });
}

/** Nothing is ever taken over silently: the message says how to do it on purpose. */
export function nameTaken(
  resource: AnyResource,
  { name }: Properties,
  id: string | undefined,
  { platform, session }: Context,
): { readonly answer: string; readonly advice: string } {
  const noun = nounOf(resource);
  if (id === undefined) return { answer: `the name "${name}" is taken`, advice: "Choose another `name`" };
  const answer = `the name "${name}" is in use by ${noun} ${id}`;
  const urn = session.urnOf(resource.type, id);
  if (urn === platform.urn)
    return {
      answer: `${answer}, which this resource is to replace`,
      advice:
        "Choose another `name`, or set the resource option `deleteBeforeReplace: true` (which frees the name only without `retainOnDelete`)",
    };
  if (urn !== undefined)
    return {
      answer: `${answer}, which this stack manages as ${urn}`,
      advice: `If you have renamed that resource in the program, add \`aliases: ["${urn}"]\` to the options of this one; otherwise choose another \`name\``,
    };
  const held = session.managedUnder(platform.urn);
  // An import here would be refused, since it would replace what the resource manages.
  if (held)
    return {
      answer,
      advice: `Choose another \`name\`. Or, if an interrupted update created it in place of ${held.title} (${held.id}), declare a second resource with \`import: "${id}"\` and remove this one, which deletes ${held.title}`,
    };
  return {
    answer,
    advice: `If this stack manages that ${noun} under another logical name, add its URN to \`aliases\`; if through another provider, use that provider. If no stack manages it, set the resource option \`import: "${id}"\`. If this resource is to replace it, set \`deleteBeforeReplace: true\`. Otherwise choose another \`name\``,
  };
}

/** Says what could be restored instead of creating something empty under its name. */
export async function warnOfNamesakes(
  resource: AnyResource,
  args: Properties,
  { platform, session }: Context,
  during: "preview" | "update",
): Promise<void> {
  const name = chosenName(args);
  if (name === undefined || !resource.restorable) return;
  const noun = nounOf(resource);
  // It is only a warning, so nothing fails where it cannot be given.
  const restorable = await resource.restorable.deletedNamed(name, platform).catch((refusal: unknown) => {
    if (!isRefusal(refusal)) throw refusal;
    return undefined;
  });
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

const isGiven = (value: unknown): value is NonNullable<unknown> =>
  value !== undefined && value !== null && isKnown(value);
