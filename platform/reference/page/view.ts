import type { Journal, JournalEntry } from "../journal/journal";
import { locationsIn } from "../operations/location";
import { startOfWindow } from "../operations/recovery";
import { asApiRefusal } from "../refusal";
import type { Services } from "../services";
import type { Snapshot } from "../snapshots/snapshots";
import { lastAuditLogNumber, listAuditLogRows } from "../store/audit-logs";
import {
  type Database,
  type DeletedDatabaseRow,
  findDatabaseRowById,
  listDeletedDatabaseRows,
} from "../store/databases";
import { type DeletedGroupRow, listDeletedGroupRows } from "../store/groups";
import {
  findOrganizationRow,
  firstOrganizationRow,
  listMemberRows,
  type Member,
  type Organization,
} from "../store/organizations";
import { type GroupOverview, listOverviewOrganizations, overviewOf } from "../store/overview";
import type { AuditLogRow } from "../store/schema";
import { listTokenRows, type Token } from "../store/tokens";
import { referenceClockNow } from "../time/clock";

/**
 * Maximum number of entries of each kind on the page. The page says how many more entries exist, and offers a search
 * for them.
 */
const SHOWN = {
  organizations: 500,
  groups: 12,
  databases: 8,
  databasesOfOne: 200,
  deleted: 50,
  members: 50,
  tokens: 50,
  audit: 12,
  journal: 25,
};

export interface Wanted {
  /** Slug of the organization to show; by default, the first organization. */
  readonly organization?: string;
  readonly search?: string;
  /** Name of the only group to show. The page then lists more databases than the overview does. */
  readonly group?: string;
  readonly after?: string;
  readonly log?: string;
  /** DbId of the database that is open. It is shown even if the current list page does not contain it. */
  readonly database?: string;
  /** Key of the report of a form that was just submitted. */
  readonly done?: string;
}

export interface View {
  readonly wanted: Wanted;
  readonly now: Date;
  readonly stands: boolean;
  readonly pulse: string;
  readonly organizations: Cut<Organization>;
  readonly organization: Organization;
  readonly groups: readonly GroupOverview[];
  readonly nextGroup?: string;
  readonly opened?: Database;
  readonly deletedGroups: Cut<DeletedGroupRow>;
  readonly deletedDatabases: Cut<DeletedDatabaseRow>;
  readonly members: Cut<Member>;
  readonly tokens: Cut<Token>;
  readonly audit: { readonly rows: readonly AuditLogRow[]; readonly page: number; readonly pages: number };
  readonly journal: readonly JournalEntry[];
  /** Descriptions of the locations for new groups, by code. */
  readonly locations: Readonly<Record<string, string>>;
  readonly snapshots: readonly Snapshot[];
  /** Address of a database with the placeholder `{DbId}`; absent if the server has no SQL server. */
  readonly sql?: string | undefined;
}

interface Cut<Row> {
  readonly rows: readonly Row[];
  readonly more: boolean;
}

type Seen = Pick<Services, "store" | "clock" | "journal" | "api">;

/** Returns no snapshots if their folder cannot be read, because that must not hide the rest of the page. */
async function snapshotsForView({ api }: Seen): Promise<readonly Snapshot[]> {
  try {
    return (await api?.snapshots()) ?? [];
  } catch (thrown) {
    if (asApiRefusal(thrown)) return [];
    throw thrown;
  }
}

/** Reads the data of the page, or returns `undefined` if the organization does not exist. */
export async function view(wanted: Wanted, seen: Seen): Promise<View | undefined> {
  const { store, clock, journal, api } = seen;
  const stands = await clock.stands();
  const snapshots = await snapshotsForView(seen);
  return store.read(async (state) => {
    const organization = wanted.organization
      ? await findOrganizationRow(state, { slug: wanted.organization })
      : await firstOrganizationRow(state);
    if (!organization) return undefined;
    const now = await referenceClockNow(state);
    const accessScope = { organization };
    const since = startOfWindow(now);
    const overview = await overviewOf(state, organization, {
      ...wanted,
      groups: SHOWN.groups,
      databases: wanted.group === undefined ? SHOWN.databases : SHOWN.databasesOfOne,
    });
    const among = { since, limit: SHOWN.deleted, ...(wanted.search && { search: wanted.search }) };
    const deletedGroups = await listDeletedGroupRows(state, accessScope, among);
    const deletedDatabases = await listDeletedDatabaseRows(state, accessScope, among);
    const last = await lastAuditLogNumber(state, organization.id);
    const pages = Math.max(1, Math.ceil(last / SHOWN.audit));
    const page = Math.min(pages, Math.max(1, Number.parseInt(wanted.log ?? "1", 10) || 1));
    return {
      wanted,
      now,
      stands,
      pulse: viewPulse({ now, stands, last, snapshots, journal }),
      organizations: cutViewRows(await listOverviewOrganizations(state, SHOWN.organizations + 1), SHOWN.organizations),
      organization,
      groups: overview.groups,
      ...(overview.next !== undefined && { nextGroup: overview.next }),
      opened: wanted.database ? await findDatabaseRowById(state, accessScope, wanted.database) : undefined,
      locations: await locationsIn(state),
      deletedGroups: { rows: deletedGroups.rows, more: deletedGroups.next !== undefined },
      deletedDatabases: { rows: deletedDatabases.rows, more: deletedDatabases.next !== undefined },
      members: cutViewRows(await listMemberRows(state, organization.id), SHOWN.members),
      tokens: cutViewRows(await listTokenRows(state, accessScope), SHOWN.tokens),
      audit: { ...(await listAuditLogRows(state, organization.id, { page, pageSize: SHOWN.audit })), page, pages },
      journal: journal.entries().slice(-SHOWN.journal).reverse(),
      snapshots,
      sql: api?.sql,
    };
  });
}

/** Returns a string that changes whenever the content of the page changes. */
export async function readViewPulse(wanted: Wanted, seen: Seen): Promise<string> {
  const { store, clock, journal } = seen;
  const stands = await clock.stands();
  const snapshots = await snapshotsForView(seen);
  return store.read(async (state) => {
    const organization = await (wanted.organization
      ? findOrganizationRow(state, { slug: wanted.organization })
      : firstOrganizationRow(state));
    const last = organization ? await lastAuditLogNumber(state, organization.id) : 0;
    return viewPulse({ now: await referenceClockNow(state), stands, last, snapshots, journal });
  });
}

/**
 * Returns a string that changes with the clock, the audit log, the snapshots and the journal. A running clock changes
 * the string only once a minute, because the page shows durations in minutes. The page's script updates the displayed
 * time.
 */
function viewPulse({
  now,
  stands,
  last,
  snapshots,
  journal,
}: {
  now: Date;
  stands: boolean;
  last: number;
  snapshots: readonly Snapshot[];
  journal: Journal;
}): string {
  const time = stands ? now.toISOString() : `runs ${Math.floor(now.getTime() / 60_000)}`;
  const latest = snapshots.reduce((most, { savedAt }) => (savedAt > most ? savedAt : most), "");
  return `${time} ${last} ${snapshots.length}${latest} ${journal.version()}`;
}

const cutViewRows = <Row>(rows: readonly Row[], limit: number): Cut<Row> => ({
  rows: rows.slice(0, limit),
  more: rows.length > limit,
});
