import { Document } from "yaml";
import { PlanId, Timeline } from "../../platform/contract/organization";
import { parseContent } from "../../platform/reference/seed/content";
import type { Mistake } from "../../platform/reference/seed/mistakes";
import { Seed } from "../../platform/reference/seed/seed";
import { isLocation, locationsExceptPrimary } from "../../platform/values/location";
import { textWithoutTokens } from "../client/http/answer";
import {
  apiToken,
  billingPlanReplaced,
  changedWhileRead,
  entryLeftOut,
  groupLocationAssumed,
  groupOfDatabaseMissing,
  inviteTo,
  LOG_ENTRIES,
  locationReplaced,
  notAsSeed,
  ownerAssumed,
  PLACEHOLDER_OWNER,
  seedOrigin,
} from "./messages";
import type { OrganizationReading } from "./reading";

type Organization = Seed["organizations"][number];
type SeedGroup = NonNullable<Organization["groups"]>[number];
type SeedDatabase = NonNullable<Organization["databases"]>[number];
type SeedToken = NonNullable<Organization["tokens"]>[number];

const USUAL_PLAN = "scaler";
const USUAL_LOCATION = { aws: "aws-us-east-1", fly: "ams" };

/** A seed, and sentences about everything that the seed lacks or replaces. */
export interface OrganizationSeed {
  readonly seed: Seed;
  readonly missing: readonly string[];
  readonly readAt: Date;
}

/**
 * Converts what was read of an organization to a seed with the same ids. Fields with their default value are left out.
 *
 * @throws Error if the reference API cannot hold the organization.
 */
export async function organizationSeed(reading: OrganizationReading): Promise<OrganizationSeed> {
  const missing = [...reading.missing];
  const note = (sentence: string) => void missing.push(sentence);
  const locations = Object.keys(reading.locations).some((code) => code.startsWith("aws-")) ? "aws" : "fly";
  const usualLocation = USUAL_LOCATION[locations];
  const groups = [...liveGroupsOf(reading), ...deletedGroupsOf(reading, usualLocation, note)].map((group) => ({
    ...group,
    ...replaceUnknownLocations(group, usualLocation, note),
  }));
  const members = membersOf(reading, note);
  const { slug, id, record } = reading;
  const whole: Seed = {
    users: usersOf(reading, members),
    ...(locations === "fly" && { locations }),
    organizations: [
      {
        slug,
        id,
        ...(isPersonal(reading) && { type: "personal" }),
        plan: planOf(reading, note),
        ...withoutDefaults({ plan_timeline: Timeline().safeParse(record?.plan_timeline).data }),
        ...withoutDefaults({ overages: record?.overages, require_mfa: record?.require_mfa }),
        ...(record?.restore_enabled === false && { restore_enabled: false }),
        members: members.map(({ username, role }) => ({ username, role })),
        ...withoutDefaults({
          groups,
          databases: databasesOf(reading, groups, note),
          invites: (reading.invites ?? []).map(({ id, email, role, created_at }) => ({ id, email, role, created_at })),
          tokens: tokensOf(reading, members, groups),
          audit_logs: reading.log.toReversed(),
        }),
      },
    ],
  };
  const unfit = mistakesIn(whole);
  const seed = unfit.length === 0 ? whole : withoutUnfitEntries(whole, unfit, note);
  const mistakes = unfit.length === 0 ? [] : mistakesIn(seed);
  if (mistakes.length > 0) {
    const cause = mistakes.map(({ text }) => `seed: ${text}`).join("\n");
    throw new Error(notAsSeed({ organization: slug, cause }));
  }
  return { seed, missing, readAt: reading.readAt };
}

type Note = (sentence: string) => void;

/** Names the entries of the lists that no database depends on. Entries of the log have no names. */
const OPTIONAL_ENTRIES: Readonly<Record<string, (entry: { readonly name: string; readonly email: string }) => string>> =
  {
    audit_logs: () => LOG_ENTRIES,
    invites: ({ email }) => inviteTo({ email: textWithoutTokens(email) }),
    tokens: ({ name }) => apiToken({ name: textWithoutTokens(name) }),
  };

const mistakesIn = (seed: Seed): readonly Mistake[] => parseContent(seed, Seed).mistakes ?? [];

