import { readableInstant } from "../instant";
import { message } from "../message";
import { RECORDED_SETTINGS } from "../messages";
import { capitalized } from "./properties";

// The parameter `title` of these messages is an object's type and name (`database "orders"`), or only the type if the
// object has no name.

const ID = "71a550de-5a90-4ab1-9a3e-1c2d3e4f5a6b";
const OTHER_ID = "0bca3e0a-2f5d-4c6b-8d1e-9f0a1b2c3d4e";

const listed = (properties: readonly string[]): string => properties.map((property) => `\`${property}\``).join(" and ");

/**
 * Advice to show when the platform rejects a read because of the credential or the account.
 *
 * @param unrecorded Says which settings are never recorded, as a complete sentence without a full stop.
 */
export const checkRecordedSettings = message(
  (unrecorded?: string) => [unrecorded, RECORDED_SETTINGS].filter(Boolean).join(". "),
  ["A token in NOTES_ACCESS_KEY is never recorded"],
);

// Creating

export const createdDespiteLostResponse = message(
  (title: string, id: string) => `The response was lost, but ${title} (${id}) was created.`,
  ['database "orders"', ID],
);

/**
 * Reports that an object is deleted and created again, because its secrets were lost with the response.
 *
 * @param secrets Names of the outputs that only the lost response contained.
 */
export const createdAgain = message(
  (kind: string, name: string, id: string, secrets: readonly string[]) =>
    `${capitalized(kind)} "${name}" (${id}) was created, but the response was lost, and the platform shows ${listed(secrets)} only once. The ${kind} is therefore deleted and created again.`,
  ["API token", "ci", ID, ["token"]],
);

export const creationUncertain = message(
  (kind: string, name: string, isGenerated: boolean) => ({
    answer: `it is not known whether ${kind} "${name}" was created`,
    advice: isGenerated
      ? `Check whether ${kind} "${name}" exists. To keep it, set \`name: "${name}"\` and import it; otherwise delete it, because the next run creates a ${kind} under another name`
      : `Run the command again; if the ${kind} was created, that run explains how to import it`,
  }),
  ["database", "orders", false],
  ["database", "orders-3f2a1b9", true],
);

export const createOnlyIgnored = message(
  (property: string, title: string, advice: string) =>
    `Changing \`${property}\` has no effect on ${title}, because \`${property}\` is used only at creation. ${advice}`,
  ["seed", 'database "orders"', "Only a new database can be seeded."],
);

export const createOnlyUsedAgain = message(
  (properties: readonly string[], title: string) =>
    `The replacement of ${title} is created with the current ${properties.length === 1 ? "value" : "values"} of ${listed(properties)}.`,
  [["seed"], 'database "orders"'],
  [["seed", "sizeLimit"], 'database "orders"'],
);

// Previewing, replacing

/**
 * Begins an error message about an operation that would fail.
 *
 * @param object The object's title, or a description such as `this database token`.
 */
export const operationImpossible = message(
  (operation: "create" | "update" | "replace" | "restore", object: string) => `cannot ${operation} ${object}`,
  ["restore", `database "orders" (${ID})`],
);

/**
 * Warns in a preview or in `dbplatform-adopt` that the API token lacks access. Neither fails, because `pulumi up` may
 * run with another token.
 */
export const tokenLacksAccess = message(
  (attempt: string, reason: string) => `This API token ${attempt}: ${reason}. Run \`pulumi up\` with a token that can.`,
  [`cannot restore database "orders" (${ID})`, "the API token lacks the scope `db:create`"],
);

export const replacementLacksAccess = message(
  (object: string, reason: string) => ({
    answer: `${operationImpossible("replace", object)}: ${reason}`,
    advice: "Use an API token that is allowed to replace it",
  }),
  ['database "orders"', "the API token lacks the scope `db:create`"],
);

