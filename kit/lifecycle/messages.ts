import type { Facts, Form, RemainingSetting } from "../facts";
import type { Problem } from "../field";
import { readableInstant } from "../instant";
import { RECORDED_SETTINGS } from "../messages";
import { capitalized, clause } from "../phrases";
import type { ShownDifference } from "./properties";

const listed = (properties: readonly string[]): string => properties.map((property) => `\`${property}\``).join(" and ");
export const checkRecordedSettings = ({ unrecorded }: Facts<never, "unrecorded">) =>
  [unrecorded, RECORDED_SETTINGS].filter(Boolean).join(". ");

// Creating
export const createdDespiteLostResponse = ({ title, id }: Facts<"title" | "id">) =>
  `The response was lost, but ${title} (${id}) was created.`;
export const createdAgain = ({
  kind,
  name,
  id,
  secrets,
}: Facts<"kind" | "name" | "id"> & { readonly secrets: readonly string[] }) =>
  `${capitalized(kind)} "${name}" (${id}) was created, but the response was lost, and the platform shows ${listed(secrets)} only once. The ${kind} is therefore deleted and created again.`;

export const creationUncertain = ({ kind, name, isGenerated }: Facts<"kind" | "name" | "isGenerated">) => ({
  answer: `it is not known whether ${kind} "${name}" was created`,
  advice: isGenerated
    ? `Check whether ${kind} "${name}" exists. To keep it, set \`name: "${name}"\` and import it; otherwise delete it, because the next run creates a ${kind} under another name`
    : `Run the command again; if the ${kind} was created, that run explains how to import it`,
});

export const createdWithoutId = ({ type }: Facts<"type">) => `\`create\` of ${type} returned no id`;

export const creationIncomplete = (
  facts: Facts<"title" | "id" | "reason" | "isDefect"> & { readonly secrets: readonly string[] },
) => {
  const { title, id, reason, isDefect, secrets } = facts;
  const areLost = secrets.length === 1 ? "it is lost" : "they are lost";
  const lost = secrets[0] ? `. The platform shows ${listed(secrets)} only at creation, so ${areLost}` : "";
  return `${capitalized(title)} (${id}) was created and is in the state, but the creation did not complete: ${isDefect ? "internal error of the provider (please report it): " : ""}${lost ? clause(reason) : reason}${lost}`;
};

export const createOnlyIgnored = ({ property, title, advice }: Facts<"property" | "title" | "advice">) =>
  `Changing \`${property}\` has no effect on ${title}, because \`${property}\` is used only at creation. ${advice}`;
export const createOnlyUsedAgain = ({
  properties,
  title,
}: Facts<"title"> & { readonly properties: readonly string[] }) =>
  `The replacement of ${title} is created with the current ${properties.length === 1 ? "value" : "values"} of ${listed(properties)}.`;

// Previewing, replacing
export const operationImpossible = ({
  operation,
  object,
}: Facts<"object"> & { readonly operation: "create" | "update" | "replace" | "restore" }) =>
  `cannot ${operation} ${object}`;

/** This is only a warning, because `pulumi up` may run with another token than the preview. */
export const tokenLacksAccess = ({ attempt, reason, isLast }: Facts<"attempt" | "reason", "isLast">) =>
  `This API token ${attempt}${isLast ? " either" : ""}: ${clause(reason)}. Run \`pulumi up\` with a token that can.${isLast ? " Further warnings with this reason are left out." : ""}`;

export const replacementLacksAccess = ({ object, reason }: Facts<"object" | "reason">) => ({
  answer: `${operationImpossible({ operation: "replace", object })}: ${reason}`,
  advice: "Use an API token that is allowed to replace it",
});

/** `properties` is empty if no changed argument is the reason, for example because the object has expired. */
const changing = (properties: readonly string[]) =>
  properties.length === 0 ? "this update" : `changing ${listed(properties)}`;
export const replacementImpossible = (
  facts: Facts<"title" | "id" | "reason"> & { readonly properties: readonly string[] },
) => `${changing(facts.properties)} would replace ${facts.title} (${facts.id}), which would fail: ${facts.reason}`;

