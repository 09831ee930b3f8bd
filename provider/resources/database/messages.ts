import { readableInstant } from "../../../kit/instant";
import { message } from "../../../platform/values/message";
import type { Authorship } from "../../client/messages";
import { ADA, deletedWhen, restorableWhen } from "../messages";

const ORDERS = "71a550de-5a90-4ab1-9a3e-1c2d3e4f5a6b";
const OTHER = "5d1f7c2e-9a44-4f0b-b6c8-2e3a4b5c6d7e";
const DEFAULT_GROUP = "0e8c5f0a-3b1d-4c55-8f3e-6d1b2a7c9e10";

const [DELETED_AT, UNTIL] = ["2026-11-22T07:17:00Z", "2026-11-27T07:17:00Z"];

const DELETION =
  'Database "orders" (71a550de-…) of group "default" was deleted on 2026-11-22 07:17 UTC and can be restored until 2026-11-27 07:17 UTC.';

interface DeletedDatabase {
  readonly name: string;
  readonly deletedAt: string;
  readonly restorableUntil: string;
  readonly isDeletedWithGroup: boolean;
  readonly by?: Authorship | undefined;
  readonly isRecoveryDisabled?: boolean;
}

const deletedDatabase: DeletedDatabase = {
  name: "orders",
  deletedAt: DELETED_AT,
  restorableUntil: UNTIL,
  isDeletedWithGroup: false,
};

/** Says what happened in one short line, because the engine repeats it in each later row of the database. */
export const databaseDeleted = message(
  ({ name, deletedAt, restorableUntil, isDeletedWithGroup, by, isRecoveryDisabled }: DeletedDatabase) => {
    const withGroup = isDeletedWithGroup ? ", together with its group," : "";
    return `Database "${name}" ${deletedWhen(deletedAt, by, withGroup)} ${restorableWhen(" with its data", restorableUntil, isRecoveryDisabled)}.`;
  },
  [deletedDatabase],
  [{ ...deletedDatabase, isDeletedWithGroup: true }],
  [{ ...deletedDatabase, by: ADA }],
  [{ ...deletedDatabase, isRecoveryDisabled: true }],
);

export const RESTORED_WITH = "with its data";

export const SEED_CHANGE_ADVICE = "To use another seed, create another database.";

export const SIZE_LIMIT_CHANGE_ADVICE =
  "To change the size limit, set `sizeLimit` of the `DatabaseConfiguration` of this database.";

/** @param isInStack Whether the stack manages the group, whose own restore then brings back the other databases. */
export const groupRestoredToo = message(
  (groupName: string, groupId: string, isInStack: boolean) =>
    `\`pulumi up\` also restores the group "${groupName}" (${groupId}).${isInStack ? "" : " Other databases of that group stay deleted and can be restored one by one."}`,
  ["default", DEFAULT_GROUP, false],
  ["default", DEFAULT_GROUP, true],
);

export const restoredNameTaken = message(
  (name: string, id: string) =>
    `database name "${name}" is already in use by ${id}. Give this resource another \`name\``,
  ["orders", OTHER],
);

interface DeletedWith {
  readonly groupName: string;
  readonly groupId: string;
}

const deletedGroup: DeletedWith = { groupName: "default", groupId: DEFAULT_GROUP };

export const groupDeletedLater = message(
  ({ groupName, groupId }: DeletedWith) =>
    `its group "${groupName}" (${groupId}) was deleted after the database. First restore that group, or another database that was deleted with it`,
  [deletedGroup],
);

/**
 * Explains that a database cannot be restored because the program creates another group with the deleted group's name.
 *
 * @param urn URN of the resource that creates the other group.
 * @param isInStack Whether the stack manages the deleted group. The warning about the new group then says what to do.
 */
export const groupNamePlanned = message(
  ({ groupName, groupId }: DeletedWith, urn: string, isInStack: boolean) => {
    const advice = isInStack
      ? "follow the warning about that group"
      : `set the resource option \`import: "${groupId}"\` on that group`;
    return `its group "${groupName}" (${groupId}) was deleted with it, and this program creates another group named "${groupName}" (${urn}). To restore the group with its databases, ${advice}`;
  },
  [deletedGroup, "urn:pulumi:dev::shop::dbplatform:index:Group::default", false],
  [deletedGroup, "urn:pulumi:dev::shop::dbplatform:index:Group::default", true],
);

export const groupNameReused = message(
  ({ groupName, groupId }: DeletedWith, other: string) =>
    `its group "${groupName}" (${groupId}) was deleted with it, and group ${other} now has that name. Give group ${other} another \`name\`, set \`group: "${groupId}"\` on this database (with \`dependsOn\` if this program manages group ${other}), and run \`pulumi up\` again`,
  [deletedGroup, OTHER],
);

