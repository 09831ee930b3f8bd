import type { Facts, IdOrReason } from "../../facts";
import { readableInstant } from "../../instant";
import { capitalized, clause, namesAndIds } from "../../phrases";
import type { Deletion } from "../../results";
import type { ShownDifference } from "../properties";

const setting = (property: string, value: unknown): string => `${property}: ${JSON.stringify(value)}`;
const settingOf = ({ property, is }: ShownDifference): string => setting(property, is);
const programSets = ({ property, wanted }: ShownDifference): string =>
  `but the program sets ${setting(property, wanted)}`;
const acceptance = (difference: ShownDifference): string =>
  `This difference does not cause a replacement. To accept it, write ${settingOf(difference)}.`;

// Restoring
export const restorePlanned = ({ title, id, brings }: Facts<"title" | "id" | "brings">) =>
  `\`pulumi up\` restores ${title} (${id}) ${brings}.`;
export const restored = ({ title, brings }: Facts<"title" | "brings">) => `Restored ${title} ${brings}.`;

/** The response to the restore was lost, or someone else restored the object, so `brings` is not known. */
export const restoredElsewhere = ({ title }: Facts<"title">) => `${capitalized(title)} was restored.`;

export const restoreUnanswered = ({ cause, kind, isStillDeleted }: Facts<"cause" | "kind" | "isStillDeleted">) => ({
  answer: `${clause(cause)}. ${isStillDeleted ? `The ${kind} is still deleted` : `It is not known whether the ${kind} was restored`}`,
  advice: `Run \`pulumi up\` again, which restores the ${kind}${isStillDeleted ? "" : " if it is still deleted"}`,
});
export const notRestorable = ({ kind }: Facts<"kind">) => `a ${kind} cannot be restored`;
export const restoreContradiction = ({ difference }: { readonly difference: ShownDifference }) =>
  `it was deleted with ${settingOf(difference)}, ${programSets(difference)}. To restore it, ${difference.isDescribed ? `remove \`${difference.property}\` or write its earlier value` : `write ${settingOf(difference)}`}`;
export const restoredWithDifference = ({
  title,
  id,
  difference,
}: Facts<"title" | "id"> & { readonly difference: ShownDifference }) =>
  `Restored ${title} (${id}) with ${settingOf(difference)}, as it was deleted, ${programSets(difference)}. ${acceptance(difference)}`;

/** The provider does not correct this drift, because only a replacement could change the property. */
export const differenceKept = (
  facts: Facts<"title" | "id", "nameOfAnother"> & { readonly difference: ShownDifference },
) => {
  const { property, is, wanted } = facts.difference;
  return `\`${property}\` of ${facts.title} (${facts.id}) differs: the platform has ${JSON.stringify(is)}, but the program sets ${JSON.stringify(wanted)}. ${facts.nameOfAnother ? `${facts.nameOfAnother} ` : ""}${acceptance(facts.difference)}`;
};

export const referenceOutdated = (
  facts: Facts<"title" | "id" | "property"> & {
    readonly referred: { readonly kind: string; readonly id: string; readonly name: string };
    readonly wanted: unknown;
  },
) => {
  const { title, id, referred, property } = facts;
  return `The ${referred.kind} of ${title} (${id}) is now named "${referred.name}", but the program still sets ${setting(property, facts.wanted)}. This changes nothing on the platform. Write ${setting(property, referred.name)}, or ${setting(property, referred.id)}, which stays the same when the ${referred.kind} is renamed.`;
};

export const incompleteUpdate = ({ cause }: Facts<"cause">) => `the update did not complete: ${cause}`;

/** The end of a sentence about a deleted object. */
export const canBeRestoredUntil = ({ restorableUntil, obstacle }: Facts<"restorableUntil", "obstacle">) =>
  `can be restored until ${readableInstant(restorableUntil)}${obstacle === undefined ? "" : `, but not at present: ${obstacle}`}`;

export const stillDeleted = ({ kind, title, id, restorable }: Facts<"kind" | "title" | "id", "restorable">) =>
  `${capitalized(title)} (${id}) stays deleted, because \`ignoreChanges\` covers \`deletedAt\`.${restorable === undefined ? "" : ` It ${restorable}.`} To restore it, remove \`deletedAt\` (or \`*\`) from \`ignoreChanges\`. To leave it deleted, remove the resource from the program; otherwise \`pulumi up\` creates a new, empty ${kind} when the deleted one can no longer be restored.`;
export const restoredDespiteIgnored = ({ title, id, withTitle }: Facts<"title" | "id" | "withTitle">) =>
  `This update restores ${title} (${id}) together with ${withTitle}, although \`ignoreChanges\` covers \`deletedAt\`.`;

