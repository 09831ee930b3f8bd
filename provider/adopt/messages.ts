import { readableInstant } from "../../kit/instant";
import { message } from "../../platform/values/message";
import { inputName } from "../command/messages";

const DATABASE_ID = "434bbb71-2167-4e71-aa7d-939dcae6902b";

// Errors

/**
 * Reports a missing setting.
 *
 * @param variable The environment variable that supplies the setting; `undefined` if no variable does.
 */
export const missingSetting = message(
  (name: string, variable: string | undefined) =>
    `missing setting \`${name}\`${variable === undefined ? "" : `: set the environment variable ${variable}`}`,
  ["apiToken", "DBPLATFORM_API_TOKEN"],
);

export const missingStates = message(
  (option: string) =>
    `${option} requires the states of all stacks, because an object in a missing state counts as unmanaged: files from \`pulumi stack export --file <file>\`, or - for standard input`,
  ["--unmanaged"],
  ["--older-than"],
);

export const JSON_OF_IMPORT_FILE = "--json requires --unmanaged or --deleted; the import file is always JSON";

export const FAIL_WITHOUT_LIST = "--fail-within requires --deleted";

/**
 * Explains why `--fail-within` fails although no object is about to expire.
 *
 * @param others Whether the deleted objects of other types can be listed.
 */
export const incompleteList = message(
  (types: readonly string[], others: boolean) =>
    `--fail-within cannot check every deleted object, because ${types.join(" and ")} could not be listed${others ? ". To check only types that can be listed, use --type" : ""}`,
  [["Group"], true],
  [["Group", "Database"], false],
);

export const INVALID_DURATION = "Write whole numbers with the units w, d, h, m, s: 7d, 12h, 1w3d.";

export const unreadableAuditLog = message(
  (refusal: string) => `--older-than requires the audit log, which shows when objects were created: ${refusal}`,
  ["could not list audit logs (GET /v1/organizations/acme/audit-logs): the platform returned HTTP 403: forbidden"],
);

export const unsupportedType = message(
  (types: readonly string[]) => `Supported types: ${types.join(", ")}.`,
  [["Group", "Database"]],
);

export const unknownGroup = message(
  (group: string) => `group "${group}" does not exist, or this API token has no access to it`,
  ["shop"],
);

export const existingFile = message(
  (path: string) => `${path} already exists; choose another file for --out`,
  ["import.json"],
);

export const unwritableFile = message(
  (path: string, reason: string) => `could not write ${path}: ${reason}`,
  ["reports/import.json", "ENOENT: no such file or directory, open 'reports/import.json'"],
);

export const unreadableState = message(
  (path: string, reason: string) => `could not read the state ${path}: ${reason}`,
  ["dev.json", "ENOENT: no such file or directory, open 'dev.json'"],
);

/**
 * Reports that a file is not the exported state of a stack.
 *
 * @param path Path of the file; `-` means standard input.
 */
export const invalidState = message(
  (path: string) =>
    `${inputName(path)} is not the state of a stack; export one with \`pulumi stack export --file <file>\``,
  ["dev.json"],
  ["-"],
);

// Omitted objects

export const UNLISTED = "the platform does not provide a list of them";

/**
 * Explains why the objects of a type are missing from the import file.
 *
 * @param refusal The platform's error message for the list request.
 */
export const forbiddenList = message(
  (refusal: string) => `this API token has no access (${refusal})`,
  ["could not list API tokens (GET /v1/organizations/acme/api-tokens): the platform returned HTTP 403: forbidden"],
);

/**
 * Explains why deleted objects are missing from the import file.
 *
 * @param refusal The platform's error message for the list request.
 */
export const forbiddenDeletedList = message(
  (refusal: string) => `this API token has no access to deleted objects (${refusal})`,
  ["could not list deleted groups (GET /v3/organizations/…/deleted-groups): the platform returned HTTP 403: forbidden"],
);

/** Explains why `--older-than` omits an object. */
export const UNKNOWN_AGE = "its age is unknown, because the audit log contains no entry with this id for its creation";

/** Explains why only one of several deleted objects with the same name can be restored under that name. */
export const nameOfLaterDeletion = message(
  (type: string, id: string) =>
    `another ${type} with this name was deleted later. To import this one as well, declare it with \`import: "${id}"\` and a different \`name\``,
  ["Database", DATABASE_ID],
);

/**
 * Explains why a deleted object is omitted from the import file.
 *
 * @param properties Required arguments that the platform does not return for a deleted object.
 */
