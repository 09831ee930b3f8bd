import { credentialPreflightFailure, type PreflightFailure, preflightFailure } from "../../../kit/preflight";
import { Refusal } from "../../../kit/refusal";
import { canonicalUuid } from "../../../platform/values/uuid";
import type { PlatformContext } from "../../platform";
import { database } from "./database";
import { dbIdInvalid, referenceToDeleted } from "./messages";

/** Options of an input that refers to a database by its DbId. All spellings of the same UUID are equal. */
export const databaseId = {
  valid: (wanted: string) => (canonicalUuid(wanted) ? undefined : dbIdInvalid({ text: wanted })),
  same: (wanted: string, observed: string | undefined) =>
    observed !== undefined && canonicalUuid(wanted) === canonicalUuid(observed),
};

/** Converts a valid DbId to the platform's spelling. */
export const dbIdOf = (wanted: string): string => canonicalUuid(wanted) ?? wanted;

/**
 * Returns the reason why a referenced database is missing, or `undefined` if the database is live or this update
 * restores it.
 */
export async function referencedDatabaseFailure(
  wanted: string,
  context: PlatformContext,
): Promise<PreflightFailure | undefined> {
  if (context.run.names.of("Database", dbIdOf(wanted)) !== undefined) return undefined;
  const reading = await database.read(dbIdOf(wanted), context, { maxAge: "seconds" });
  if (reading.status === "live") return undefined;
  if (reading.status === "deleted") return preflightFailure(deletedReference(dbIdOf(wanted), reading.message, context));
  // A group-scoped token cannot see databases of other groups, so another credential may find the database.
  return context.platform.credential.groupId !== undefined
    ? credentialPreflightFailure(reading.message)
    : preflightFailure(reading.message);
}

/** Looks up a live database, so that a missing database is reported before anything is created for it. */
export async function referencedDatabase(wanted: string, context: PlatformContext) {
  const id = dbIdOf(wanted);
  const reading = await database.read(id, context);
  if (reading.status !== "live") throw databaseReferenceRefusal(id, reading, context);
  return { database: id, groupId: reading.state.groupId };
}

/** Returns an error about a reference to a database that is deleted or does not exist. */
export const databaseReferenceRefusal = (
  id: string,
  { status, message }: { readonly status: "absent" | "deleted"; readonly message: string },
  context: PlatformContext,
): Refusal =>
  new Refusal("absent", { answer: status === "deleted" ? deletedReference(id, message, context) : message });

const deletedReference = (id: string, deletion: string, { run }: PlatformContext): string =>
  referenceToDeleted({ id, deletion, isInStack: run.inStack("Database", id) });