export const replacementImpossible = message(
  (reason: string) => `the change requires a replacement, which would fail: ${reason}`,
  ['group "production" is delete-protected: set deleteProtection: false, run `pulumi up`, then try again'],
);

/** Reports that the old object was not deleted, because the new object could not be created. */
export const nothingDeleted = message(
  (kind: string) => `cannot replace this ${kind}, so nothing was deleted`,
  ["database"],
);

/**
 * Says, after an error, what became of the object that the failed creation replaces.
 *
 * @param deletion Complete sentences about when the object was deleted and until when it can be restored.
 */
export const replacedIsDeleted = message(
  (deletion: string) =>
    `${deletion} To get it back with its data, undo the change that replaces it and run \`pulumi up\``,
  [`Database "orders" (${ID}) was deleted on 2026-11-22 07:17 UTC and can be restored until 2026-11-27 07:17 UTC.`],
);

export const replacedIsGone = message(
  (title: string, id: string, isRestorable: boolean) =>
    `The replaced ${title} (${id}) no longer exists${isRestorable ? " and can no longer be restored" : ""}`,
  ['API token "ci"', "tok-42", false],
  ['database "orders"', ID, true],
);

/** Explains why an object is not replaced that was restored after a failed replacement. */
export const restoredAfterReplacement = message(
  (kind: string) => ({
    answer: "a failed replacement seems to have deleted it, and it was restored since",
    advice: `To keep the ${kind}, undo the change that replaces it and run \`pulumi up\`; afterwards it can be replaced again. If no replacement of it has failed, run \`pulumi up --refresh\``,
  }),
  ["database"],
);

/** Advice for a user whose program would replace a deleted object instead of restoring it. */
export const RESTORE_BEFORE_REPLACEMENT =
  "The program also makes a change that replaces this resource. To restore it, undo that change and run `pulumi up --refresh`";

/**
 * Explains why a resource is not replaced although the program refers to a different group: that group was imported,
 * and an import must not delete anything.
 *
 * @param property The argument that refers to the group.
 */
export const replacementByImport = message(
  (kind: string, owner: { readonly kind: string; readonly from: string; readonly to: string }, property: string) => ({
    answer: `it belongs to ${owner.kind} ${owner.from}, but ${owner.kind} ${owner.to} was imported, and an import must not delete anything`,
    advice: `To keep the ${kind}, set ${property}: "${owner.from}". To delete it and create an empty ${kind} in ${owner.kind} ${owner.to}, run \`pulumi up --refresh\``,
  }),
  ["database", { kind: "group", from: ID, to: OTHER_ID }, "group"],
);

export const expired = message(
  (kind: string, end: string) =>
    `This ${kind} expired on ${readableInstant(end)}. The next update issues a new ${kind}.`,
  ["database token", "2026-11-27T07:04:11Z"],
);

export const expiresSoon = message(
  (kind: string, end: string, property: string, before: string) =>
    `This ${kind} expires on ${readableInstant(end)}. Because of \`${property}: "${before}"\`, the next update issues a new ${kind}.`,
  ["database token", "2026-11-27T07:04:11Z", "renewBefore", "7d"],
);

// Settings that stay in force

interface RemainingSetting {
  readonly property: string;
  readonly is: unknown;
  /** The platform's default, or `undefined` if there is none. */
  readonly byDefault: unknown;
}

/**
 * Warns that settings stay in force on an object although no resource names them any more.
 *
 * @param subject The object whose settings they are, for example `database` and its id.
 * @param from Logical name of the resource that had set them.
 * @param to Logical name of the resource that manages the object now.
 */