export const databaseProtected = message(
  (name: string, id: string) =>
    `database "${name}" (${id}) is delete-protected. Set \`deleteProtection: false\` in its \`DatabaseConfiguration\`, run \`pulumi up\`, then try again`,
  ["orders", ORDERS],
);

export const dbIdInvalid = message(
  (text: string) => `"${text}" is not a DbId; use \`database.dbId\` or the UUID itself`,
  ["orders"],
);

export const dumpNotFile = message((path: string) => `${path} is not a file`, ["/home/ada/dumps"]);
export const dumpEmpty = message((path: string) => `${path} is empty`, ["/home/ada/orders.sql"]);
export const dumpMissing = message((path: string) => `the file ${path} does not exist`, ["/home/ada/orders.sql"]);
export const dumpUnreadable = message(
  (path: string, cause: string) => `the file ${path} cannot be read (${cause})`,
  ["/home/ada/orders.sql", "EACCES"],
);

export const uploadFailed = message(
  (path: string, cause: string) => ({
    tried: `seed.dumpFile: could not upload ${path}`,
    answer: cause,
    advice: "No database was created",
  }),
  ["/home/ada/orders.sql", "the platform returned HTTP 413: the dump is too large"],
);

export const SEED_EMPTY = "must set `database`, `dumpFile` or `dumpUrl`";

export const seedSourcesConflict = message(
  (other: string) => `conflicts with \`${other}\`; a seed has exactly one source`,
  ["database"],
);

export const TIMESTAMP_WITHOUT_DATABASE = "requires `database`; a dump has no earlier versions";

export const timestampInvalid = message(
  (text: string) => `"${text}" is not an RFC 3339 timestamp, such as "2026-11-20T08:00:00Z"`,
  ["yesterday"],
);

export const timestampInFuture = message((text: string) => `"${text}" is in the future`, ["2027-01-01T00:00:00Z"]);

export const seedDatabaseInvalid = message(
  (nameProblem: string) => `must be a DbId or a name; ${nameProblem}`,
  ["a name must contain only lowercase letters, digits and hyphens"],
);

export const DUMP_PATH_EMPTY = "the path must not be empty";
export const DUMP_PATH_IS_URL = "must be the path of a file; use `dumpUrl` for a URL";
export const DUMP_URL_INVALID = "must be an http or https URL";

export const SEED_REPLACED =
  "the replacement would delete this database before copying it. Give the new database another `name`, without the option `deleteBeforeReplace`, so that it is created before the old one is deleted";

export const NOT_ENCRYPTED = "none";

export const recordedKey = message((cipher: string) => `${cipher} with the recorded key`, ["aegis256"]);

export const anotherKey = message((cipher: string) => `${cipher} with another key`, ["aegis256"]);

/** Reports an invalid key, without repeating the key. */
export const keyInvalid = message(
  (cipher: string, bytes: number) =>
    `must be ${bytes} bytes in base64 for ${cipher}; \`openssl rand -base64 ${bytes}\` prints such a key`,
  ["aegis256", 32],
);

/**
 * Warns that changing the cipher or key of a database loses its data.
 *
 * @param isEncrypted Whether the old database has a key.
 */
export const encryptionReplaced = message(
  (title: string, isEncrypted: boolean) => {
    const key = " Otherwise keep the earlier key: after a restore only that key opens the old database.";
    return `Changing \`encryption\` replaces ${title} without its data, because the platform cannot encrypt existing data again. To keep the data, undo the change.${isEncrypted ? key : ""}`;
  },
  ['database "orders"', true],
  ['database "orders"', false],
);

/**
 * Warns that a replacement leaves the data of a database behind.
 *
 * @param until Time until which the old database can be restored. Absent if nothing can be restored at present.
 * @param isDeletedFirst Whether the old database is deleted first, because the new one has the same name.
 */
export const dataLeftBehind = message(
  (title: string, id: string, until: string | undefined, isDeletedFirst: boolean) => {
    const restorable = until === undefined ? "" : ` The old one can be restored until ${readableInstant(until)}.`;
    return `The change replaces ${title} without its data.${restorable} To keep the data, undo the change; to copy it, also set ${isDeletedFirst ? "another `name` and " : ""}\`seed: { database: "${id}" }\`.`;
  },
  ['database "orders"', ORDERS, "2026-11-27T07:17:00Z", true],
  ['database "orders"', ORDERS, "2026-11-27T07:17:00Z", false],
  ['database "orders"', ORDERS, undefined, true],
);

/** Warns that an update may replace a database, because a property is not known yet. */
export const dataPossiblyLeftBehind = message(
  (title: string, property: string) =>
    `\`${property}\` of ${title} is not known yet. If it changes, the update replaces the database without its data. To exclude that, set the resource option \`ignoreChanges: ["${property}"]\`.`,
  ['database "orders"', "group"],
);

