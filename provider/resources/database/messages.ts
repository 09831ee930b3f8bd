import { readableInstant } from "../../../kit/instant";
import { nameInUseBy } from "../../../kit/messages";
import type { Facts } from "../../facts";
import { seer } from "../messages";

export const WITH_DATA = "with its data";
export const ITS_GROUP = "its group";

export const SEED_CHANGE_ADVICE = "To use another seed, create another database.";
export const SIZE_LIMIT_CHANGE_ADVICE =
  "To change the size limit, set `sizeLimit` of the `DatabaseConfiguration` of this database.";

/** If the stack manages the group, the group's own restore also restores the other databases. */
export const groupRestoredToo = ({ groupName, groupId, isInStack }: Facts<"groupName" | "groupId" | "isInStack">) =>
  `\`pulumi up\` also restores the group "${groupName}" (${groupId}).${isInStack ? "" : " Other databases of that group stay deleted and can be restored one by one."}`;

export const restoredDatabaseNameTaken = ({ name, id }: Facts<"name" | "id">) =>
  `${nameInUseBy({ kind: "database", name, id })}. Give this resource another \`name\``;
export const groupDeletedLater = ({ groupName, groupId }: Facts<"groupName" | "groupId">) =>
  `its group "${groupName}" (${groupId}) was deleted after the database. First restore that group, or another database that was deleted with it`;

/** If the stack manages the deleted group, the warning about the new group says what to do. */
export const groupNamePlanned = (facts: Facts<"groupName" | "groupId" | "urn" | "isInStack">) => {
  const { groupName, groupId, urn, isInStack } = facts;
  const advice = isInStack
    ? "follow the warning about that group"
    : `set the resource option \`import: "${groupId}"\` on that group`;
  return `its group "${groupName}" (${groupId}) was deleted with it, and this program creates another group named "${groupName}" (${urn}). To restore the group with its databases, ${advice}`;
};

export const groupNameReused = (facts: Facts<"groupName" | "groupId" | "successor", "isPlanned">) => {
  const { groupName, groupId, successor, isPlanned } = facts;
  const [reuse, condition] = isPlanned
    ? [`this program gives that name to group ${successor}`, "on that group"]
    : [`group ${successor} now has that name`, `if this program manages group ${successor}`];
  return `its group "${groupName}" (${groupId}) was deleted with it, and ${reuse}. Give group ${successor} another \`name\`, set \`group: "${groupId}"\` on this database (with \`dependsOn\` ${condition}), and run \`pulumi up\` again`;
};

export const dbIdInvalid = ({ text }: Facts<"text">) =>
  `"${text}" is not a DbId; use \`database.dbId\` or the UUID itself`;

// Seeds
export const dumpNotFile = ({ file }: Facts<"file">) => `${file} is not a file`;
export const dumpEmpty = ({ file }: Facts<"file">) => `${file} is empty`;
export const dumpMissing = ({ file }: Facts<"file">) => `the file ${file} does not exist`;
export const dumpUnreadable = ({ file, reason }: Facts<"file" | "reason">) =>
  `the file ${file} cannot be read (${reason})`;
export const uploadFailed = ({ file, cause }: Facts<"file" | "cause">) => ({
  tried: `seed.dumpFile: could not upload ${file}`,
  answer: cause,
  advice: "No database was created",
});
export const SEED_EMPTY = "must set `database`, `dumpFile` or `dumpUrl`";
export const TIMESTAMP_WITHOUT_DATABASE = "requires `database`; a dump has no earlier versions";
export const timestampInFuture = ({ text }: Facts<"text">) => `"${text}" is in the future`;
export const seedDatabaseInvalid = ({ reason }: Facts<"reason">) => `must be a DbId or a name; ${reason}`;
export const DUMP_PATH_IS_URL = "must be the path of a file; use `dumpUrl` for a URL";
export const DUMP_URL_INVALID = "must be an http or https URL";
export const SEED_REPLACED =
  "the replacement would delete this database before copying it. Give the new database another `name`, without the option `deleteBeforeReplace`, so that it is created before the old one is deleted";

