import type { ResourceContext } from "../../context";
import type { AnyResource } from "../../definition";
import { nounOf, titleOf } from "../../phrases";
import { Refusal, unlessRefused } from "../../refusal";
import { chosenNameArgument } from "../arguments";
import type { Comparison } from "../comparison";
import { type Context, creationContext } from "../context";
import { operationImpossible } from "../messages";
import type { Properties } from "../properties";
import { describeRestorability } from "../warnings";
import { emptyBecauseLost, emptyByOption, emptyDespiteDeleted, emptyInsteadOfDeleted, nameRestored } from "./messages";

/**
 * Warns that the new object will not have the data of the last one, and that a deleted object with the same name, or the
 * one that it replaces, could be restored instead.
 */
export async function warnOfNamesakes(
  resource: AnyResource,
  args: Properties,
  { platform, run }: Context,
  during: "preview" | "update",
): Promise<void> {
  const name = chosenNameArgument(args);
  if (!resource.softDeleted) return;
  const managed = run.resource(platform.urn);
  const replaced = managed.comparisonUnlessReplaced;
  const isCopy = creationContext({ platform, run }).replaced !== undefined && resource.bringsContent?.(args) === true;
  const isSeeded = resource.properties.hasContent(args) || isCopy;
  if (replaced?.state.deletedAt !== undefined) {
    if (replaced.state.name !== name) await warnOfReplacedNamesake(replaced, platform, during);
  } else if (!isCopy && replaced && managed.manages?.id === replaced.id && run.inStack(resource.type, replaced.id))
    platform.warn(emptyByOption({ kind: nounOf(resource), title: managed.manages.title, id: replaced.id, isSeeded }));
  if (name === undefined) return;
  const kind = nounOf(resource);
  // The lookup is only needed for a warning, so its failure must not make the operation fail.
  const restorable = await resource.softDeleted.named?.(name, platform).catch(unlessRefused);
  if (during === "preview" && !isSeeded && restorable?.length === 0 && !managed.manages) {
    const lostAt = await resource.softDeleted.lost?.(name, platform);
    if (lostAt !== undefined) platform.warn(emptyBecauseLost({ kind, name, deletedAt: lostAt }));
  }
  for (const deleted of restorable ?? []) {
    const { id } = deleted;
    const object = run.object(resource.type, id);
    const given = object.name;
    const isRestoredToo = deleted.restoredWith !== undefined && run.restoresWith(deleted.restoredWith);
    if (given === name || (given === undefined && isRestoredToo))
      throw new Refusal("conflict", {
        tried: operationImpossible({ operation: "create", object: titleOf(resource, args) }),
        ...nameRestored({ kind, id, isReplaced: object.readUnder === platform.urn }),
      });
    if (given !== undefined || object.deleted) continue;
    const elsewhere = resource.softDeleted.renames ? "importElsewhere" : "renameFirst";
    const remedy = during === "preview" ? remedyForNamesake(resource, id, { platform, run }) : undefined;
    const restorable = await describeRestorability(resource, deleted.restorableUntil, platform);
    platform.warn(
      emptyDespiteDeleted({ kind, name, deleted: { ...deleted, restorable, isSeeded }, remedy: remedy ?? elsewhere }),
    );
  }
}

/** Warns that a new object with another name replaces a deleted object, because of the option `replaceOnChanges`. */
async function warnOfReplacedNamesake(
  { resource, id, state }: Comparison,
  platform: ResourceContext,
  during: "preview" | "update",
): Promise<void> {
  const { restorableUntil } = state;
  const restorable = restorableUntil && (await describeRestorability(resource, restorableUntil, platform));
  const title = titleOf(resource, state);
  platform.warn(
    emptyInsteadOfDeleted({ kind: nounOf(resource), title, id, restorable, isPlanned: during === "preview" }),
  );
}

/** Returns how the program can restore the deleted object instead of creating a new one. */
function remedyForNamesake(
  { type }: AnyResource,
  id: string,
  { platform: { urn }, run }: Pick<Context, "platform" | "run">,
): "stopReplacing" | "undoChange" | "importHere" | { readonly alias: string } | undefined {
  const former = run.object(type, id).readUnder;
  if (former !== undefined) return former === urn ? "stopReplacing" : { alias: former };
  const replaced = run.resource(urn).manages;
  if (replaced?.id === id) return "undoChange";
  return replaced ? undefined : "importHere";
}
