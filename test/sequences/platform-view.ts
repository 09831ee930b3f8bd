import { RECOVERY_WINDOW_MS } from "../../platform/contract/recovery";
import type { DatabaseRow, GroupRow } from "../../platform/reference/store/schema";
import type { PlatformView } from "./sequence-fixture";

type Row = Pick<GroupRow, "organization_id" | "deleted_at">;

export const isLive = ({ deleted_at }: Pick<Row, "deleted_at">): boolean => deleted_at === null;

export const inAcme = ({ organization_id }: Pick<Row, "organization_id">, view: PlatformView): boolean =>
  organization_id === view.organizations.acme?.id;

export const liveGroup = (view: PlatformView, is: (row: GroupRow) => boolean): GroupRow | undefined =>
  view.groups.find((row) => isLive(row) && inAcme(row, view) && is(row));

export const liveDatabase = (view: PlatformView, is: (row: DatabaseRow) => boolean): DatabaseRow | undefined =>
  view.databases.find((row) => isLive(row) && inAcme(row, view) && is(row));

/** Returns whether a group or database is deleted and can still be restored (§8). */
export const isInWindow = (row: Row, view: PlatformView): boolean =>
  inAcme(row, view) && row.deleted_at !== null && view.now - Date.parse(row.deleted_at) <= RECOVERY_WINDOW_MS;

export const isFree = (view: PlatformView): boolean => view.organizations.acme?.plan === "starter";
