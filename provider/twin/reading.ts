import { isRefusal, unlessAbsent } from "../../kit/refusal";
import type { Operation } from "../../platform/contract/api";
import { firstItems } from "../client/pages";
import { inParallel } from "../in-parallel";
import { explainAccess, rolePermissionFailure, tokenUser } from "../permissions/permissions";
import type { PlatformContext } from "../platform";
import { eachLiveDatabase } from "../resources/database/live-databases";
import { readEveryDeletedDatabase } from "../resources/deleted-databases";
import { readEveryDeletedGroup } from "../resources/group/deleted-group";
import { LISTING_ALL_TOKENS, listMissing, ORGANIZATION_SETTINGS, TOKENS_OF_OTHERS } from "./messages";

/** How many configurations are requested at once. */
const AT_ONCE = 16;

/** How many of the latest entries of the audit log are read. Messages of previews name authors from these. */
const MOST_LOG_ENTRIES = 1000;

/** Everything that the API token may read of an organization. A list is `undefined` if the token may not read it. */
export type OrganizationReading = Awaited<ReturnType<typeof readOrganization>>;

/**
 * Reads an organization. Sends read requests only. Reads what lives before what is deleted, so that an object that is
 * deleted meanwhile is in one of the two lists at least.
 */
export async function readOrganization(context: PlatformContext) {
  const { api, organization, clock } = context.platform;
  const missing: string[] = [];
  const unlessForbidden = <Result>(objects: string, operation: Operation, read: () => Promise<Result>) =>
    explainAccess(operation, context, read).catch((refusal: unknown) => {
      if (!isRefusal(refusal, "forbidden")) throw refusal;
      missing.push(listMissing({ objects, cause: refusal.message }));
      return undefined;
    });

  const id = await organization.id();
  const record = await unlessForbidden(ORGANIZATION_SETTINGS, "retrieveOrganization", () => organization.record());
  const readAt = new Date(clock.now());
  const { locations } = await api.listLocations();
  const members = await unlessForbidden("members", "listMembers", () => api.listMembers());
  const invites = await unlessForbidden("invites", "listInvites", () => api.listInvites());
  const tokens = await unlessForbidden("API tokens", "listApiTokens", () => api.listApiTokens());
  const caller = await tokenUser(context);
  const tooLow = tokens && (await rolePermissionFailure(LISTING_ALL_TOKENS, context));
  if (tooLow) missing.push(listMissing({ objects: TOKENS_OF_OTHERS, cause: tooLow.reason }));

  const { items } = await firstItems(eachLiveDatabase(context));
  const groups = await organization.groups();
  const configurations = await inParallel(items, AT_ONCE, ({ Name }) =>
    api.retrieveDatabaseConfiguration({ databaseName: Name }).catch(unlessAbsent),
  );
  const deletedDatabases = await unlessForbidden("deleted databases", "listDeletedDatabases", () =>
    readEveryDeletedDatabase(context),
  );
  const deletedGroups = await unlessForbidden("deleted groups", "listDeletedGroups", () =>
    readEveryDeletedGroup(context),
  );
  const log = await unlessForbidden("the audit log", "listAuditLogs", () =>
    api.listAuditLogs({ query: { page: 1, page_size: MOST_LOG_ENTRIES } }),
  );
  return {
    slug: organization.slug,
    id,
    record,
    readAt,
    locations,
    members: members?.members,
    invites: invites?.invites,
    tokens: tokens?.tokens,
    /** Username of the API token's user. */
    caller: caller?.username,
    groups,
    databases: items.flatMap((database, index) => {
      const configuration = configurations[index];
      return configuration ? [{ ...database, configuration }] : [];
    }),
    deletedDatabases: deletedDatabases ?? [],
    deletedGroups: deletedGroups ?? [],
    /** The latest entries of the audit log, latest first. */
    log: log?.audit_logs ?? [],
    missing,
  };
}
