import { readableInstant } from "../../instant";
import { message } from "../../message";
import { capitalized, type ShownDifference } from "../properties";

// The parameter `title` of these messages is an object's type and name (`database "orders"`), or only the type if the
// object has no name.

const ID = "71a550de-5a90-4ab1-9a3e-1c2d3e4f5a6b";
const OTHER_ID = "0bca3e0a-2f5d-4c6b-8d1e-9f0a1b2c3d4e";
const URN = "urn:pulumi:dev::shop::dbplatform:index:Database::orders";

const DELETED = {
  deletedAt: "2026-11-22T07:17:00Z",
  restorable: "can be restored until 2026-11-27 07:17 UTC",
};

interface DeletionTimes {
  /** RFC 3339 */
  readonly deletedAt: string;
  /** RFC 3339 */
  readonly restorableUntil?: string | undefined;
}

const setting = (property: string, value: unknown): string => `${property}: ${JSON.stringify(value)}`;

const acceptance = (property: string, is: unknown): string =>
  `This difference does not cause a replacement. To accept it, write ${setting(property, is)}.`;

// Restoring

/** @param brings Phrase that ends a sentence and says what is restored with the object, for example "with its data". */
export const restorePlanned = message(
  (title: string, id: string, brings: string) => `\`pulumi up\` restores ${title} (${id}) ${brings}.`,
  ['database "orders"', ID, "with its data"],
);

export const restored = message(
  (title: string, brings: string) => `Restored ${title} ${brings}.`,
  ['database "orders"', "with its data"],
);

/**
 * Reports that a deleted object is live again: the response to the restore was lost, or someone else restored the
 * object. What was restored with it is not known.
 */
export const restoredElsewhere = message(
  (title: string) => `${capitalized(title)} was restored.`,
  ['database "orders"'],
);

/**
 * Reports that a restore got no valid response.
 *
 * @param cause The complete message about the failed request.
 * @param isStillDeleted Whether a read after the failed request found the object deleted. `false` if that read failed.
 */
export const restoreUnanswered = message(
  (cause: string, kind: string, isStillDeleted: boolean) => ({
    answer: `${cause}. ${isStillDeleted ? `The ${kind} is still deleted` : `It is not known whether the ${kind} was restored`}`,
    advice: `Run \`pulumi up\` again, which restores the ${kind}${isStillDeleted ? "" : " if it is still deleted"}`,
  }),
  [
    `could not restore database (POST /v3/organizations/${OTHER_ID}/databases/${ID}/restore): the connection closed before the response was complete (ECONNRESET)`,
    "database",
    false,
  ],
  [
    `could not restore database (POST /v3/organizations/${OTHER_ID}/databases/${ID}/restore): the connection closed before the response was complete (ECONNRESET)`,
    "database",
    true,
  ],
);

export const notRestorable = message((kind: string) => `a ${kind} cannot be restored`, ["signing key rotation"]);

/**
 * Explains that an object cannot be restored, because the program's value for a property differs from the value that
 * the object had when it was deleted.
 */
export const restoreContradiction = message(
  ({ property, is, wanted, isDescribed }: ShownDifference) =>
    `it was deleted with ${setting(property, is)}, but the program sets ${setting(property, wanted)}. To restore it, ${isDescribed ? `remove \`${property}\` or write its earlier value` : `write ${setting(property, is)}`}`,
  [{ property: "location", is: "aws-us-east-1", wanted: "aws-eu-west-1" }],
  [{ property: "encryption", is: "aegis256 with the recorded key", wanted: "aes256gcm", isDescribed: true }],
);

/** Reports that a restored object differs from the program in a property that only a replacement could change. */
export const restoredWithDifference = message(
  (title: string, id: string, { property, is, wanted }: ShownDifference) =>
    `Restored ${title} (${id}) with ${setting(property, is)}, as it was deleted, but the program sets ${setting(property, wanted)}. ${acceptance(property, is)}`,
  ['group "production"', ID, { property: "location", is: "aws-us-east-1", wanted: "aws-eu-west-1" }],
);

/** Reports drift that the provider does not correct, because only a replacement could change the property. */
export const differenceKept = message(
  (title: string, id: string, { property, is, wanted }: ShownDifference, nameOfAnother?: string) =>
    `\`${property}\` of ${title} (${id}) differs: the platform has ${JSON.stringify(is)}, but the program sets ${JSON.stringify(wanted)}. ${nameOfAnother === undefined ? "" : `${nameOfAnother} `}${acceptance(property, is)}`,
  ['database "orders"', ID, { property: "name", is: "orders-old", wanted: "orders" }],
  [
    'database "orders"',
    ID,
    { property: "group", is: "staging", wanted: "production" },
    `The name "production" now belongs to another group (${OTHER_ID}), and no longer to ${ID}.`,
  ],
);