/** The old object cannot be deleted. */
export const replacementPrevented = (
  facts: Facts<"title" | "id" | "kind" | "reason" | "isRestorable" | "isSeeded", "toAllow"> & {
    readonly properties: readonly string[];
  },
) => {
  const { title, id, kind, properties, reason, toAllow, isRestorable, isSeeded } = facts;
  return {
    answer: `${changing(properties)} would replace ${title} (${id}) by a new${isRestorable && !isSeeded ? ", empty" : ""} ${kind}. The old one is unchanged, because it cannot be deleted: ${reason}`,
    advice: `To keep the old one, undo the change.${toAllow === undefined ? "" : ` To replace it all the same, undo the change, ${toAllow}, run \`pulumi up\`, and make the change again`}`,
  };
};
export const nothingDeleted = ({ kind }: Facts<"kind">) => `cannot replace this ${kind}, so nothing was deleted`;
export const replacedIsDeleted = ({ deletion }: Facts<"deletion">) =>
  `${deletion} To get it back with its data, undo the change that replaces it and run \`pulumi up\``;
export const replacedIsGone = ({ title, id, isRestorable }: Facts<"title" | "id" | "isRestorable">) =>
  `The replaced ${title} (${id}) no longer exists${isRestorable ? " and can no longer be restored" : ""}`;
export const replacementOfRestoredRefused = ({ kind }: Facts<"kind">) => ({
  answer: "it was restored after a deletion, perhaps that of a failed replacement",
  advice: `To keep the ${kind}, undo the change that replaces it and run \`pulumi up\`; afterwards it can be replaced again. If no replacement of it has failed, run \`pulumi up --refresh\``,
});
const withWhat = (brings: string): string => (brings ? ` ${brings}` : "");
const canBeRestored = (restorable: string | undefined, subject: string): string =>
  restorable === undefined ? "" : ` ${subject} can be restored until ${readableInstant(restorable)}.`;
const importIt = (id: string): string => `declare a second resource with the option \`import: "${id}"\``;

// The old object of a replacement that created the new one, but could not delete the old one
export const replacedIsLeft = ({ title, id, brings, isRead }: Facts<"title" | "id" | "brings" | "isRead">) =>
  `${capitalized(title)} (${id}) still exists${withWhat(brings)}. Every \`pulumi up\` tries again to delete it. To keep it, first ${isRead ? "undo the change that replaced it, or " : ""}${importIt(id)}`;
export const deletionUndecided = () => ({
  answer: "whether the program still needs it depends on an earlier step of this update, which failed",
  advice: "Correct the cause of that error, then run `pulumi up` again",
});
export const replacementStillDeleted = ({ title, id }: Facts<"title" | "id">) =>
  `${title} (${id}), which replaced it, is deleted, and this update has not restored it`;
export const replacedIsTakenBack = (
  facts: Facts<"title" | "id", "restorableUntil"> & {
    readonly managed: { readonly title: string; readonly id: string };
  },
) => {
  const { title, id, managed, restorableUntil } = facts;
  const restorable =
    restorableUntil === undefined ? "" : ` and can be restored until ${readableInstant(restorableUntil)}`;
  return `The change was undone, so this resource manages ${title} (${id}) again. \`pulumi up\` deletes ${managed.title} (${managed.id}), which had replaced it${restorable}.`;
};
export const replacedIsDeletedNow = (facts: Facts<"title" | "id" | "brings", "restorableUntil">) => {
  const { title, id, brings, restorableUntil } = facts;
  return `An earlier replacement could not delete ${title} (${id}). \`pulumi up\` deletes it now${brings && `, ${brings}`}.${canBeRestored(restorableUntil, "It")} To keep it, first ${importIt(id)}.`;
};
export const replacedIsKept = (facts: Facts<"kind" | "title" | "id" | "brings" | "isReplacing">) => {
  const { kind, title, id, brings, isReplacing } = facts;
  const remove = isReplacing
    ? ` and run \`pulumi up\`; then remove this resource from the program, which deletes the new ${kind}`
    : "";
  return `Kept ${title} (${id})${withWhat(brings)}: the program asks for it again, but this resource already manages another ${kind}. To manage ${title} again, ${importIt(id)}${remove}.`;
};
export const oneOfSeveralIsDeleted = (facts: Facts<"title" | "id" | "brings", "restorableUntil">) => {
  const { title, id, brings, restorableUntil } = facts;
  return `This update deletes ${title} (${id})${withWhat(brings)}, one of several objects that earlier replacements have left to this resource.${canBeRestored(restorableUntil, "It")}`;
};

/** The engine deletes an object before it is replaced under its name, except with `retainOnDelete`. */
export const retainedUnderName = ({ kind, name }: Facts<"kind" | "name">) => ({
  answer: `an earlier update has replaced it without deleting it, as with \`retainOnDelete\`, so the name "${name}" is not free`,
  advice: `Choose another \`name\`; with \`retainOnDelete\`, the old ${kind} then stays on the platform, unmanaged. To keep it in this stack, undo the change that replaces it and run \`pulumi up\``,
});
export const RESTORE_BEFORE_REPLACEMENT =
  "The program also makes a change that replaces this resource. To restore it, undo that change and run `pulumi up --refresh`";
export const replacementByImport = ({
  kind,
  moved,
  property,
}: Facts<"kind" | "property"> & {
  readonly moved: { readonly kind: string; readonly from: string; readonly to: string };
}) => ({
  answer: `it belongs to ${moved.kind} ${moved.from}, but ${moved.kind} ${moved.to} was imported, and an import must not delete anything`,
  advice: `To keep the ${kind}, set ${property}: "${moved.from}". To delete it and create an empty ${kind} in ${moved.kind} ${moved.to}, run \`pulumi up --refresh\``,
});
export const expired = ({ kind, end }: Facts<"kind" | "end">) =>
  `This ${kind} expired on ${readableInstant(end)}. The next update issues a new ${kind}.`;
export const expiresSoon = ({ kind, end, property, before }: Facts<"kind" | "end" | "property" | "before">) =>
  `This ${kind} expires on ${readableInstant(end)}. Because of \`${property}: "${before}"\`, the next update issues a new ${kind}.`;

/** Nobody knows whether the first value after an import is a change. */
export const firstSinceImport = ({ property, title, id }: Facts<"property" | "title" | "id">) =>
  `This update does not replace ${title} (${id}): \`${property}\` is set for the first time since the import, so it is only recorded. To replace it, change \`${property}\` again in a later update.`;

// Settings that stay in force
export const settingsTakenOver = ({
  subject,
  from,
  to,
  remaining,
}: Facts<"subject" | "from" | "to"> & { readonly remaining: readonly RemainingSetting[] }) => {
  const written = (value: (setting: RemainingSetting) => unknown) =>
    `\`${remaining.map((setting) => `${setting.property}: ${JSON.stringify(value(setting))}`).join(", ")}\``;
  const is = written((setting) => setting.is);
  const lift = remaining.every(({ byDefault }) => byDefault !== undefined)
    ? `${written(({ byDefault }) => byDefault)} to lift them, or `
    : "";
  const [origin, condition] =
    from === to
      ? ["set before its replacement", "Write"]
      : [`set by \`${from}\``, `If \`${from}\` no longer manages it, write`];
  return `Settings that \`${to}\` does not name stay in force on ${subject}: ${is} (${origin}). ${condition} in \`${to}\`: ${lift}${is} to keep them.`;
};

// Drift
export const changedOutside = (
  facts: Facts<"thing" | "author" | "ago" | "isSetBack"> & { readonly changes: readonly ShownDifference[] },
) => {
  const { changes, thing, author, ago, isSetBack } = facts;
  const values = ({ is, wanted }: ShownDifference) => `from ${shown(is)} to ${shown(wanted)}`;
  const one = changes.length === 1 ? changes[0] : undefined;
  const what = one
    ? `\`${one.property}\``
    : enumerated(changes.map((each) => `\`${each.property}\` (${values(each)})`));
  const back = isSetBack ? ` \`pulumi up\` sets ${one ? "it" : "them"} back.` : "";
  return `${what} of ${thing} ${one ? "was" : "were"} changed outside Pulumi${one ? ` ${values(one)}` : ""}, most likely by ${author}, ${ago}.${back}`;
};
const shown = (value: unknown): string => (value === undefined ? "no value" : JSON.stringify(value));
const enumerated = (parts: readonly string[]): string => new Intl.ListFormat("en-GB").format(parts);

// Deleting

/** The object can still be restored if the reason ends within five days of the deletion. */
export const notRestorableNow = ({ title, id, reason, isPlanned }: Facts<"title" | "id" | "reason", "isPlanned">) =>
  `This update deletes ${title} (${id})${isPlanned ? ", unless `retainOnDelete` keeps it. It" : ", which"} cannot be restored at present: ${clause(reason)}.`;

export const deletionSkipped = ({ title, id }: Facts<"title" | "id">) =>
  `Skipped deleting ${title} (${id}): another resource in this update manages it.`;
export const deletionPrevented = ({ title, id, reason, toAllow }: Facts<"title" | "id" | "reason", "toAllow">) => ({
  answer: `${notDeleted({ title, id })}, because ${reason}`,
  advice: toAllow && `${capitalized(toAllow)}, run \`pulumi up\`, then try again`,
});
export const notDeleted = ({ title, id }: Facts<"title" | "id">) => `could not delete ${title} (${id})`;
/** Once the resource has left the program, the provider cannot tell which of the two objects came first. */
export const keptDespiteImport = ({
  title,
  id,
  importedId,
  isDeclared,
}: Facts<"title" | "id" | "importedId" | "isDeclared">) =>
  `Kept ${title} (${id}) on the platform: ${isDeclared ? `Pulumi asked to delete it because this resource now manages ${importedId}, which was imported` : `this resource also managed ${importedId}, which was imported, perhaps in its place`}. This stack no longer manages ${title}. To manage it again, declare a second resource with the option \`import: "${id}"\`.`;
export const noLongerManaged = ({ kind, id, deletion }: Facts<"kind" | "id" | "deletion">) =>
  `${deletion} This stack no longer manages that ${kind}. To restore it, declare a second resource with the option \`import: "${id}"\`.`;

/** The provider cannot tell whether the program no longer declares the object, or an import took its place. */
export const deletionBesideImport = ({
  id,
  importedIds,
}: Facts<"id"> & { readonly importedIds: readonly string[] }) => ({
  answer: `this update also imports ${importedIds.join(", ")}, and an import with \`aliases\` must not delete the object that it replaces`,
  advice: `If the program no longer declares ${id}, run \`pulumi up\` again, which deletes it; if the import replaced it, that run keeps it on the platform, unmanaged. To keep it in this stack, first declare a second resource with the option \`import: "${id}"\``,
});

export const stillDeclaredInside = ({ kind, inside }: Facts<"kind" | "inside">) => ({
  answer: `the program still declares ${inside}, which would be deleted with it`,
  advice: `To keep both, declare the ${kind} again. To delete both, remove that resource from the program as well`,
});
export const deletedWithReplaced = ({ kind, inside }: Facts<"kind" | "inside">) => ({
  answer: `the replacement would delete ${inside} with it`,
  advice: `To keep both, undo the change that replaces the ${kind}. To replace both, undo it too, refer to the ${kind} by an output of its resource, run \`pulumi up\`, and make the change again: Pulumi then deletes ${inside} first, and creates it again`,
});

// Recording
export const idNotRecordable = ({ title }: Facts<"title">) =>
  `${capitalized(title)} was created, but the provider returned no id for it. Pulumi therefore cannot manage it, and the next run creates another one`;
export const valuesNotRecordable = ({
  title,
  id,
  properties,
}: Facts<"title" | "id"> & { readonly properties: readonly string[] }) =>
  `The provider returned a value for ${listed(properties)} of ${title} (${id}) that has another type than the provider declares or that cannot be recorded. Everything else is recorded. This is a defect of the provider; please report it.`;
export const idNotRecorded = ({ kind }: Facts<"kind">) => ({
  answer: `the state contains this ${kind} without an id, so something other than this provider has changed the state`,
  advice:
    "Restore an earlier state: `pulumi stack export --version <number> --file state.json`, then `pulumi stack import --file state.json`",
});
export const valuesIgnored = ({
  title,
  id,
  properties,
}: Facts<"title" | "id"> & { readonly properties: readonly string[] }) =>
  `The recorded value of ${listed(properties)} of ${title} (${id}) is ignored, because this version of the provider cannot have recorded it: something else has changed the state, or an earlier version recorded the value. \`pulumi refresh\` corrects the state.`;
export const secretsRecordedOpenly = ({
  title,
  id,
  properties,
}: Facts<"title" | "id"> & { readonly properties: readonly string[] }) =>
  `The state contains ${listed(properties)} of ${title} (${id}) in plain text, although this provider always records it as a secret: something else has changed the state. \`pulumi refresh\` encrypts it again. If others could read the state, revoke the secret.`;
export const ANY_OBJECT = "an object";

/** Argument types in error messages, by zod's name for the type. */
export const FORMS = {
  string: { name: "a string", written: "write it in quotation marks" },
  boolean: { name: "a boolean", written: "write true or false" },
  number: { name: "a number", written: "write it without quotation marks" },
  int: { name: "a whole number", written: "write it without quotation marks or decimals" },
  array: { name: "a list", written: 'write it as ["…", "…"]' },
  record: { name: ANY_OBJECT, written: 'write it as { key: "value" }' },
} satisfies Record<string, Form>;

export const objectForm = ({ firstProperty }: Facts<"firstProperty">) => `write it as { ${firstProperty}: … }`;
export const REQUIRED = "is required";
export const wrongForm = ({ form, given }: Facts<"given"> & { readonly form: Form }) =>
  `must be ${form.name}, not ${given}: ${form.written}`;
export const OTHER_STRING = "another string";
export const wrongValue = ({ allowed, given }: Facts<"given"> & { readonly allowed: readonly unknown[] }) =>
  `must be ${allowed.map((value) => JSON.stringify(value)).join(" or ")}, not ${given}`;
const propertiesAre = (properties: readonly string[]): string =>
  properties.length === 0 ? "it has no properties" : `its properties are ${properties.join(", ")}`;
export const unknownProperties = ({
  unknown,
  properties,
}: {
  readonly unknown: readonly string[];
  readonly properties: readonly string[];
}) => `has no property ${unknown.map((property) => `\`${property}\``).join(", ")}; ${propertiesAre(properties)}`;
export const unknownArgument = ({
  owner,
  argument,
  known,
}: Facts<"owner" | "argument"> & { readonly known: readonly string[] }) =>
  `${owner} has no property \`${argument}\`; ${propertiesAre(known)}`;
