import { expandScopes } from "../../values/scope";
import { mintCredential, newUser, organizationOrFirst } from "../credentials/credential";
import { firstOrganization } from "../credentials/membership";
import { type Minting, newToken } from "../credentials/mint";
import { databaseUuidOn } from "../ids";
import { auditLogCounterOf } from "../operations/audit-log";
import { configurationColumns } from "../operations/configuration";
import { NEW_DATABASE } from "../operations/database";
import { type Group, NEW_GROUP } from "../operations/group";
import { NEW_ORGANIZATION } from "../operations/organization";
import { asFlag, type State } from "../store/schema";
import { changeSetting } from "../store/settings";
import type { Store } from "../store/store";
import { Clock, clockNow } from "../time/clock";
import { entryNamed } from "./entry-named";
import { NOW } from "./moment";
import { rememberSeedForReset, rememberStartForReset } from "./reset";
import type { CompleteOrganization, CompleteSeed } from "./seed";
import { insertRows, noRows, type Rows } from "./store-rows";

type Texts = Record<string, string>;

/**
 * Access to the SQL server, which runs the `sql` field of each seeded database. Available only with the option `sql`.
 */
export interface SeedContents {
  loadSeed(database: {
    readonly id: string;
    readonly name: string;
    readonly text: string;
    readonly now: string;
  }): Promise<void>;
}

/** Inserts the seed into an empty store. Returns `undefined` and changes nothing if the store already holds data. */
export function insertSeed(
  store: Store,
  minting: Minting,
  { seed, contents }: { readonly seed: CompleteSeed; readonly contents?: SeedContents | undefined },
): Promise<Texts | undefined> {
  return store.transaction([], async (state) => {
    if (await firstOrganization(state)) return undefined;
    const inviteIds = seed.organizations.flatMap(({ invites }) => invites.map(({ id = 0 }) => id));
    const insertion: Insertion = {
      state,
      minting,
      rows: noRows(),
      userIds: new Map(),
      texts: {},
      nextInvite: Math.max(0, ...inviteIds) + 1,
      sql: new Map(),
    };
    for (const user of seed.users) {
      const row = await newUser(state, minting.ids, user);
      insertion.rows.users.push(row);
      insertion.userIds.set(row.username, row.id);
    }
    for (const [index, organization] of seed.organizations.entries())
      await insertOrganization(insertion, organization, index + 1);
    insertion.rows.counters.push({ name: "organizations", value: seed.organizations.length });
    insertion.rows.counters.push({ name: "invites", value: insertion.nextInvite - 1 });
    await changeSetting(state, "locations", seed.locations);
    await changeSetting(state, "rejected-on-aws", JSON.stringify(seed.rejected_on_aws));
    await insertRows(state, insertion.rows);
    await rememberSeedForReset(state, insertion.rows);
    const now = (await clockNow(state)).toISOString();
    for (const [id, { name, text }] of insertion.sql) await contents?.loadSeed({ id, name, text, now });
    return insertion.texts;
  });
}

interface Insertion {
  readonly state: State;
  readonly minting: Minting;
  readonly rows: Rows;
  readonly userIds: Map<string, string>;
  readonly texts: Texts;
  /** The smallest number that is larger than the ids of all invites. */
  nextInvite: number;
  /** The `sql` of databases, by DbId. */
  readonly sql: Map<string, { readonly name: string; readonly text: string }>;
}

interface Home {
  readonly id: string;
  readonly number: number;
  findGroup(wanted: string): Group | undefined;
}

async function insertOrganization(
  insertion: Insertion,
  organization: CompleteOrganization,
  number: number,
): Promise<void> {
  const { rows, userIds, state, minting } = insertion;
  const { slug, type, plan, plan_timeline = "", overages, require_mfa, restore_enabled } = organization;
  const { members, groups, databases } = organization;
  const id = organization.id ?? (await minting.ids.uuid(state));
  rows.organizations.push({
    ...NEW_ORGANIZATION,
    id,
    number,
    slug,
    name: slug,
    type,
    plan,
    plan_timeline,
    overages: asFlag(overages),
    require_mfa: asFlag(require_mfa),
    restore_enabled: asFlag(restore_enabled),
    stripe_id: "",
  });
  for (const { username, role } of members)
    rows.members.push({ organization_id: id, user_id: userIds.get(username) ?? "", role });

  const wentWith = databases.flatMap((each) => {
    const home = entryNamed(groups, each.group);
    return wentWithGroup(each, home?.deleted_at) ? [home] : [];
  });
  const inserted = new Map<(typeof groups)[number], Group>();
  for (const group of groups) {
    const cascade = wentWith.filter((home) => home === group).length;
    inserted.set(group, {
      ...NEW_GROUP,
      id: group.uuid ?? (await minting.ids.uuid(state)),
      organization_id: id,
      name: group.name,
      location: group.location,
      other_locations: JSON.stringify(group.other_locations),
      delete_protection: asFlag(group.delete_protection),
      archived: asFlag(group.archived),
      ...(group.version !== undefined && { version: group.version }),
      deleted_at: group.deleted_at ?? null,
      cascade_databases: group.deleted_at ? cascade : 0,
    });
  }
  rows.groups.push(...inserted.values());
  const findGroup = (wanted: string): Group | undefined => {
    const group = entryNamed(groups, wanted);
    return group && inserted.get(group);
  };
  insertAuditLogs(insertion, organization, id);
  for (const { id: number, ...invite } of organization.invites)
    rows.invites.push({ ...invite, organization_id: id, number: number ?? insertion.nextInvite++ });
  await insertDatabases(insertion, organization, { id, number, findGroup });
  await insertTokens(insertion, organization, { id, number, findGroup });
}