export const missingArguments = message(
  (properties: readonly string[], id: string) =>
    `the platform no longer returns its ${properties.map((property) => `\`${property}\``).join(" and ")}. To import it, declare it with \`import: "${id}"\``,
  [["location"], "1d6a3c52-58a1-4b0e-9c3f-5e2b7a9d4c11"],
);

// Notes

export const unlistedTypes = message(
  (types: readonly string[], reason: string) => `Could not list ${types.join(", ")}: ${reason}.`,
  [["DatabaseToken", "GroupToken", "SigningKeyRotation"], UNLISTED],
);

export const skippedObject = message(
  (type: string, name: string, id: string, reason: string) => `Skipped ${type} "${name}" (${id}): ${reason}.`,
  ["Database", "twice", DATABASE_ID, nameOfLaterDeletion("Database", DATABASE_ID)],
);

/**
 * Reports that a secret output of imported objects is empty.
 *
 * @param property The output, which the platform shows only once.
 */
export const secretWithoutValue = message(
  (property: string, type: string) =>
    `Each imported ${type} has no \`${property}\`, because the platform shows it only at creation.`,
  ["token", "ApiToken"],
);

export const sharedName = message(
  (name: string) =>
    `Two objects are named "${name}", so Pulumi generates a program that contains ids instead of references. Each \`parent\` still orders the resources.`,
  ["default"],
);

export const pendingRestorations = message(
  (count: number) =>
    `The first \`pulumi up\` after the import restores ${count} deleted ${count === 1 ? "object" : "objects"}.`,
  [1],
  [4],
);

export const writtenImportFile = message(
  (path: string, count: number) =>
    count === 0
      ? `${path} contains no resources, so there is nothing to import.`
      : `${path} contains ${count} ${count === 1 ? "resource" : "resources"}. To import, run \`pulumi import --file ${path}\`.`,
  ["import.json", 0],
  ["import.json", 1],
  ["import.json", 7],
);

// Deleted objects

/** Values shown in the warning that a deleted object can be restored for only a short time. */
interface Expiring {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly restorableUntil: string;
  readonly secondsLeft: number;
  /** The stacks that declare the object. Absent if the user passed no state files. */
  readonly stacks?: readonly string[] | undefined;
}

const expiringDatabase: Expiring = {
  type: "Database",
  name: "orders",
  id: DATABASE_ID,
  restorableUntil: "2026-11-27T07:17:00Z",
  secondsLeft: 5 * 3600,
};

/** Formats the time left to restore an object, in whole hours. */
export const hoursLeft = message(
  (seconds: number) => (seconds < 3600 ? "<1" : String(Math.floor(seconds / 3600))),
  [90],
  [5 * 3600],
);

/** Warns that a deleted object can be restored for only a short time, and explains how to restore it. */
export const expiresSoon = message(
  ({ type, name, id, restorableUntil, secondsLeft, stacks }: Expiring) => {
    const hours = hoursLeft(secondsLeft);
    const left = `${hours} ${secondsLeft < 7200 ? "hour" : "hours"} left`;
    const declaration = `declare it with \`import: "${id}"\``;
    const advice = stacks?.length
      ? `run \`pulumi up\` in stack ${stacks.join(" or ")}`
      : stacks
        ? declaration
        : `run \`pulumi up\` in the stack that declares it, or ${declaration}`;
    return `${type} "${name}" (${id}) can be restored only until ${readableInstant(restorableUntil)} (${left}). To restore it, ${advice}.`;
  },
  [expiringDatabase],
  [{ ...expiringDatabase, secondsLeft: 90, stacks: [] }],
  [{ ...expiringDatabase, stacks: ["shop/production"] }],
);

/**
 * Reports that none of the listed objects can be restored at present.
 *
 * @param reason Why the platform refuses to restore them, as a clause.
 */
export const restoringRefused = message(
  (reason: string) => `The platform refuses to restore these objects at present: ${reason}.`,
  ['recovery is disabled for organization "acme"'],
);

export const NOTHING_DELETED = "No deleted objects found that can be restored.";

/** Table cell that names a database's group, and says that restoring the group also restores the database. */
export const restoredWithGroup = message((group: string) => `${group} (restored with it)`, ["shop"]);

export const IN_NO_STACK = "none";

// Unmanaged objects

export const NOTHING_UNMANAGED = "No unmanaged objects found.";

export const deletion = message((timestamp: string) => `deleted at ${timestamp}`, ["2026-11-20T16:44:05Z"]);