/** Leaves out what the seed can lack and the reference API cannot hold, such as a text with a credential. */
function withoutUnfitEntries(seed: Seed, mistakes: readonly Mistake[], note: Note): Seed {
  const unfit = new Set<unknown>();
  const sentences = new Set<string>();
  for (const { path, message } of mistakes) {
    const [, organization, list, index] = path;
    const nameOf = OPTIONAL_ENTRIES[String(list)];
    const entries: readonly unknown[] | undefined = seed.organizations[Number(organization)]?.[list as "tokens"];
    const entry = entries?.[Number(index)];
    if (!nameOf || !entry) continue;
    unfit.add(entry);
    sentences.add(entryLeftOut({ objects: nameOf(entry as Parameters<typeof nameOf>[0]), cause: message }));
  }
  for (const sentence of sentences) note(sentence);
  const organizations = seed.organizations.map(({ audit_logs = [], invites = [], tokens = [], ...organization }) => ({
    ...organization,
    ...withoutDefaults({
      invites: invites.filter((entry) => !unfit.has(entry)),
      tokens: tokens.filter((entry) => !unfit.has(entry)),
      audit_logs: audit_logs.filter((entry) => !unfit.has(entry)),
    }),
  }));
  return { ...seed, organizations };
}

/** Returns the fields without those that have the default value: `false`, an empty text or list, or none. */
const withoutDefaults = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => (Array.isArray(value) ? value.length > 0 : Boolean(value))),
  ) as { [Name in keyof Fields]: NonNullable<Fields[Name]> };

const isPersonal = ({ slug, record, members }: OrganizationReading): boolean =>
  record?.type === "personal" || (record?.type === undefined && members?.length === 1 && members[0]?.username === slug);

function planOf({ record }: OrganizationReading, note: Note): Organization["plan"] {
  const plan = PlanId().safeParse(record?.plan_id).data;
  if (plan) return plan;
  const { plan_id: billingPlan } = record ?? {};
  note(billingPlanReplaced({ billingPlan, wanted: USUAL_PLAN }));
  return USUAL_PLAN;
}

function membersOf({ members }: OrganizationReading, note: Note): NonNullable<OrganizationReading["members"]> {
  if (members) return members;
  note(ownerAssumed({ username: PLACEHOLDER_OWNER }));
  return [{ username: PLACEHOLDER_OWNER, role: "owner" }];
}

/** Returns the members, and the former members who still have API tokens. */
function usersOf(
  { tokens = [], caller }: OrganizationReading,
  members: NonNullable<OrganizationReading["members"]>,
): Seed["users"] {
  const emails = new Map<string, string | undefined>(members.map(({ username, email }) => [username, email]));
  for (const { owner } of tokens) if (owner && !emails.has(owner.username)) emails.set(owner.username, owner.email);
  if (caller !== undefined && !emails.has(caller)) emails.set(caller, undefined);
  return [...emails].map(([username, email]) => ({ username, ...(email !== undefined && { email }) }));
}

const liveGroupsOf = ({ groups, deletedGroups }: OrganizationReading): SeedGroup[] => {
  const deleted = new Set(deletedGroups.map(({ uuid }) => uuid));
  const live = groups.filter(({ uuid }) => !deleted.has(uuid));
  return live.map(({ uuid, name, primary, locations, delete_protection, archived, version }) => ({
    name,
    uuid,
    location: primary,
    ...withoutDefaults({
      other_locations: locationsExceptPrimary(locations, primary),
      delete_protection,
      archived,
      version,
    }),
  }));
};

/** The location of a deleted group is that of the databases that were deleted with it. */
const deletedGroupsOf = (
  { deletedGroups: groups, deletedDatabases }: OrganizationReading,
  usualLocation: string,
  note: Note,
): SeedGroup[] =>
  groups.map(({ uuid, name, deleted_at }) => {
    const inside = deletedDatabases.filter(({ group_id }) => group_id === uuid);
    const location = inside[0]?.primaryRegion ?? usualLocation;
    if (inside.length === 0) note(groupLocationAssumed({ name, id: uuid, location }));
    const shared = inside
      .map(({ regions }) => regions)
      .reduce((one, other) => one.filter((code) => other.includes(code)), inside[0]?.regions ?? []);
    const other_locations = locationsExceptPrimary(shared, location);
    return { name, uuid, deleted_at, location, ...withoutDefaults({ other_locations }) };
  });

function replaceUnknownLocations({ name, location, other_locations = [] }: SeedGroup, wanted: string, note: Note) {
  const unknown = [location ?? wanted, ...other_locations].filter((code) => !isLocation(code));
  for (const code of unknown) note(locationReplaced({ kind: "group", name, location: code, wanted }));
  if (unknown.length === 0) return {};
  const known = other_locations.filter((code) => isLocation(code) && code !== wanted);
  return { location: location !== undefined && isLocation(location) ? location : wanted, other_locations: known };
}

