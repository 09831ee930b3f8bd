import { type AnyResource, findByName } from "../../definition";
import { nounOf, titleOf, titlePhrase } from "../../phrases";
import { Refusal, unlessForbidden, unlessRefused } from "../../refusal";
import { type Context, creationContext } from "../context";
import { operationImpossible } from "../messages";
import { isKnown, type Properties } from "../properties";
import {
  keyTakenByReplaced,
  keyTakenElsewhere,
  keyTakenInStack,
  nameInUse,
  nameInUseBesideDeleted,
  nameInUseBesideManaged,
  nameInUseByReplaced,
  nameInUseElsewhere,
  nameInUseInStack,
} from "./messages";

export function resourceKey({ keyed }: AnyResource, args: Properties): string | undefined {
  const key = keyed && args[keyed.by];
  return typeof key === "string" && isKnown(key) ? key : undefined;
}

/** Returns the spelling that all equal keys share. */
export const canonicalResourceKey = ({ keyed }: Pick<AnyResource, "keyed">, key: string): string =>
  keyed?.canonical?.(key) ?? key;

/**
 * Throws an error if an object with the requested key already exists. The error contains the line that imports the
 * object.
 */
export async function assertKeyNotTaken(
  resource: AnyResource,
  args: Properties,
  { platform, run }: Context,
  isPreview: boolean,
): Promise<void> {
  const key = resourceKey(resource, args);
  const found = key === undefined ? undefined : await resource.keyed?.find(key, platform).catch(unlessForbidden);
  if (!found) return;
  const title = titleOf(resource, args);
  const { manages: managed } = run.resource(platform.urn);
  // In a preview, the object that a replacement deletes first still exists.
  if (isPreview && managed?.id === found.id && run.object(resource.type, found.id).isDeletedFirst) return;
  const urn = run.urnOf(resource.type, found.id);
  const taken =
    managed?.id === found.id
      ? keyTakenByReplaced({ title })
      : urn === undefined
        ? keyTakenElsewhere({ title, id: found.id, isReplacing: managed !== undefined })
        : keyTakenInStack({ title, urn });
  throw new Refusal("conflict", {
    tried: operationImpossible({ operation: "create", object: titlePhrase(resource, args) }),
    ...taken,
  });
}

export async function assertNameNotTaken(resource: AnyResource, args: Properties, context: Context): Promise<void> {
  const { platform, run } = context;
  const holder = await findByName(resource, args.name, platform, { maxAge: "run" }).catch(unlessForbidden);
  if (!holder) return;
  // The name will be free if it belongs to this resource's old object, which the replacement deletes first, or to an
  // object that this update renames.
  const isOwn = run.resource(platform.urn).manages?.id === holder.id;
  // In the preview of a replacement, the new name is recorded under the URN, because the new object has no id yet.
  const urn = run.urnOf(resource.type, holder.id);
  const nameOf = (id: string) => run.object(resource.type, id).name;
  const given = nameOf(holder.id) ?? (urn === undefined ? undefined : nameOf(urn));
  if (isOwn || (given !== undefined && given !== args.name)) return;
  if (await resource.named?.canContinueWith?.(holder, args, creationContext(context))) return;
  throw new Refusal("conflict", {
    tried: operationImpossible({ operation: "create", object: titleOf(resource, args) }),
    ...(await explainNameTaken(resource, args, holder.id, context)),
  });
}

/**
 * Explains that a name is taken and how to import the object with that name. The provider adopts an existing object
 * only if the program imports it.
 */
export async function explainNameTaken(
  resource: AnyResource,
  args: Properties,
  id: string | undefined,
  { platform, run }: Context,
): Promise<{ readonly answer: string; readonly advice: string }> {
  const [kind, name] = [nounOf(resource), String(args.name)];
  if (id === undefined) return nameInUse({ kind, name });
  const { manages: managed } = run.resource(platform.urn);
  if (managed?.id === id) return nameInUseByReplaced({ kind, name, id, isRead: run.inStack(resource.type, id) });
  const urn = run.urnOf(resource.type, id);
  if (urn !== undefined) return nameInUseInStack({ kind, name, id, urn });
  if (!managed) return nameInUseElsewhere({ kind, name, id, isStackRead: run.readsFirst });
  const reading = await resource.read(managed.id, platform).catch(unlessRefused);
  if (reading?.status === "absent" || reading?.status === "deleted")
    return nameInUseBesideDeleted({
      kind,
      name,
      id,
      replaced: {
        ...managed,
        isRestorable: reading.status === "deleted",
        secrets: resource.properties.shownOnce,
      },
    });
  // The old object may lack what was written to the new one, so no advice may exchange them.
  const { objects, compared } = run.resource(platform.urn);
  const old = objects.get(id);
  const isOutdated = old !== undefined && resource.isSuperseded?.(old, compared?.state, args);
  if (isOutdated || resource.bringsContent?.(args)) return nameInUse({ kind, name, id });
  // The message does not suggest importing into this resource, because the import would replace the object that the
  // resource manages.
  return nameInUseBesideManaged({ kind, name, id, managed });
}
