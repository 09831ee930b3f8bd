import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { callPlatform } from "../platform-call";
import type { ReadyMessage } from "../reference";
import type { PromptedDatabase } from "../sql-prompt";

/** The environment variable with the API token. */
export const TOKEN = "DBPLATFORM_LIVE_TOKEN";

export const PREFIX = "dbplatform-live-";

const ATTEMPTS = 3;
const PAUSE_MS = 2_000;

/** Returns a name that no other run uses. */
export const nameOfOwnGroup = (now: Date): string =>
  `${PREFIX}${now.toISOString().slice(0, 10).replaceAll("-", "")}-${randomBytes(4).toString("hex")}`;

/** Returns the command that deletes a group. The token is not in it, only its variable. */
export const deleteCommand = ({ url, organization }: Omit<ReadyMessage, "organizationId">, group: string): string =>
  `curl -X DELETE -H "Authorization: Bearer $${TOKEN}" ${url}/v1/organizations/${organization}/groups/${group}`;

export interface OwnGroup {
  readonly name: string;
  /** Whether the run has, or may have, created the group. */
  isOwn: boolean;
  /** UUID of the group, if the platform has shown it. */
  id?: string | undefined;
  /** The databases in the group when it was last read. */
  databases: readonly PromptedDatabase[];
}

/**
 * Deletes the group with its databases, and repeats that if it fails. Returns whether the platform lists the group no
 * longer.
 */
export async function deleteOwnGroup(platform: ReadyMessage, { name }: OwnGroup): Promise<boolean> {
  const organizationSlug = platform.organization;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    if (attempt > 1) await setTimeout(PAUSE_MS);
    const group = { organizationSlug, groupName: name };
    await callPlatform(platform, "deleteGroup", group).catch(() => undefined);
    const list = await callPlatform(platform, "listGroups", { organizationSlug }).catch(() => undefined);
    const groups: unknown = list?.json?.groups;
    if (list?.status === 200 && Array.isArray(groups) && !groups.some((group) => group?.name === name)) return true;
  }
  return false;
}

/** Says what the run has left in the organization, with all ids that are known, and how to remove it. */
export function whatStays(platform: ReadyMessage, { name, id, databases }: OwnGroup): string {
  const things = [
    `group "${name}" (${id ?? "its UUID is not known"})`,
    ...databases.map(({ Name, DbId }) => `database "${Name}" (${DbId})`),
  ];
  return `Not deleted: ${things.join(", ")}. To delete the group with its databases:\n\n    ${deleteCommand(platform, name)}`;
}