export const settingsTakenOver = message(
  (
    subject: string,
    { from, to }: { readonly from: string; readonly to: string },
    settings: readonly RemainingSetting[],
  ) => {
    const written = (value: (setting: RemainingSetting) => unknown) =>
      `\`${settings.map((setting) => `${setting.property}: ${JSON.stringify(value(setting))}`).join(", ")}\``;
    const is = written((setting) => setting.is);
    const lift = settings.every(({ byDefault }) => byDefault !== undefined)
      ? `${written(({ byDefault }) => byDefault)} to lift them, or `
      : "";
    const [origin, condition] =
      from === to
        ? ["set before its replacement", "Write"]
        : [`set by \`${from}\``, `If \`${from}\` no longer manages it, write`];
    return `Settings that \`${to}\` does not name stay in force on ${subject}: ${is} (${origin}). ${condition} in \`${to}\`: ${lift}${is} to keep them.`;
  },
  [
    `database ${ID}`,
    { from: "orders", to: "orders-settings" },
    [
      { property: "blockWrites", is: true, byDefault: false },
      { property: "allowedIps", is: ["10.0.0.0/8"], byDefault: [] },
    ],
  ],
  [`database ${ID}`, { from: "orders", to: "orders" }, [{ property: "blockWrites", is: true, byDefault: false }]],
  [
    'organization "acme"',
    { from: "acme", to: "settings" },
    [{ property: "requireMfa", is: true, byDefault: undefined }],
  ],
);

// Deleting

/**
 * Warns before an update deletes an object that cannot be restored at present. The object can still be restored if the
 * reason ends within five days of the deletion.
 *
 * @param reason Why nothing can be restored in the organization at present.
 */
export const notRestorableNow = message(
  (title: string, id: string, reason: string) =>
    `This update deletes ${title} (${id}), which cannot be restored at present: ${reason}.`,
  ['database "orders"', ID, 'organization "acme" is on the free plan, which has no recovery'],
);

export const deletionSkipped = message(
  (title: string, id: string) => `Skipped deleting ${title} (${id}): another resource in this update manages it.`,
  ['database "orders"', ID],
);

export const notDeleted = message(
  (title: string, id: string) => `could not delete ${title} (${id})`,
  ['database "orders"', ID],
);

/** Reports that an object was not deleted, because the resource now manages an imported or restored object instead. */
export const keptDespiteImport = message(
  (title: string, id: string, importedId: string) =>
    `Kept ${title} (${id}) on the platform: Pulumi asked to delete it because this resource now manages ${importedId}, which was imported or restored. This stack no longer manages ${title}. To manage it again, declare a second resource with the option \`import: "${id}"\`.`,
  ['database "orders"', ID, OTHER_ID],
);

/**
 * Warns that the stack stops managing a deleted object.
 *
 * @param deletion Complete sentences about when the object was deleted.
 */
export const noLongerManaged = message(
  (kind: string, id: string, deletion: string) =>
    `${deletion} This stack no longer manages that ${kind}. To restore it, declare a second resource with the option \`import: "${id}"\`.`,
  ["database", ID, `Database "orders" (${ID}) was deleted on 2026-11-22 07:17 UTC.`],
);

/**
 * Explains why an object is not deleted in an update that also imports objects. The provider cannot tell whether an
 * import with `aliases` took the object's place in the stack, or whether the program no longer declares the object.
 */
export const deletionBesideImport = message(
  (id: string, importedIds: readonly string[]) => ({
    answer: `this update also imports ${importedIds.join(", ")}, and an import with \`aliases\` must not delete the object that it replaces`,
    advice: `If the program no longer declares ${id}, run \`pulumi up\` again, which deletes it; if the import replaced it, that run keeps it on the platform, unmanaged. To keep it in this stack, first declare a second resource with the option \`import: "${id}"\``,
  }),
  [ID, [OTHER_ID]],
);

/**
 * Explains why a container, such as a group, is not deleted.
 *
 * @param inside An object in the container that the program still declares.
 */
export const stillDeclaredInside = message(
  (kind: string, inside: string) => ({
    answer: `the program still declares ${inside}, which would be deleted with it`,
    advice: `To keep both, declare the ${kind} again. To delete both, remove that resource from the program as well`,
  }),
  ["group", `database "orders" (${ID})`],
);
