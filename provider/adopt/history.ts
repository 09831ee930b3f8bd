import type { Act } from "../client/audit-log/acts";
import type { Deed, Deleted } from "../client/audit-log/authors";
import { type Creation, findCreations } from "../client/audit-log/creations";
import { findDeletions } from "../client/audit-log/deletions";
import { eachNumberedPage } from "../client/pages";
import { explainForbidden } from "../permissions/permissions";
import type { PlatformContext } from "../platform";
import type { Thing } from "./thing";

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
export async function creationsOf(
  things: readonly Thing[],
  context: PlatformContext,
): Promise<ReadonlyMap<Thing, Creation>> {
  const objects = things.flatMap((thing) => {
    const kind = KINDS[thing.resource.type];
    return kind === undefined ? [] : [{ kind, id: thing.id, thing }];
  });
  const found = await explainForbidden("listAuditLogs", context, () => findCreations(objects, pagesOf(context)));
  return new Map([...found].map(([{ thing }, creation]) => [thing, creation]));
}

/**
 * Looks up in the audit log who deleted each object.
 *
 * @throws Refusal if the audit log cannot be read.
 */
export const deletionsOf = <Wanted extends Deleted>(
  objects: readonly Wanted[],
  context: PlatformContext,
): Promise<ReadonlyMap<Wanted, Deed>> => findDeletions(objects, pagesOf(context), context.platform.clock.now());

const pagesOf = ({ platform: { api } }: PlatformContext) => eachNumberedPage((query) => api.listAuditLogs({ query }));