/**
 * Warns that the update may replace a database and lose its data. The preview cannot tell whether it will, because
 * the encryption is not known yet.
 */
export const encryptionUnknown = message(
  (title: string) =>
    `The preview does not know \`encryption\` of ${title} yet. If the update finds another key or cipher, it replaces ${title} without its data. To exclude that, set the resource option \`ignoreChanges: ["encryption"]\`.`,
  ['database "orders"'],
);

/** Reports that copying an encrypted database requires that database's key. */
export const copyLacksKey = message(
  (name: string, cipher: string) =>
    `database "${name}" is encrypted with a key of its own (${cipher}), which a copy shares. Set \`encryption\` to the cipher and key of "${name}"`,
  ["orders", "aegis256"],
);

export const copyCipherDiffers = message(
  (name: string, cipher: string) =>
    `database "${name}" is encrypted with ${cipher}, and a copy has the same cipher and key. Set \`encryption\` to those of "${name}"`,
  ["orders", "aegis256"],
);

interface DeletedSource {
  readonly name: string;
  readonly id: string;
  readonly deletedAt: string;
}

/** @param isInStack Whether the stack manages the deleted database, so that `pulumi up` restores it. */
export const seedSourceDeleted = message(
  ({ name, id, deletedAt }: DeletedSource, isInStack: boolean) => {
    const advice = isInStack
      ? "To copy it after `pulumi up` has restored it, set `database` of the seed to the `dbId` output of its resource"
      : `Restore it: declare it with the option \`import: "${id}"\`, and set \`database\` of the seed to its \`dbId\` output`;
    return `database "${name}" (${id}) was deleted on ${readableInstant(deletedAt)}, and only a live database can be copied. ${advice}`;
  },
  [{ name: "orders", id: ORDERS, deletedAt: "2026-11-22T07:17:00Z" }, false],
  [{ name: "orders", id: ORDERS, deletedAt: "2026-11-22T07:17:00Z" }, true],
);

/**
 * Reports that the database to be copied does not exist.
 *
 * @param database The DbId of the database, or its name in quotation marks.
 */
export const seedSourceMissing = message(
  (database: string, organization: string, pinnedTo: string | undefined) => {
    const fact =
      pinnedTo === undefined
        ? `organization "${organization}" has no database ${database}`
        : `this API token is pinned to group ${pinnedTo} and sees no database ${database}`;
    return `${fact}. If this program creates that database, use its \`dbId\` output`;
  },
  ['"sales"', "acme", undefined],
  ['"sales"', "acme", DEFAULT_GROUP],
);

/**
 * Reports that a resource refers to a deleted database.
 *
 * @param deletion A complete sentence that says when the database was deleted.
 * @param isInStack Whether the stack manages the deleted database, so that `pulumi up` restores it.
 */
export const referenceToDeleted = message(
  (id: string, deletion: string, isInStack: boolean) => {
    const advice = isInStack
      ? "`pulumi up` restores it; to wait for that, set `database` to the `dbId` output of its resource"
      : `Restore it: declare it with the option \`import: "${id}"\`, and set \`database\` to its \`dbId\` output. If this stack already manages it, run \`pulumi up --refresh\` instead, without \`--target\` or with another \`--target\` for its URN`;
    return `${deletion} ${advice}`;
  },
  [ORDERS, DELETION, false],
  [ORDERS, DELETION, true],
);

/**
 * Reports that the configuration of a deleted database cannot be imported.
 *
 * @param deletion A complete sentence that says when the database was deleted.
 */
export const configurationOfDeleted = message(
  (id: string, deletion: string) => ({
    answer: `cannot import the configuration of database ${id}, because the database is deleted`,
    advice: `${deletion} Restore the database first: declare it with the option \`import: "${id}"\`, without its configuration, and run \`pulumi up\``,
  }),
  [ORDERS, DELETION],
);

export const configurationNotFound = message(
  (id: string) => ({
    answer: `database ${id} is live, but the platform returned no configuration for it`,
    advice: "Run the command again",
  }),
  [ORDERS],
);

/**
 * Warns that settings stay in force after their resource is deleted.
 *
 * @param settings Settings that differ from their defaults, each written as `name: value`.
 */
export const configurationUnmanaged = message(
  (id: string, settings: readonly string[]) =>
    `The configuration of database ${id} is no longer managed. These settings are not reset: ${settings.join(", ")}.`,
  [ORDERS, ["blockWrites: true", 'sizeLimit: "2gb"']],
);

/** Says what stays if the program also removes the database, but keeps it on the platform with `retainOnDelete`. */
export const configurationOfRetained = message(
  (settings: readonly string[]) => `If the database is retained, it keeps ${settings.join(", ")}.`,
  [["blockWrites: true", 'sizeLimit: "2gb"']],
);
