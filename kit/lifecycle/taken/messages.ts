import type { DeletedObject, Facts, ReplacedObject } from "../../facts";
import { readableInstant } from "../../instant";
import { nameInUseBy } from "../../messages";

const STOP_REPLACING =
  "To restore it instead, remove `deletedAt` (or `*`) from `replaceOnChanges`, and do not use `--replace`";
const renamed = (urn: string) =>
  `If you renamed that resource in the program, add \`aliases: ["${urn}"]\` to the options of this resource`;

// Taken names
export const nameInUse = ({ kind, name, id }: Facts<"kind" | "name", "id">) => ({
  answer: id === undefined ? `${kind} name "${name}" is already in use` : nameInUseBy({ kind, name, id }),
  advice: "Choose another `name`",
});

export const nameInUseByReplaced = ({ kind, name, id, isRead }: Facts<"kind" | "name" | "id" | "isRead">) => {
  const restored = `If a failed replacement had deleted it and it was restored since, undo the change that replaces it and run \`pulumi up\`, which keeps the ${kind}. Otherwise choose`;
  return {
    answer: `${nameInUseBy({ kind, name, id })}, which this resource replaces`,
    advice: `${isRead ? "Choose" : restored} another \`name\`, or set the resource option \`deleteBeforeReplace: true\` (which frees the name only without \`retainOnDelete\`)`,
  };
};

export const nameInUseInStack = ({ kind, name, id, urn }: Facts<"kind" | "name" | "id" | "urn">) => ({
  answer: `${nameInUseBy({ kind, name, id })}, which this stack manages as ${urn}`,
  advice: `${renamed(urn)}; otherwise choose another \`name\``,
});

/** The object with the name cannot be imported here, because the resource already manages another live object. */
export const nameInUseBesideManaged = ({
  kind,
  name,
  id,
  managed,
}: Facts<"kind" | "name" | "id"> & { readonly managed: { readonly title: string; readonly id: string } }) => ({
  answer: nameInUseBy({ kind, name, id }),
  advice: `Choose another \`name\`. Or, if an interrupted update created ${id} to replace ${managed.title} (${managed.id}), declare a second resource with \`import: "${id}"\` and remove this resource, which deletes ${managed.title}`,
});

/** An interrupted replacement has deleted the object that the resource manages. */
export const nameInUseBesideDeleted = ({
  kind,
  name,
  id,
  replaced,
}: Facts<"kind" | "name" | "id"> & { readonly replaced: ReplacedObject }) => {
  const { title, id: old, isRestorable } = replaced;
  const [secret] = replaced.secrets;
  const imported = `To manage ${id}, give this resource another logical name and the option \`import: "${id}"\``;
  const restored = `. To restore ${title} (${old}), use \`import: "${old}"\` and another \`name\` instead`;
  const created = (secret: string) =>
    `Choose another \`name\`. If an interrupted update created ${id}, its \`${secret}\` is lost; to revoke it, declare a second resource with the name "${name}" and the option \`import: "${id}"\`, run \`pulumi up\`, and remove that resource`;
  return {
    answer: nameInUseBy({ kind, name, id }),
    advice: secret === undefined ? `${imported}${isRestorable ? restored : ""}` : created(secret),
  };
};

export const nameInUseElsewhere = ({ kind, name, id, isStackRead }: Facts<"kind" | "name" | "id" | "isStackRead">) => {
  const inStack =
    " If this stack manages it, add its URN to `aliases`, or set `deleteBeforeReplace: true` if this resource replaces it.";
  return {
    answer: nameInUseBy({ kind, name, id }),
    advice: `If no stack manages that ${kind}, set the resource option \`import: "${id}"\`.${isStackRead ? "" : inStack} Otherwise choose another \`name\``,
  };
};

