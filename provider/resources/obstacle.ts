import { api, type Operation } from "../../platform/contract/api";
import type { Platform } from "./platform";

/** Why the platform would refuse an operation, found out by reading. */
export interface Obstacle {
  /** A clause, which can follow a colon. */
  readonly reason: string;
  /** Another credential may do it, so a preview warns of it and only the update is refused. */
  readonly isOfCredential?: true;
}

/** The first obstacle that stops every credential; else the first one that stops this credential. */
export async function firstObstacle(
  ...checks: readonly (() => Promise<Obstacle | undefined> | Obstacle | undefined)[]
): Promise<Obstacle | undefined> {
  let lacking: Obstacle | undefined;
  for (const check of checks) {
    const found = await check();
    if (found && !found.isOfCredential) return found;
    lacking ??= found;
  }
  return lacking;
}

export const obstacle = (reason: string | undefined): Obstacle | undefined =>
  reason === undefined ? undefined : { reason };

export const lack = (reason: string | undefined): Obstacle | undefined =>
  reason === undefined ? undefined : { reason, isOfCredential: true };

/** What a group-scoped token lacks for an operation (§5 rules 5 and 7). The scopes of other tokens are unlimited. */
export function credentialLacks(operation: Operation, { credential }: Platform): Obstacle | undefined {
  if (credential.groupId === undefined) return undefined;
  const { level, scope } = api[operation].access as { level: string; scope?: string };
  if (level === "organization" || level === "user")
    return lack("this API token is restricted to one group, and this needs an organization-level token");
  return scope === undefined || credential.scopes?.includes(scope)
    ? undefined
    : lack(`the API token lacks the scope \`${scope}\``);
}
