import { readableInstant } from "../../instant";
import { message } from "../../message";

const ID = "71a550de-5a90-4ab1-9a3e-1c2d3e4f5a6b";
const OTHER_ID = "0bca3e0a-2f5d-4c6b-8d1e-9f0a1b2c3d4e";
const URN = "urn:pulumi:dev::shop::dbplatform:index:Database::orders";

const DELETED = {
  deletedAt: "2026-11-22T07:17:00Z",
  restorable: "can be restored until 2026-11-27 07:17 UTC",
};

// Taken names

const inUse = (kind: string, name: string, id: string): string => `${kind} name "${name}" is already in use by ${id}`;

export const nameInUse = message(
  (kind: string, name: string) => ({
    answer: `${kind} name "${name}" is already in use`,
    advice: "Choose another `name`",
  }),
  ["database", "orders"],
);

/** @param isRead Whether the engine has read the object, so that no interrupted replacement has deleted it. */
export const nameInUseByReplaced = message(
  (kind: string, name: string, id: string, isRead: boolean) => {
    const restored = `If a failed replacement had deleted it and it was restored since, undo the change that replaces it and run \`pulumi up\`, which keeps the ${kind}. Otherwise choose`;
    return {
      answer: `${inUse(kind, name, id)}, which this resource replaces`,
      advice: `${isRead ? "Choose" : restored} another \`name\`, or set the resource option \`deleteBeforeReplace: true\` (which frees the name only without \`retainOnDelete\`)`,
    };
  },
  ["database", "orders", ID, true],
  ["database", "orders", ID, false],
);

export const nameInUseInStack = message(
  (kind: string, name: string, id: string, urn: string) => ({
    answer: `${inUse(kind, name, id)}, which this stack manages as ${urn}`,
    advice: `If you renamed that resource in the program, add \`aliases: ["${urn}"]\` to the options of this resource; otherwise choose another \`name\``,
  }),
  ["database", "orders", ID, URN],
);

/**
 * Reports that a name is in use. The object with that name cannot be imported into this resource, because this resource
 * already manages another live object.
 *
 * @param managed The object that this resource manages.
 */
export const nameInUseBesideManaged = message(
  (kind: string, name: string, id: string, managed: { readonly title: string; readonly id: string }) => ({
    answer: inUse(kind, name, id),
    advice: `Choose another \`name\`. Or, if an interrupted update created ${id} to replace ${managed.title} (${managed.id}), declare a second resource with \`import: "${id}"\` and remove this resource, which deletes ${managed.title}`,
  }),
  ["database", "orders", ID, { title: 'database "sales"', id: OTHER_ID }],
);

interface Replaced {
  readonly title: string;
  readonly id: string;
  readonly isRestorable: boolean;
  /** Names of the outputs that the platform shows only at creation. */
  readonly secrets: readonly string[];
}

/** Reports that a name is in use, although an interrupted replacement has deleted the object that the resource manages. */
export const nameInUseBesideDeleted = message(
  (kind: string, name: string, id: string, { title, id: old, isRestorable, secrets }: Replaced) => {
    const [secret] = secrets;
    const imported = `To manage ${id}, give this resource another logical name and the option \`import: "${id}"\``;
    const restored = `. To restore ${title} (${old}), use \`import: "${old}"\` and another \`name\` instead`;
    const created = `Choose another \`name\`. If an interrupted update created ${id}, its \`${secret}\` is lost; to revoke it, declare a second resource with the name "${name}" and the option \`import: "${id}"\`, run \`pulumi up\`, and remove that resource`;
    return {
      answer: inUse(kind, name, id),
      advice: secret === undefined ? `${imported}${isRestorable ? restored : ""}` : created,
    };
  },
  ["database", "orders", ID, { title: 'database "orders"', id: OTHER_ID, isRestorable: true, secrets: [] }],
  ["database", "orders", ID, { title: 'database "orders"', id: OTHER_ID, isRestorable: false, secrets: [] }],
  ["API token", "ci", "tok-43", { title: 'API token "ci"', id: "tok-42", isRestorable: false, secrets: ["token"] }],
);

/** @param isStackRead Whether the engine has read the whole stack, so that the stack is known not to manage the object. */
export const nameInUseElsewhere = message(
  (kind: string, name: string, id: string, isStackRead: boolean) => {
    const inStack =
      " If this stack manages it, add its URN to `aliases`, or set `deleteBeforeReplace: true` if this resource replaces it.";
    return {
      answer: inUse(kind, name, id),
      advice: `If no stack manages that ${kind}, set the resource option \`import: "${id}"\`.${isStackRead ? "" : inStack} Otherwise choose another \`name\``,
    };
  },
  ["database", "orders", ID, true],
  ["database", "orders", ID, false],
);

export const newNameInUse = message(
  (kind: string, name: string, id: string) => ({
    answer: inUse(kind, name, id),
    advice: `Choose another \`name\`, or rename that ${kind} first`,
  }),
  ["group", "production", ID],
);

// Taken keys

/**
 * Reports that the program wants to create an object that already exists.
 *
 * @param isReplacing Whether the resource already manages another object. If so, nothing can be imported into the
 *   resource.
 */