/**
 * Warns that the program refers to an object by a name that the object no longer has.
 *
 * @param referred The object, with its current name.
 */
export const referenceOutdated = message(
  (
    title: string,
    id: string,
    referred: { readonly kind: string; readonly id: string; readonly name: string },
    { property, wanted }: { readonly property: string; readonly wanted: unknown },
  ) =>
    `The ${referred.kind} of ${title} (${id}) is now named "${referred.name}", but the program still sets ${setting(property, wanted)}. This changes nothing on the platform. Write ${setting(property, referred.name)}, or ${setting(property, referred.id)}, which stays the same when the ${referred.kind} is renamed.`,
  ['database "orders"', ID, { kind: "group", id: OTHER_ID, name: "squad" }, { property: "group", wanted: "team" }],
);

/** Reports that an update failed after it had already changed the object. */
export const incompleteUpdate = message(
  (cause: string) => `the update did not complete: ${cause}`,
  ["updateGroupConfiguration: the platform returned HTTP 503: try later"],
);

/**
 * The end of a sentence about a deleted object.
 *
 * @param obstacle Why nothing can be restored in the organization at present.
 */
export const canBeRestoredUntil = message(
  (restorableUntil: string, obstacle: string | undefined) =>
    `can be restored until ${readableInstant(restorableUntil)}${obstacle === undefined ? "" : `, but not at present: ${obstacle}`}`,
  ["2026-11-27T07:17:00Z", undefined],
  ["2026-11-27T07:17:00Z", 'recovery is disabled for organization "acme"'],
);

/** @param restorable A text from `canBeRestoredUntil`. Absent if the end of the recovery window is unknown. */
export const stillDeleted = message(
  (kind: string, title: string, id: string, restorable: string | undefined) =>
    `${capitalized(title)} (${id}) stays deleted, because \`ignoreChanges\` covers \`deletedAt\`.${restorable === undefined ? "" : ` It ${restorable}.`} To restore it, remove \`deletedAt\` (or \`*\`) from \`ignoreChanges\`. To leave it deleted, remove the resource from the program; otherwise \`pulumi up\` creates a new, empty ${kind} when the deleted one can no longer be restored.`,
  ["database", 'database "orders"', ID, DELETED.restorable],
  ["database", 'database "orders"', ID, undefined],
);

/** Warns that a deleted object is restored with its group, although `ignoreChanges` covers `deletedAt`. */
export const restoredDespiteIgnored = message(
  (title: string, id: string, group: string) =>
    `This update restores ${title} (${id}) together with group "${group}", although \`ignoreChanges\` covers \`deletedAt\`.`,
  ['database "orders"', ID, "tenants"],
);

// Reading

/** @param brings Phrase that says what is restored with the object, for example "with its data". */
export const deletedRestorable = message(
  (title: string, id: string, brings: string, { deletedAt, restorableUntil }: DeletionTimes) => {
    const until = restorableUntil === undefined ? "" : ` until ${readableInstant(restorableUntil)}`;
    return `${capitalized(title)} (${id}) was deleted on ${readableInstant(deletedAt)} and can be restored ${brings}${until}.`;
  },
  ['database "orders"', ID, "with its data", { deletedAt: DELETED.deletedAt, restorableUntil: "2026-11-27T07:17:00Z" }],
  ['database "orders"', ID, "with its data", { deletedAt: DELETED.deletedAt }],
);

export const noSuchObject = message((kind: string, id: string) => `there is no ${kind} ${id}`, ["database", ID]);

export const noLongerExists = message(
  (title: string, reason: string) => `${capitalized(title)} no longer exists: ${reason}.`,
  ['database "orders"', `organization "acme" has no database ${ID}`],
);

export const newObjectPlanned = message(
  (kind: string, isRestorable: boolean) => `\`pulumi up\` creates a new${isRestorable ? ", empty" : ""} ${kind}.`,
  ["database", true],
  ["API token", false],
);