export const UNKNOWN_VALUE = "is not known yet";
export const AUTONAMING_DISABLED = "is required, because autonaming is disabled for this stack";
export const noRoomToGenerate = ({
  shortest,
  longest,
  within,
}: Facts<"within"> & { readonly shortest: number; readonly longest: number }) =>
  `is required, because a generated name has at least ${shortest} characters, but a name in this ${within} has at most ${longest}`;
/** `isUnchanged`: another name would replace the resource that has the value, and so delete its object. */
export const sameValue = ({ urn, property, isUnchanged }: Facts<"urn" | "property", "isUnchanged">) =>
  `${urn} in this program has the same \`${property}\`; ${property === "name" ? `choose another \`name\`${isUnchanged ? " there" : ""}` : "merge the two resources into one"}`;
/** For a new resource, this needs the user's own `pulumi:autonaming` settings: other generated names have a random part. */
export const sameGeneratedName = ({ urn, name, isUnchanged }: Facts<"urn" | "name", "isUnchanged">) =>
  isUnchanged
    ? `the generated name "${name}" is also that of ${urn} in this program; choose another \`name\` there`
    : `the name "${name}", which \`pulumi:autonaming\` generates, is also that of ${urn} in this program; set \`name\` here, or use a pattern with a random part, such as \`\${name}-\${hex(7)}\``;
export const declaredTwice = ({ type, urn, only }: Facts<"type" | "urn" | "only">) =>
  `${only} has only one ${type}, and ${urn} in this program declares it; merge the two resources into one`;
export const listUnavailable = ({ kind }: Facts<"kind">) => `the platform cannot list ${kind}s`;
export const listTitle = ({ kind }: Facts<"kind">) => `the list of ${kind}s`;
export const invalidListQuery = ({ kind, problems }: Facts<"kind"> & { readonly problems: readonly Problem[] }) => ({
  tried: `cannot list ${kind}s`,
  answer: problems.map(({ property, reason }) => `${property}: ${reason}`).join("; "),
});
export const listCancelled = ({ kind }: Facts<"kind">) => ({
  tried: `could not list ${kind}s`,
  answer: "the operation was cancelled, or its time limit has passed",
});