export const existsElsewhere = message(
  (title: string, id: string, isReplacing: boolean) => ({
    answer: `${title} already exists`,
    advice: isReplacing
      ? `To manage it, declare a second resource with the option \`import: "${id}"\``
      : `If no stack manages it, set the resource option \`import: "${id}"\`. If this stack manages it under another logical name, add its URN to \`aliases\``,
  }),
  ['member "max"', "max", false],
  ['member "max"', "max", true],
);

export const existsInStack = message(
  (title: string, urn: string) => ({
    answer: `${title} already exists, and this stack manages it as ${urn}`,
    advice: `If you renamed that resource in the program, add \`aliases: ["${urn}"]\` to the options of this resource`,
  }),
  ['member "max"', "urn:pulumi:dev::team::dbplatform:index:Member::max"],
);

export const existsAsReplaced = message(
  (title: string) => ({
    answer: `${title} already exists, and this resource would replace it with itself`,
    advice: "Set the resource option `deleteBeforeReplace: true`",
  }),
  ['member "max"'],
);

// Equal names

/**
 * Warns that a new object has the same name as a deleted object that could be restored.
 *
 * @param remedy How the program can restore the deleted object.
 */
export const emptyDespiteDeleted = message(
  (
    kind: string,
    name: string,
    deleted: {
      readonly id: string;
      readonly deletedAt: string;
      readonly restorable: string;
      /** Whether the new object has data, but not those of the deleted one. */
      readonly isSeeded?: boolean;
    },
    remedy:
      | "stopReplacing"
      | "undoChange"
      | "importHere"
      | "importElsewhere"
      | "renameFirst"
      | { readonly alias: string },
  ) => {
    const option = `option \`import: "${deleted.id}"\``;
    const texts = {
      stopReplacing:
        "To restore it instead, remove `deletedAt` (or `*`) from `replaceOnChanges`, and do not use `--replace`",
      undoChange: "To restore it instead, undo the change that replaces it",
      importHere: `To restore it instead, set the resource ${option}`,
      importElsewhere: `To restore it too, declare a second resource with another \`name\` and the ${option}`,
      renameFirst: `To restore it too, give this resource another \`name\` and declare a second resource with the ${option} and this resource in its \`dependsOn\``,
    };
    const advice =
      typeof remedy === "string"
        ? texts[remedy]
        : `This stack manages it as ${remedy.alias}. If you renamed that resource in the program, add \`aliases: ["${remedy.alias}"]\` to the options of this resource to restore the deleted ${kind} instead`;
    return `A new${deleted.isSeeded ? "" : ", empty"} ${kind} "${name}" is created, although a deleted ${kind} of that name (${deleted.id}, deleted on ${readableInstant(deleted.deletedAt)}) ${deleted.restorable}. ${advice}.`;
  },
  ["database", "orders", { id: ID, ...DELETED }, "stopReplacing"],
  ["database", "orders", { id: ID, ...DELETED }, "undoChange"],
  ["database", "orders", { id: ID, ...DELETED }, { alias: URN }],
  ["database", "orders", { id: ID, ...DELETED }, "importHere"],
  ["database", "orders", { id: ID, ...DELETED }, "importElsewhere"],
  ["group", "production", { id: ID, ...DELETED }, "renameFirst"],
);

/**
 * Warns that the engine replaces a deleted object that could be restored, although no name stands in the way.
 *
 * @param restorable A text from `canBeRestoredUntil`. Absent if the end of the recovery window is unknown.
 * @param isPlanned Whether this is a preview, so that the program can still be changed.
 */
export const emptyInsteadOfDeleted = message(
  (kind: string, title: string, id: string, restorable: string | undefined, isPlanned: boolean) => {
    const advice = isPlanned
      ? "To restore it instead, remove `deletedAt` (or `*`) from `replaceOnChanges`, and do not use `--replace`"
      : `To restore it too, declare a second resource with the option \`import: "${id}"\``;
    return `A new, empty ${kind} replaces the deleted ${title} (${id})${restorable === undefined ? "" : `, which ${restorable}`}. ${advice}.`;
  },
  ["database", 'database "orders-1a2b3c4"', ID, DELETED.restorable, true],
  ["database", 'database "orders-1a2b3c4"', ID, undefined, false],
);

/** Warns that a new object is empty, because the last object with its name can no longer be restored. */
export const emptyBecauseLost = message(
  (kind: string, name: string, deletedAt: string) =>
    `A new, empty ${kind} "${name}" is created. The last ${kind} of that name was deleted on ${readableInstant(deletedAt)} and can no longer be restored.`,
  ["database", "orders", DELETED.deletedAt],
);

/** @param isReplaced Whether this resource manages the restored object and would be replaced. */
export const nameRestored = message(
  (kind: string, id: string, isReplaced: boolean) => {
    const option = isReplaced
      ? "remove `deletedAt` (or `*`) from `replaceOnChanges`"
      : `set the resource option \`import: "${id}"\``;
    return {
      answer: `this update restores ${kind} ${id}, which has the same name`,
      advice: `To manage that ${kind} with this resource, ${option}; otherwise choose another \`name\``,
    };
  },
  ["database", ID, false],
  ["database", ID, true],
);