function insertAuditLogs({ rows }: Insertion, { audit_logs }: CompleteOrganization, organizationId: string): void {
  for (const [index, { data, ...entry }] of audit_logs.entries())
    rows.audit_logs.push({
      ...entry,
      organization_id: organizationId,
      number: index + 1,
      data: JSON.stringify(data),
    });
  rows.counters.push({ name: auditLogCounterOf(organizationId), value: audit_logs.length });
}

/** Returns whether a database was deleted when its group was. */
const wentWithGroup = (
  { deleted_at, group_deleted_at }: Pick<CompleteOrganization["databases"][number], "deleted_at" | "group_deleted_at">,
  groupDeletedAt: string | undefined,
): boolean => deleted_at === undefined || (group_deleted_at !== undefined && group_deleted_at === groupDeletedAt);

async function insertDatabases(
  { rows, state, minting, sql }: Insertion,
  { databases }: CompleteOrganization,
  home: Home,
) {
  const ids = new Map<(typeof databases)[number], string>();
  for (const database of databases)
    ids.set(database, database.uuid ?? databaseUuidOn(database.engine, await minting.ids.uuid(state)));
  for (const database of databases) {
    const { uuid: _, name, group: groupName, parent: parentName, ...rest } = database;
    const { parent_name, branched_at, added_locations, encryption_cipher, deleted_at, group_deleted_at } = rest;
    const { storage_bytes, engine, version, sleeping, sql: text } = rest;
    if (text !== undefined) sql.set(ids.get(database) ?? "", { name, text });
    const group = home.findGroup(groupName);
    const parent = parentName === undefined ? undefined : entryNamed(databases, parentName);
    rows.databases.push({
      ...NEW_DATABASE,
      id: ids.get(database) ?? "",
      organization_id: home.id,
      group_id: group?.id ?? "",
      name,
      ...configurationColumns(rest),
      storage_bytes,
      engine,
      ...(version !== undefined && { version }),
      sleeping: asFlag(sleeping),
      added_locations: JSON.stringify(added_locations),
      encryption_cipher: encryption_cipher ?? null,
      parent_id: (parent && ids.get(parent)) ?? parentName?.toLowerCase() ?? null,
      parent_name: parent_name ?? parent?.name ?? null,
      branched_at: parentName === undefined ? null : (branched_at ?? NOW),
      deleted_at: deleted_at ?? group?.deleted_at ?? null,
      group_deleted_at: deleted_at ? (group_deleted_at ?? null) : (group?.deleted_at ?? null),
      returns_with_group: asFlag(group?.deleted_at != null && wentWithGroup(database, group.deleted_at)),
    });
  }
}

async function insertTokens(
  { rows, state, minting, userIds, texts }: Insertion,
  { tokens }: CompleteOrganization,
  home: Home,
) {
  for (const { id, name, user, group, scopes, created_at, usable } of tokens) {
    const { row, token } = await newToken(state, minting, {
      name,
      userId: userIds.get(user) ?? "",
      organization: home,
      group: group === undefined ? undefined : home.findGroup(group),
      scopes: scopes && expandScopes(scopes),
      createdAt: created_at,
    });
    rows.tokens.push({ ...row, id: id ?? row.id });
    if (usable) texts[name] = token;
  }
}

interface Beginning {
  readonly seed: CompleteSeed;
  readonly now: string | Date | undefined;
  readonly contents: SeedContents | undefined;
}

/**
 * Prepares a newly opened store for requests: sets the clock, inserts the seed if the store is empty, and mints
 * credentials.
 */
export async function insertSeedAndCredentials(store: Store, minting: Minting, { seed, now, contents }: Beginning) {
  if (now !== undefined) await new Clock(store).set(now);
  const tokens = await insertSeed(store, minting, { seed, contents });
  const { slug, id } = await organizationOrFirst(store, undefined);
  const also = (state: State, tokenId: string) => rememberStartForReset(state, { tokenId, now });
  return {
    organization: slug,
    organizationId: id,
    apiToken: await mintCredential(store, minting, { also }),
    unrestrictedToken: await mintCredential(store, minting, { organization: null, also }),
    tokens: tokens ?? {},
    seeded: tokens !== undefined,
  };
}