function databasesOf(reading: OrganizationReading, groups: readonly SeedGroup[], note: Note): SeedDatabase[] {
  const { slug, databases, deletedDatabases } = reading;
  const deleted = new Set(deletedDatabases.map(({ DbId }) => DbId));
  const added = (regions: readonly string[], { location, other_locations = [] }: SeedGroup) =>
    regions.filter((code) => isLocation(code) && code !== location && !other_locations.includes(code));
  const live = databases
    .filter(({ DbId }) => !deleted.has(DbId))
    .map((database): SeedDatabase => {
      const { Name: name, DbId: uuid, group_id, group: groupName, regions, configuration } = database;
      const group = groups.find((one) =>
        group_id ? one.uuid === group_id : one.name === groupName && !one.deleted_at,
      );
      if (!group) throw new Error(changedWhileRead({ organization: slug }));
      const { parent, engine, version, sleeping, encryption_cipher } = database;
      return {
        name,
        uuid,
        group: referenceTo(group, groups),
        ...(parent && { parent: parent.id, parent_name: parent.name, branched_at: parent.branched_at }),
        ...withoutDefaults({ added_locations: added(regions, group) }),
        ...(engine === "tursodb" && { engine }),
        ...withoutDefaults({ encryption_cipher: encryption_cipher as SeedDatabase["encryption_cipher"] }),
        ...withoutDefaults({ version, sleeping }),
        ...withoutDefaults(configuration),
      };
    });
  const restorable = deletedDatabases.flatMap((database): SeedDatabase[] => {
    const { Name: name, DbId: uuid, group_id, group: groupName, regions } = database;
    const { delete_protection, deleted_at, group_deleted_at } = database;
    const group = groups.find((one) => one.uuid === group_id);
    if (!group) {
      note(groupOfDatabaseMissing({ name, id: uuid, groupName }));
      return [];
    }
    return [
      {
        name,
        uuid,
        group: group_id,
        ...withoutDefaults({ added_locations: added(regions, group), delete_protection }),
        ...(group.deleted_at === deleted_at && group_deleted_at === deleted_at
          ? {}
          : { deleted_at, ...withoutDefaults({ group_deleted_at }) }),
      },
    ];
  });
  return [...live, ...restorable];
}

/** Returns the name of a live group, or its UUID if the name would refer to another group or the group is deleted. */
const referenceTo = ({ name, uuid, deleted_at }: SeedGroup, groups: readonly SeedGroup[]): string =>
  deleted_at || groups.some((other) => other.uuid === name) ? (uuid ?? name) : name;

const tokensOf = (
  { tokens = [], caller }: OrganizationReading,
  members: NonNullable<OrganizationReading["members"]>,
  groups: readonly SeedGroup[],
): SeedToken[] =>
  tokens.map(({ id, name, owner, group: groupName, scopes, created_at }, index) => {
    const group = groups.find((one) => one.name === groupName && !one.deleted_at);
    return {
      name,
      id,
      user: owner?.username ?? caller ?? members[0]?.username ?? "",
      ...withoutDefaults({
        group: group ? referenceTo(group, groups) : groupName,
        scopes,
        created_at: created_at && orderedInstant(created_at, index),
      }),
      usable: false,
    };
  });

/**
 * Converts a date to an instant, or returns `undefined` if the text is no date. Tokens are listed by their time, so those
 * of one day get different times.
 */
function orderedInstant(date: string, index: number): string | undefined {
  const day = Date.parse(date);
  return Number.isNaN(day) ? undefined : new Date(day + index).toISOString();
}

const SCHEMA = "yaml-language-server: $schema=./node_modules/pulumi-dbplatform/dist/seed.schema.json";

/** Returns the text of a seed file. Its first lines say where the content comes from, and what is missing. */
export function seedFile({ seed, missing, readAt }: OrganizationSeed): string {
  const organization = seed.organizations[0]?.slug ?? "";
  const document = new Document(seed, { aliasDuplicateObjects: false });
  const comments = [SCHEMA, seedOrigin({ organization, readAt: readAt.toISOString() }), ...missing];
  // A control character could end the comment or change what a terminal shows.
  document.commentBefore = comments.map((line) => ` ${line.replaceAll(/\p{Cc}/gu, " ")}`).join("\n");
  return document.toString({ lineWidth: 0 });
}
