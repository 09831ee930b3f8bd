import { Refusal } from "../../../platform/client/refusal";
import { canonicalUuid } from "../../../platform/values/uuid";
import type { ResourceContext } from "../../resource/context";
import { credentialFailure, type PreflightFailure, preflightFailure } from "../../resource/preflight";
import type { Semantics } from "../../resource/traits";
import { database } from "./database";
import { dbIdInvalid } from "./messages";

/** A reference to a database by its DbId, in any spelling of a UUID. */
export const databaseReference: Semantics<string, object> = {
  validate: (wanted) => (canonicalUuid(wanted) ? undefined : dbIdInvalid(wanted)),
  semanticallyEqual: (wanted, observed) => observed !== undefined && canonicalUuid(wanted) === canonicalUuid(observed),
};

/** Returns the platform's spelling of a DbId that has passed validation. */
export const dbIdOf = (wanted: string): string => canonicalUuid(wanted) ?? wanted;

/** Returns why a referenced database is missing; `undefined` if it is live or this run restores it. */
export async function databaseMissing(wanted: string, context: ResourceContext): Promise<PreflightFailure | undefined> {
  if (context.names.has(dbIdOf(wanted))) return undefined;
  const reading = await database.read(dbIdOf(wanted), undefined, "snapshot", context);
  if (reading.status === "live") return undefined;
  // A group-scoped token cannot see the databases of other groups.
  return reading.status === "absent" && context.credential.groupId !== undefined
    ? credentialFailure(reading.message)
    : preflightFailure(reading.message);
}

/** Returns the live database, looked up before anything is created for it. */
export async function databaseOf(wanted: string, context: ResourceContext) {
  const id = dbIdOf(wanted);
  const reading = await database.read(id, undefined, "platform", context);
  if (reading.status !== "live") throw new Refusal("absent", { answer: reading.message });
  return { database: id, groupId: String(reading.state.groupId) };
}
