import { Refusal } from "../../../platform/client/refusal";
import { canonicalUuid } from "../../../platform/values/uuid";
import type { Platform } from "../../resource/context";
import { lack, type Obstacle, obstacle } from "../../resource/preflight";
import type { Meaning } from "../../resource/traits";
import { database } from "./database";

/** A database is written as its DbId, in any spelling of a UUID. */
export const databaseReference: Meaning<string, object> = {
  problem: (wanted) =>
    canonicalUuid(wanted) ? undefined : `"${wanted}" is no DbId: write \`database.dbId\`, or the UUID itself`,
  met: (wanted, observed) => observed !== undefined && canonicalUuid(wanted) === canonicalUuid(observed),
};

/** The platform's spelling of a DbId that has passed the check. */
export const dbIdOf = (wanted: string): string => canonicalUuid(wanted) ?? wanted;

/** There is no such living database, and this run does not restore it either. */
export async function databaseMissing(wanted: string, platform: Platform): Promise<Obstacle | undefined> {
  if (platform.names.has(dbIdOf(wanted))) return undefined;
  const reading = await database.read(dbIdOf(wanted), undefined, "snapshot", platform);
  if (reading.found === "live") return undefined;
  // A group-scoped token does not see the databases of other groups.
  return reading.found === "gone" && platform.credential.groupId !== undefined
    ? lack(reading.message)
    : obstacle(reading.message);
}

/** The living database, looked up before something is made for it. */
export async function databaseOf(wanted: string, platform: Platform) {
  const id = dbIdOf(wanted);
  const reading = await database.read(id, undefined, "platform", platform);
  if (reading.found !== "live") throw new Refusal("absent", { answer: reading.message });
  return { database: id, groupId: String(reading.state.groupId) };
}