// Taken keys
export const keyTakenElsewhere = ({ title, id, isReplacing }: Facts<"title" | "id" | "isReplacing">) => ({
  answer: `${title} already exists`,
  advice: isReplacing
    ? `To manage it, declare a second resource with the option \`import: "${id}"\``
    : `If no stack manages it, set the resource option \`import: "${id}"\`. If this stack manages it under another logical name, add its URN to \`aliases\``,
});

export const keyTakenInStack = ({ title, urn }: Facts<"title" | "urn">) => ({
  answer: `${title} already exists, and this stack manages it as ${urn}`,
  advice: renamed(urn),
});
export const keyTakenByReplaced = ({ title }: Facts<"title">) => ({
  answer: `${title} already exists, and this resource would replace it with itself`,
  advice: "Set the resource option `deleteBeforeReplace: true`",
});

// Equal names
export const emptyDespiteDeleted = ({
  kind,
  name,
  deleted,
  remedy,
}: Facts<"kind" | "name"> & {
  readonly deleted: DeletedObject;
  readonly remedy:
    | "stopReplacing"
    | "undoChange"
    | "importHere"
    | "importElsewhere"
    | "renameFirst"
    | { readonly alias: string };
}) => {
  const option = `option \`import: "${deleted.id}"\``;
  const texts = {
    stopReplacing: STOP_REPLACING,
    undoChange: "To restore it instead, undo the change that replaces it",
    importHere: `To restore it instead, set the resource ${option}`,
    importElsewhere: `To restore it too, declare a second resource with another \`name\` and the ${option}`,
    renameFirst: `To restore it too, give this resource another \`name\` and declare a second resource with the ${option} and this resource in its \`dependsOn\``,
  };
  const advice =
    typeof remedy === "string"
      ? texts[remedy]
      : `This stack manages it as ${remedy.alias}. ${renamed(remedy.alias)} to restore the deleted ${kind} instead`;
  return `A new${deleted.isSeeded ? "" : ", empty"} ${kind} "${name}" is created, although a deleted ${kind} of that name (${deleted.id}, deleted on ${readableInstant(deleted.deletedAt)}) ${deleted.restorable}. ${advice}.`;
};

/** The engine replaces the deleted object, although no name stands in the way of restoring it. */
export const emptyInsteadOfDeleted = (facts: Facts<"kind" | "title" | "id" | "isPlanned", "restorable">) => {
  const { kind, title, id, restorable, isPlanned } = facts;
  const advice = isPlanned
    ? STOP_REPLACING
    : `To restore it too, declare a second resource with the option \`import: "${id}"\``;
  return `A new, empty ${kind} replaces the deleted ${title} (${id})${restorable === undefined ? "" : `, which ${restorable}`}. ${advice}.`;
};

export const emptyByOption = ({ kind, title, id, isSeeded }: Facts<"kind" | "title" | "id" | "isSeeded">) =>
  `A new${isSeeded ? "" : ", empty"} ${kind} replaces ${title} (${id}) without its data, although none of its properties requires that. To keep the data, do not use \`--replace\`, and undo the change of \`replacementTrigger\`, of a property in \`replaceOnChanges\` or of the provider. If an earlier replacement could not delete that ${kind}, declare a second resource with the option \`import: "${id}"\` to keep it.`;
export const emptyBecauseLost = ({ kind, name, deletedAt }: Facts<"kind" | "name" | "deletedAt">) =>
  `A new, empty ${kind} "${name}" is created. The last ${kind} of that name was deleted on ${readableInstant(deletedAt)} and can no longer be restored.`;

export const nameRestored = ({ kind, id, isReplaced }: Facts<"kind" | "id" | "isReplaced">) => {
  const option = isReplaced
    ? "remove `deletedAt` (or `*`) from `replaceOnChanges`"
    : `set the resource option \`import: "${id}"\``;
  return {
    answer: `this update restores ${kind} ${id}, which has the same name`,
    advice: `To manage that ${kind} with this resource, ${option}; otherwise choose another \`name\``,
  };
};