export const seedSourceDeleted = (facts: Facts<"name" | "id" | "deletedAt" | "isInStack">) => {
  const { name, id, deletedAt, isInStack } = facts;
  const advice = isInStack
    ? "To copy it after `pulumi up` has restored it, set `database` of the seed to the `dbId` output of its resource"
    : `Restore it: declare it with the option \`import: "${id}"\`, and set \`database\` of the seed to its \`dbId\` output`;
  return `database "${name}" (${id}) was deleted on ${readableInstant(deletedAt)}, and only a live database can be copied. ${advice}`;
};

export const seedSourceMissing = (facts: Facts<"source" | "organization", "pinnedTo">) =>
  `${seer(facts)} no database ${facts.source}. If this program creates that database, use its \`dbId\` output`;

// Encryption
export const NOT_ENCRYPTED = "none";
export const recordedKey = ({ cipher }: Facts<"cipher">) => `${cipher} with the recorded key`;
export const anotherKey = ({ cipher }: Facts<"cipher">) => `${cipher} with another key`;

/** The message does not repeat the key. */
export const keyInvalid = ({ cipher, bytes }: Facts<"cipher"> & { readonly bytes: number }) =>
  `must be ${bytes} bytes in base64 for ${cipher}; \`openssl rand -base64 ${bytes}\` prints such a key`;

export const encryptionReplaced = ({ title, isEncrypted, isSeeded }: Facts<"title" | "isEncrypted", "isSeeded">) => {
  const key = " Otherwise keep the earlier key: after a restore only that key opens the old database.";
  return `Changing \`encryption\` replaces ${title} without its data, because the platform cannot encrypt existing data again.${isSeeded ? " The new one begins with the content of `seed`." : ""} To keep the data, undo the change.${isEncrypted ? key : ""}`;
};

export const copyNeedsKey = ({ name, cipher }: Facts<"name" | "cipher">) =>
  `database "${name}" is encrypted with ${cipher} and a key of its own, which a copy shares. Set \`encryption\` to the cipher and key of "${name}"`;

// Engines
export const copyKeepsEngine = ({ name, engine }: Facts<"name" | "engine">) =>
  `a copy has the engine of its source, and database "${name}" runs on ${engine}. Set \`engine\` to "${engine}", remove \`seed\`, or begin with a dump`;

// Replacements

const oldRestorable = ({ restorableUntil: until }: Facts<never, "restorableUntil">) =>
  until === undefined
    ? ""
    : ` The old one can be restored until ${readableInstant(until)}, or stays on the platform with \`retainOnDelete\`.`;
const toKeepData = ({ id, isDeletedFirst }: Facts<"id" | "isDeletedFirst">) =>
  `To keep the data, undo the change; to copy it, also set ${isDeletedFirst ? "another `name` and " : ""}\`seed: { database: "${id}" }\`.`;
const copiedWhen = ({ asOf }: Facts<never, "asOf">) =>
  asOf === undefined ? "as it is at the time of the update" : `as it was on ${readableInstant(asOf)}`;

/** `restorableUntil` is absent if nothing can be restored at present. */
export const dataLeftBehind = (facts: Facts<"title" | "id" | "isDeletedFirst", "restorableUntil">) =>
  `The change replaces ${facts.title} without its data.${oldRestorable(facts)} ${toKeepData(facts)}`;

/** `source` is absent if the new database is made from a dump, or from a database that is not known yet. */
export const seededInstead = (
  facts: Facts<"title" | "id" | "isDeletedFirst", "restorableUntil" | "source" | "asOf">,
) => {
  const { title, source, asOf } = facts;
  const content = source === undefined ? "one with the content of `seed`" : `a copy of database ${source} (\`seed\`)`;
  const time = source === undefined ? "" : `, ${copiedWhen({ asOf })}`;
  return `The change replaces ${title} by ${content}${time}. Its own data is not copied.${oldRestorable(facts)} ${toKeepData(facts)}`;
};

export const copiedByReplacement = (facts: Facts<"title", "restorableUntil" | "asOf">) =>
  `The replacement of ${facts.title} begins as a copy of it, ${copiedWhen(facts)}. What is written later is not copied.${oldRestorable(facts)}`;

