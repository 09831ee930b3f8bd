import { isRefusal, unlessRefused } from "../../kit/refusal";
import type { PlatformContext } from "../platform";
import { creationsOf } from "./history";
import type { Inventory } from "./inventory";
import { UNKNOWN_AGE, unreadableAuditLog } from "./messages";

interface AgeOptions {
  readonly unmanaged?: true;
  /** In milliseconds */
  readonly olderThan?: number;
}

/**
 * If the command lists unmanaged objects or filters by age, adds the creator and the creation time of each object. With
 * `olderThan`, keeps only objects older than this age. Objects of unknown age are omitted and reported.
 *
 * @throws Error if `olderThan` is given but the audit log cannot be read.
 */
export async function withCreations(
  inventory: Inventory,
  { unmanaged, olderThan }: AgeOptions,
  context: PlatformContext,
): Promise<Inventory> {
  const { things, leftOut } = inventory;
  if (olderThan === undefined) {
    if (!unmanaged) return inventory;
    const creations = await creationsOf(things, context).catch(unlessRefused);
    return creations ? { ...inventory, creations } : inventory;
  }
  const creations = await creationsOf(things, context).catch((cause: unknown) => {
    throw isRefusal(cause) ? new Error(unreadableAuditLog(cause.message), { cause }) : cause;
  });
  const before = context.platform.clock.now() - olderThan;
  const undated = things.filter((thing) => !creations.has(thing));
  return {
    things: things.filter((thing) => Date.parse(creations.get(thing)?.createdAt ?? "") <= before),
    leftOut: [
      ...leftOut,
      ...undated.map(({ resource, name, id }) => ({ type: resource.type, name, id, reason: UNKNOWN_AGE })),
    ],
    creations,
  };
}
