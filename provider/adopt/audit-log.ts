import { isRefusal, unlessRefused } from "../../kit/refusal";
import type { Act } from "../client/audit-log/acts";
import { auditLogPages, type Creation, findCreations } from "../client/audit-log/history";
import { unreadableAuditLog } from "../command/messages";
import type { Thing } from "../inventory/things";
import { explainAccess } from "../permissions/permissions";
import type { PlatformContext } from "../platform";
import type { Inventory } from "./inventory";
import { UNKNOWN_AGE } from "./messages";

/**
 * The kind of object in the audit log, by resource type. A configuration has no creation entry of its own, because
 * it is created together with its database.
 */
const KINDS: Readonly<Record<string, Act["kind"]>> = {
  Group: "group",
  Database: "database",
  DatabaseConfiguration: "database",
  ApiToken: "token",
};

/**
 * Looks up in the audit log when, and by whom, each object was created.
 *
 * @throws Refusal if the audit log cannot be read.
 */
async function creationsOf(things: readonly Thing[], context: PlatformContext): Promise<ReadonlyMap<Thing, Creation>> {
  const objects = things.flatMap((thing) => {
    const kind = KINDS[thing.resource.type];
    return kind === undefined ? [] : [{ kind, id: thing.id, thing }];
  });
  const found = await explainAccess("listAuditLogs", context, () =>
    findCreations(objects, auditLogPages(context.platform.api)),
  );
  return new Map([...found].map(([{ thing }, creation]) => [thing, creation]));
}

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
    throw isRefusal(cause)
      ? new Error(unreadableAuditLog({ option: "--older-than", cause: cause.message }), { cause })
      : cause;
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