// Reading
/** Says that an object is deleted. The steps add what follows from it. */
export function deletionMessage({
  title,
  id,
  brings,
  deletion,
}: Facts<"title" | "id" | "brings"> & { readonly deletion: Deletion }): string {
  const { deletedAt, restorableUntil, by, together, once, contents, unseen } = deletion;
  if (unseen)
    return `${capitalized(title)} (${id}) no longer exists. It may be restorable for ${unseen.period} after its deletion, but ${unseen.because}.`;
  const author = by === undefined ? "" : ` by ${by}`;
  const other = together === undefined ? "" : `, together with ${together},`;
  const condition = once === undefined ? "" : `, once ${once},`;
  const brought = contents || brings === "" ? "" : ` ${brings}`;
  const until = restorableUntil === undefined ? "" : ` until ${readableInstant(restorableUntil)}`;
  const what = `${capitalized(title)} was deleted${author} on ${readableInstant(deletedAt)}${other} and${condition} can be restored${brought}${until}`;
  // The engine repeats the first line in each later row of the object, so the list has a line of its own.
  return contents?.objects.length ? `${what}, with ${contents.what}:\n${namesAndIds(contents.objects)}.` : `${what}.`;
}

export const noSuchObject = ({ kind, id }: Facts<"kind" | "id">) => `there is no ${kind} ${id}`;

/** A reason that would only say the same again is left out. */
export const noLongerExists = ({ title, id, reason }: Facts<"title"> & IdOrReason) =>
  `${capitalized(title)} ${reason === undefined ? `(${id}) no longer exists` : `no longer exists: ${clause(reason)}`}.`;

/** Before the program runs, nobody knows whether it still declares the object. `pulumi destroy` does not run it at all. */
export const newObjectPlanned = ({ kind, isRestorable, isDeclared }: Facts<"kind" | "isRestorable" | "isDeclared">) =>
  `\`pulumi up\` creates a new${isRestorable ? ", empty" : ""} ${kind}${isDeclared ? "" : " if the program still declares it"}.`;
export const nameOfAnother = ({ kind, name, id, own }: Facts<"kind" | "name" | "id" | "own">) =>
  `The name "${name}" now belongs to another ${kind} (${id}), and no longer to ${own}.`;

/** The provider cannot tell whether `--target` leaves the container out or this stack does not manage it. */
export const ownerDeleted = ({
  kind,
  container,
}: Facts<"kind"> & { readonly container: { readonly kind: string; readonly id: string; readonly message: string } }) =>
  `${container.message} This ${kind} belongs to that ${container.kind}, which this run does not include. If you use \`--target\`, add another \`--target\` with the URN of the ${container.kind} (\`pulumi stack --show-urns\`). If another stack manages the ${container.kind}, restore it there. If no stack does, declare it here with the option \`import: "${container.id}"\`.`;

export const deletedObject = (facts: Facts<"kind" | "title" | "id" | "deletedAt" | "restorable">) => ({
  answer: `${facts.title} (${facts.id}) was deleted on ${readableInstant(facts.deletedAt)} and ${facts.restorable}`,
  advice: `To restore the ${facts.kind}, declare it with the option \`import: "${facts.id}"\``,
});

/** Pulumi itself reports only the id. */
export const doesNotExist = ({ kind, id, reason, advice }: Facts<"kind" | "advice"> & IdOrReason) =>
  `There is no ${reason === undefined ? `${kind} ${id}` : `such ${kind}: ${clause(reason)}`}. ${clause(advice)}.`;

export const CHECK_ID = "Check the id";

// Importing
export const importElsewhere = ({ id }: Facts<"id">) =>
  `To import ${id}, remove \`import\` here and declare a second resource with another logical name, another \`name\` and the option \`import: "${id}"\``;
export const importOverLive = ({
  managed,
  id,
}: Facts<"id"> & { readonly managed: { readonly title: string; readonly id: string } }) =>
  `this resource manages ${managed.title} (${managed.id}), which is live, so it cannot import "${id}"`;
export const importedTwice = ({ urn, id }: Facts<"urn" | "id">) => ({
  answer: `${urn} also imports ${id}`,
  advice: "Only one resource can manage an object: remove `import` from one of the two resources",
});
export const createInstead = ({ kind, isRestorable }: Facts<"kind" | "isRestorable">) =>
  isRestorable
    ? `To create a new, empty ${kind}, remove \`import\``
    : `Check the id, or remove \`import\` to create a new ${kind}`;
export const importContradiction = ({
  title,
  id,
  difference,
}: Facts<"title" | "id"> & { readonly difference: ShownDifference }) => ({
  answer: `${title} (${id}) is imported with ${settingOf(difference)}, ${programSets(difference)}`,
  advice: `To import it, ${difference.isDescribed ? `remove \`${difference.property}\`` : `write ${settingOf(difference)}`}`,
});
export const importedWithoutSecret = ({ kind, property }: Facts<"kind" | "property">) =>
  `The platform shows \`${property}\` only at creation, so an imported ${kind} does not have it.`;