/** @param own Id of the object that had the name. */
export const nameOfAnother = message(
  (kind: string, name: string, id: string, own: string) =>
    `The name "${name}" now belongs to another ${kind} (${id}), and no longer to ${own}.`,
  ["database", "orders", OTHER_ID, ID],
);

/**
 * Reports that an object's group or database has been deleted, and that this run does not restore it. The provider
 * cannot tell whether `--target` leaves it out or this stack does not manage it.
 *
 * @param owner The deleted group or database. `message` consists of complete sentences about the deletion.
 */
export const ownerDeleted = message(
  (kind: string, owner: { readonly kind: string; readonly id: string; readonly message: string }) =>
    `${owner.message} This ${kind} belongs to that ${owner.kind}, which this run does not include. If you use \`--target\`, add another \`--target\` with the URN of the ${owner.kind} (\`pulumi stack --show-urns\`). If another stack manages the ${owner.kind}, restore it there. If no stack does, declare it here with the option \`import: "${owner.id}"\`.`,
  [
    "database configuration",
    { kind: "database", id: ID, message: `Database "orders" (${ID}) was deleted on 2026-11-22 07:17 UTC.` },
  ],
);

/** Reports that the program looks up an object that has been deleted. */
export const deletedObject = message(
  (
    kind: string,
    title: string,
    id: string,
    { deletedAt, restorable }: { readonly deletedAt: string; readonly restorable: string },
  ) => ({
    answer: `${title} (${id}) was deleted on ${readableInstant(deletedAt)} and ${restorable}`,
    advice: `To restore the ${kind}, declare it with the option \`import: "${id}"\``,
  }),
  ["database", 'database "orders"', ID, DELETED],
);

/**
 * Reports that the program looks up an object that does not exist. Pulumi itself reports only the id.
 *
 * @param reason A clause that says what was not found.
 */
export const doesNotExist = message(
  (kind: string, reason: string, advice: string) => `There is no such ${kind}: ${reason}. ${advice}.`,
  ["database", `organization "acme" has no database ${ID}`, "Check the id"],
);

/** Advice for a user whose program looks up an object that does not exist. */
export const CHECK_ID = "Check the id";

// Importing

/** Explains how to import an object into a second resource, because the first one already manages an object. */
export const importElsewhere = message(
  (id: string) =>
    `To import ${id}, remove \`import\` here and declare a second resource with another logical name, another \`name\` and the option \`import: "${id}"\``,
  [ID],
);

/**
 * Explains why an object cannot be imported into a resource.
 *
 * @param managed The live object that the resource already manages.
 */
export const importOverLive = message(
  (managed: { readonly title: string; readonly id: string }, id: string) =>
    `this resource manages ${managed.title} (${managed.id}), which is live, so it cannot import "${id}"`,
  [{ title: 'database "orders"', id: ID }, OTHER_ID],
);

export const importedTwice = message(
  (urn: string, id: string) => ({
    answer: `${urn} also imports ${id}`,
    advice: "Only one resource can manage an object: remove `import` from one of the two resources",
  }),
  [URN, ID],
);

/** Advice for a user whose program imports an object that does not exist. */
export const createInstead = message(
  (kind: string, isRestorable: boolean) =>
    isRestorable
      ? `To create a new, empty ${kind}, remove \`import\``
      : `Check the id, or remove \`import\` to create a new ${kind}`,
  ["database", true],
  ["member", false],
);

export const importContradiction = message(
  (title: string, id: string, { property, is, wanted, isDescribed }: ShownDifference) => ({
    answer: `${title} (${id}) is imported with ${setting(property, is)}, but the program sets ${setting(property, wanted)}`,
    advice: `To import it, ${isDescribed ? `remove \`${property}\`` : `write ${setting(property, is)}`}`,
  }),
  ['database "orders"', ID, { property: "group", is: "staging", wanted: "production" }],
  ['database "orders"', ID, { property: "encryption", is: "none", wanted: "aes256gcm", isDescribed: true }],
);

/**
 * Warns that an imported object lacks a secret output.
 *
 * @param property The output, which the platform shows only when the object is created.
 */
export const importedWithoutSecret = message(
  (kind: string, property: string) =>
    `The platform shows \`${property}\` only at creation, so an imported ${kind} does not have it.`,
  ["API token", "token"],
);
