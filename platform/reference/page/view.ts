import {
  findOrganization,
  firstOrganization,
  listMembers,
  listOrganizations,
  type Member,
  type Organization,
} from "../credentials/membership";
import { listTokens, type Token } from "../credentials/tokens";
import type { Journal, JournalEntry } from "../journal/journal";
import { lastAuditLogNumber, listAuditLogs } from "../operations/audit-log";
import { type Database, findDatabaseById } from "../operations/database";
import { locationsIn } from "../operations/location";
import {
  type DeletedDatabaseRow,
  type DeletedGroupRow,
  listDeletedDatabases,
  listDeletedGroups,
  startOfWindow,
} from "../operations/recovery";
import { asRefusal } from "../refusal";
import type { Services } from "../services";
import type { Snapshot } from "../snapshots/snapshots";
import type { AuditLogRow } from "../store/schema";
import { clockNow } from "../time/clock";
import { type GroupOverview, overviewOf } from "./overview";

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

export interface ViewOptions {
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
  readonly wanted: ViewOptions;
  readonly now: Date;
  readonly stands: boolean;
  readonly pulse: string;
  readonly organizations: CutList<Organization>;
  readonly organization: Organization;
  readonly groups: readonly GroupOverview[];
  readonly nextGroup?: string;
  readonly opened?: Database;
  readonly deletedGroups: CutList<DeletedGroupRow>;
  readonly deletedDatabases: CutList<DeletedDatabaseRow>;
  readonly members: CutList<Member>;
  readonly tokens: CutList<Token>;
  readonly audit: { readonly rows: readonly AuditLogRow[]; readonly page: number; readonly pages: number };
  readonly journal: readonly JournalEntry[];
  /** Descriptions of the locations for new groups, by code. */
  readonly locations: Readonly<Record<string, string>>;
  readonly snapshots: readonly Snapshot[];
  /** Address of a database with the placeholder `{DbId}`; absent if the server has no SQL server. */
  readonly sql?: string | undefined;
}

interface CutList<Row> {
  readonly rows: readonly Row[];
  readonly more: boolean;
}

type ViewSources = Pick<Services, "store" | "clock" | "journal" | "api">;

/** Returns no snapshots if their folder cannot be read, because that must not hide the rest of the page. */
async function readableSnapshots({ api }: ViewSources): Promise<readonly Snapshot[]> {
  try {
    return (await api?.snapshots()) ?? [];
  } catch (thrown) {
    if (asRefusal(thrown)) return [];
    throw thrown;
  }
}

/** Reads the data of the page, or returns `undefined` if the organization does not exist. */
export async function readView(wanted: ViewOptions, seen: ViewSources): Promise<View | undefined> {
  const { store, clock, journal, api } = seen;
  const stands = await clock.stands();
  const snapshots = await readableSnapshots(seen);
  return store.read(async (state) => {
    const organization = wanted.organization
      ? await findOrganization(state, { slug: wanted.organization })
      : await firstOrganization(state);
    if (!organization) return undefined;
    const now = await clockNow(state);
    const accessScope = { organization };
    const since = startOfWindow(now);
    const overview = await overviewOf(state, organization, {
      ...wanted,
      groups: SHOWN.groups,
      databases: wanted.group === undefined ? SHOWN.databases : SHOWN.databasesOfOne,
    });
    const among = { since, limit: SHOWN.deleted, ...(wanted.search && { search: wanted.search }) };
    const deletedGroups = await listDeletedGroups(state, accessScope, among);
    const deletedDatabases = await listDeletedDatabases(state, accessScope, among);
    const last = await lastAuditLogNumber(state, organization.id);
    const pages = Math.max(1, Math.ceil(last / SHOWN.audit));
    const page = Math.min(pages, Math.max(1, Number.parseInt(wanted.log ?? "1", 10) || 1));
    return {
      wanted,
      now,
      stands,
      pulse: pulseOf({ now, stands, last, snapshots, journal }),
      organizations: cutRows(await listOrganizations(state, SHOWN.organizations + 1), SHOWN.organizations),
      organization,
      groups: overview.groups,
      ...(overview.next !== undefined && { nextGroup: overview.next }),
      opened: wanted.database ? await findDatabaseById(state, accessScope, wanted.database) : undefined,
      locations: await locationsIn(state),
      deletedGroups: { rows: deletedGroups.rows, more: deletedGroups.next !== undefined },
      deletedDatabases: { rows: deletedDatabases.rows, more: deletedDatabases.next !== undefined },
      members: cutRows(await listMembers(state, organization.id), SHOWN.members),
      tokens: cutRows(await listTokens(state, accessScope), SHOWN.tokens),
      audit: { ...(await listAuditLogs(state, organization.id, { page, pageSize: SHOWN.audit })), page, pages },
      journal: journal.entries().slice(-SHOWN.journal).reverse(),
      snapshots,
      sql: api?.sql,
    };
  });
}

/** Returns a string that changes whenever the content of the page changes. */
export async function readPulse(wanted: ViewOptions, seen: ViewSources): Promise<string> {
  const { store, clock, journal } = seen;
  const stands = await clock.stands();
  const snapshots = await readableSnapshots(seen);
  return store.read(async (state) => {
    const organization = await (wanted.organization
      ? findOrganization(state, { slug: wanted.organization })
      : firstOrganization(state));
    const last = organization ? await lastAuditLogNumber(state, organization.id) : 0;
    return pulseOf({ now: await clockNow(state), stands, last, snapshots, journal });
  });
}

/**
 * Returns a string that changes with the clock, the audit log, the snapshots and the journal. A running clock changes
 * the string only once a minute, because the page shows durations in minutes. The page's script updates the displayed
 * time.
 */
function pulseOf({
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

const cutRows = <Row>(rows: readonly Row[], limit: number): CutList<Row> => ({
  rows: rows.slice(0, limit),
  more: rows.length > limit,
});
