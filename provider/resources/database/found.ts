import type { PreflightFailure } from "../../../kit/resource/preflight";
import type { PlatformContext } from "../../platform";
import { type DeletedRecord, findDeletedDatabase, recentlyDeleted } from "../deleted-databases";
import { type LiveRecord, recentlyListed, retrieve } from "./records";

/**
 * The result of a database lookup: the live or deleted record, or the reason why deleted databases cannot be listed.
 */
interface Found {
  readonly live?: LiveRecord | undefined;
  readonly deleted?: DeletedRecord | undefined;
  readonly hidden?: PreflightFailure | undefined;
}

/**
 * Finds a database in lists that may be a few seconds old. A database that is missing from these lists may still exist,
 * so the caller must request the database itself.
 */
export async function recently(id: string, context: PlatformContext): Promise<Found | undefined> {
  const { items, isCurrent } = await recentlyListed(context);
  const found = await items.list.look(() => items.byId.get(id));
  const live = isCurrent(id) ? found : undefined;
  if (live) return { live };
  const deleted = await recentlyDeleted(id, context);
  return deleted && { deleted };
}

export async function now(id: string, context: PlatformContext): Promise<Found> {
  const live = await retrieve(id, context);
  return live ? { live } : findDeletedDatabase(id, context);
}