/** A copy has the engine of its source, so it cannot bring the data along. */
export const engineReplaced = (facts: Facts<"title", "restorableUntil" | "isSeeded">) => {
  const seeded = facts.isSeeded ? " The new one begins with the content of `seed`." : "";
  return `The update replaces ${facts.title} without its data, by one with another \`engine\`, which a copy could not have.${seeded}${oldRestorable(facts)} To keep the data, undo the change; to bring it along, write a dump of it and set \`seed: { dumpFile }\`.`;
};

export const dataPossiblyLeftBehind = (
  facts: Facts<"title" | "property"> & { readonly seededFrom?: "itself" | "keepData" | "elsewhere" | undefined },
) => {
  const { title, property, seededFrom } = facts;
  const without = "without its data";
  const content = {
    itself: "by a copy of it (`seed`)",
    keepData: "by a copy of it (`keepData`)",
    elsewhere: `${without}, by one with the content of \`seed\``,
    nothing: without,
  }[seededFrom ?? "nothing"];
  return `\`${property}\` of ${title} is not known yet. If it changes, the update replaces the database ${content}.`;
};

export const dataLeftBehindWithGroup = (facts: Facts<"title" | "id", "restorableUntil">) => {
  const { title, id, restorableUntil: until } = facts;
  const restorable = until === undefined ? "" : ` The old one can be restored until ${readableInstant(until)}.`;
  return `This update replaces the group of ${title} (${id}), and the database with it, without its data.${restorable} To keep both, undo the change that replaces the group.`;
};

// Replacements that keep the data
export const KEPT_DATA_DELETED_FIRST =
  "the update would delete the old database before it could copy it. With `keepData`, give the database (and a group that is replaced) another `name`, without the option `deleteBeforeReplace`";
export const originalNotLive = ({ id }: Facts<"id">) =>
  `database ${id} is not live, so \`keepData\` cannot copy it. Undo the change to restore it, if it can still be restored; remove \`keepData\` to begin without its data`;
export const copyKeepsEncryption = ({ name }: Facts<"name">) =>
  `\`keepData\` copies database "${name}", and a copy has the cipher and key of its source. Set \`encryption\` to the cipher and key of "${name}", or remove \`keepData\` to begin without the data`;
export const keptDataKeepsEngine = ({ name, engine }: Facts<"name" | "engine">) =>
  `\`keepData\` copies database "${name}", and a copy has the engine of its source. Set \`engine\` to "${engine}", or remove \`keepData\` to begin without the data`;
export const writesBlockedAlready = ({ name, id }: Facts<"name" | "id">) =>
  `writes to database "${name}" (${id}) are already blocked, and \`keepData\` has to block them itself, so that it knows when to allow them again. Set \`blockWrites: false\` first, or copy it with \`seed: { database: "${id}" }\``;

export const dataCopied = (facts: Facts<"title" | "id", "restorableUntil">) => {
  const { title, id, restorableUntil: until } = facts;
  const restorable = until === undefined ? "" : ` The old database can be restored until ${readableInstant(until)}.`;
  return `The update replaces ${title} (${id}) by a copy with its data and settings (\`keepData\`). Until the old database is deleted at the end of the update, it can be read but not written to.${restorable} The copy has another DbId, needs new tokens and, under another name, has another address.`;
};

export const copyUndone = ({ cause, name }: Facts<"cause" | "name">) => ({
  answer: cause,
  advice: `Nothing was replaced: database "${name}" accepts writes as before`,
});
export const copyNotFinished = ({ cause, name, id }: Facts<"cause" | "name" | "id">) => ({
  answer: cause,
  advice: `Writes to database "${name}" (${id}) may still be blocked, because its copy was neither finished nor undone. Run \`pulumi up --refresh\`: it finishes the copy, or allows writes if the program no longer replaces the database`,
});
export const copyNotSeen = ({ name, origin }: Facts<"name" | "origin">) =>
  `the platform accepted a copy of "${origin}", but does not show "${name}" as one`;
export const contentCompared = (facts: Facts<"name" | "copy"> & { readonly tables: number; readonly rows: number }) =>
  `Copied database "${facts.name}" to "${facts.copy}": ${facts.tables === 1 ? "its table" : `all ${facts.tables} tables`} and ${facts.rows} rows.`;
export const contentNotCompared = ({ name, copy, cause }: Facts<"name" | "copy" | "cause">) =>
  `Copied database "${name}" to "${copy}". Could not compare their tables: ${cause}. Check the copy before you rely on it.`;
export const copyIncomplete = (
  facts: Facts<"name" | "copy" | "table"> & { readonly rows: number; readonly copied: number | undefined },
) =>
  `the copy is not complete: table "${facts.table}" has ${facts.rows} rows in "${facts.name}", but ${facts.copied === undefined ? "does not exist" : `${facts.copied} rows`} in "${facts.copy}"`;
export const rehearsalLeft = ({ id, name, cause }: Facts<"id" | "name" | "cause">) => ({
  tried: `deleted database ${id}, but not "${name}", the rehearsal of its copy`,
  answer: cause,
  advice: "Run `pulumi up` again",
});
export const writesAllowedMeanwhile = ({ name, id }: Facts<"name" | "id">) => ({
  answer: `writes to database "${name}" (${id}) were allowed again after it was copied, so the copy may lack rows`,
  advice: `Block writes to "${name}", bring the missing rows to the copy, and run \`pulumi up\``,
});
export const writesAllowedAgain = ({ name, id }: Facts<"name" | "id">) =>
  `An update that was to copy database "${name}" (${id}) has not ended (\`keepData\`). This update allows writes to the database and deletes the first copy. If the other update is still running, wait for it.`;
export const copyLeft = ({ name, id, origin }: Facts<"name" | "id" | "origin">) =>
  `Database "${name}" (${id}) is a copy of "${origin}" that this stack does not manage. An interrupted update may have created it. Check its data and who uses it before you delete it.`;

export const rehearsalNameTaken = ({ name, id }: Facts<"name" | "id">) =>
  `\`keepData\` needs the name "${name}" for a first copy, but database ${id} has it. Copy with \`seed\` instead`;

// References and configurations
/** Said in descriptions and in no warning, because all current locations are on AWS, and nobody has measured it. */
export const REPORTED_ON_AWS =
  "Users report that the platform rejects this setting for databases in AWS locations; this is not verified.";
export const referenceToDeleted = ({ id, deletion, isInStack }: Facts<"id" | "deletion" | "isInStack">) => {
  const advice = isInStack
    ? "`pulumi up` restores it; to wait for that, set `database` to the `dbId` output of its resource"
    : `Restore it: declare it with the option \`import: "${id}"\`, and set \`database\` to its \`dbId\` output. If this stack already manages it, run \`pulumi up --refresh\` instead, without \`--target\` or with another \`--target\` for its URN`;
  return `${deletion} ${advice}`;
};

export const configurationOfDeleted = ({ id, deletion }: Facts<"id" | "deletion">) => ({
  answer: `cannot import the configuration of database ${id}, because the database is deleted`,
  advice: `${deletion} Restore the database first: declare it with the option \`import: "${id}"\`, without its configuration, and run \`pulumi up\``,
});
export const configurationNotFound = ({ id }: Facts<"id">) => ({
  answer: `database ${id} is live, but the platform returned no configuration for it`,
  advice: "Run the command again",
});
export const configurationUnmanaged = ({
  id,
  assignments,
}: Facts<"id"> & { readonly assignments: readonly string[] }) =>
  `The configuration of database ${id} is no longer managed. These settings are not reset: ${assignments.join(", ")}.`;

/**
 * Shown once in a run, for the first configuration that is deleted although its database may stay: the program may keep
 * the database with `retainOnDelete`, and a targeted `destroy` may delete the configuration alone.
 */
export const configurationOfRetained = ({ assignments }: { readonly assignments: readonly string[] }) =>
  `If the database is retained, it keeps ${assignments.join(", ")}. The same holds for each configuration that this run deletes.`;
