import { Refusal, unlessAbsent } from "../../../kit/refusal";
import { firstFailure, type PreflightFailure } from "../../../kit/resource/preflight";
import type { Problem } from "../../../kit/resource/traits";
import { locationProblem } from "../../../platform/values/location";
import { longestName, nameProblemIn } from "../../../platform/values/name";
import { sameSet } from "../../../platform/values/set";
import { canonicalUuid, isUuid } from "../../../platform/values/uuid";
import { requires, type Write } from "../../permissions/permissions";
import { definition, type PlatformContext } from "../../platform";
import { deletedDatabasesIn } from "../deleted-databases";
import { deletedBy, lostAt, restorableUntil } from "../deletion";
import { idSpelling, nameInsteadOfId, objectNotFound, restorableUnseen } from "../messages";
import { adviceForHidden, hiddenDeletion, recoveryUnavailable } from "../restoration";
import { changeGroup, locationSettings } from "./change";
import {
  type DeletedGroup,
  deletedGroups,
  describeGroupDeletion,
  findDeletedGroup,
  groupRestoreFailure,
  locationOfMembers,
  recentlyDeletedGroup,
  restorableGroups,
  restoreGroup,
} from "./deleted-group";
import { extensionsTraits, wireExtensions } from "./extensions";
import { groupNotLive, groupUnarchived, RESTORED_WITH } from "./messages";
import { deletionFailure, locationMissing, nameTaken, whatRemains } from "./preflight";
import { assertSeesGroup, findLiveGroup, isRecentlyFree, recentlyLive } from "./reference";
import { args, type GroupArgs, type GroupState, groupNames, type LiveRecord, others, state, stateOf } from "./state";

const codes = (problemOf: (code: string) => string | undefined) => (list: readonly string[]) =>
  list
    .map((code, index) => ({ property: `locations[${index}]`, reason: problemOf(code) }))
    .find((problem): problem is Problem => problem.reason !== undefined);

const changes: readonly Write[] = [
  { operation: "unarchiveGroup", sets: "archived" },
  { operation: "renameGroup", sets: "name" },
  { operation: "addGroupLocation", sets: "locations" },
  { operation: "removeGroupLocation", sets: "locations" },
  { operation: "updateGroupConfiguration", sets: "deleteProtection" },
];

/** The result of a group lookup: the live or deleted record, or the reason why deleted groups cannot be listed. */
interface Found {
  readonly live?: LiveRecord;
  readonly deleted?: DeletedGroup;
  readonly hidden?: PreflightFailure;
}

export const group = definition<GroupArgs, GroupState>({
  type: "Group",
  description:
    "A group of databases in one location, or in more (which the platform has deprecated). If the group is deleted outside of Pulumi, the next preview shows it and the next update restores it with its databases, within five days. The option `import` with the UUID of any deleted group restores that group.",
  importing: {
    name: "production",
    id: "<UUID>",
    description:
      "The id is the UUID of the group. `getGroups` and `dbplatform-adopt` list the UUIDs of live groups, `getDeletedGroups` those of deleted ones. Importing a deleted group restores it with its databases.",
  },
  permissions: requires({
    read: ["listGroups"],
    create: [
      "createGroup",
      { operation: "addGroupLocation", sets: "locations" },
      { operation: "updateGroupConfiguration", sets: "deleteProtection" },
    ],
    update: changes,
    delete: ["deleteGroup"],
    restore: ["restoreGroup", ...changes],
  }),
  args,
  state,
  traits: {
    name: {
      semantics: { validate: nameProblemIn },
    },
    location: { requiresReplace: true, semantics: { validate: locationProblem } },
    locations: {
      default: [],
      semantics: {
        validate: codes(locationProblem),
        // The primary location is implied, so `locations` may include or omit it.
        semanticallyEqual: (wanted, observed = [], { location }) =>
          sameSet(others(wanted, location), others(observed, location)),
      },
    },
    extensions: extensionsTraits,
    deleteProtection: { default: false },
    forceDestroy: { local: true, default: false },
  },

  async identify(id, context) {
    if (isUuid(id)) return undefined;
    const uuid = canonicalUuid(id);
    if (uuid) return idSpelling("UUID", uuid);
    const named = await findLiveGroup(context, (record) => record.name === id);
    const deleted = await restorableGroups(id, context);
    const found = { name: id, live: named?.uuid, deleted, pinnedTo: context.platform.credential.groupId };
    return nameInsteadOfId({ kind: "group", idName: "UUID", ...found });
  },

  async read(id, known, from, context) {
    const { organization } = context.platform;
    const { live, deleted, hidden } =
      (from === "snapshot" && (await recently(id, context))) || (await now(id, context));
    const organizationId = await organization.id();
    if (live) return { status: "live", state: stateOf(live, organizationId) };
    const unseen = hidden && known && hiddenDeletion(known, context);
    if (unseen)
      return {
        status: "deleted",
        state: { ...known, ...unseen, organizationId },
        message: restorableUnseen("group", known.name, id, hidden.reason),
      };
    if (!deleted)
      return {
        status: "absent",
        ...(hidden ? { advice: adviceForHidden(hidden) } : {}),
        isHidden: hidden?.isOfCredential === true,
        message: objectNotFound({
          kind: "group",
          id,
          organization: organization.slug,
          isKnown: known !== undefined,
          hiddenBecause: hidden?.reason,
        }),
      };
    const { name, deleted_at } = deleted;
    const members = await deletedDatabasesIn(id, from === "snapshot" ? "seconds" : "now", context);
    // The record of a deleted group is incomplete, so the missing properties come from the state or from the group's
    // databases.
    const times = { deletedAt: deleted_at, restorableUntil: restorableUntil(deleted_at) };
    const state = { ...locationOfMembers(members), ...known, name, ...times, organizationId } as GroupState;
    // Without a recorded state, the group is being imported or looked up. Its deletion is then not drift, so the
    // message does not say who deleted the group.
    const by = known && (await deletedBy({ kind: "group", id, name }, deleted_at, context));
    return { status: "deleted", state, message: await describeGroupDeletion(deleted, members, by, context) };
  },

  async *list({ deleted }, context) {
    const { organization } = context.platform;
    if (deleted)
      for await (const { uuid, name, deleted_at } of deletedGroups(context))
        yield { id: uuid, name, deletedAt: deleted_at };
    else for (const { uuid, name } of await organization.groups()) yield { id: uuid, name };
  },

  named: {
    longest: longestName,
    async recentIds({ platform: { organization } }) {
      return new Set((await organization.recentGroups()).items.map(({ uuid }) => uuid));
    },

    async findByName({ name }, context, from) {
      const {
        platform: { organization },
        run,
      } = context;
      if (from === "snapshot" && (await isRecentlyFree(name, context))) return undefined;
      const groups = await (from === "run" ? run.once("groups", () => organization.groups()) : organization.groups());
      const found = groups.find((record) => record.name === name);
      return found && { id: found.uuid, state: stateOf(found, await organization.id()) };
    },
  },

  // Checks locations first, because the platform would otherwise reject an unknown location only after the group is
  // created.
  async prepare(wanted, context) {
    const missing = wanted.locations && (await locationMissing(wanted, context));
    if (missing) throw new Refusal("invalid", { answer: missing.reason });
    return wanted;
  },

  async create({ name, location, extensions }, context) {
    const { api, organization } = context.platform;
    const organizationId = await organization.id();
    const body = { name, location, extensions: extensions && wireExtensions(extensions) };
    const { group } = await api.createGroup({ body });
    return { id: group.uuid, state: stateOf(group, organizationId) };
  },

  restorable: {
    brings: RESTORED_WITH,
    deletedNamed: restorableGroups,
    lostNamed: (name, context) => lostAt("group", name, context),
    unavailable: recoveryUnavailable,
    preflight: groupRestoreFailure,
    async restore(id, _deleted, _args, context) {
      return stateOf(await restoreGroup(id, context), await context.platform.organization.id());
    },
  },

  async update(id, observed, { archived, locations, deleteProtection, name }, context, completed) {
    const before = others(observed.locations ?? [], observed.location);
    const after = locations ? [...new Set(others(locations, observed.location))] : before;
    await changeGroup(id, { archived, before, after, deleteProtection, name }, context, completed);
    return {
      ...observed,
      locations: after,
      ...(archived === undefined ? {} : { archived }),
      ...(deleteProtection === undefined ? {} : { deleteProtection }),
      ...(name === undefined ? {} : { name }),
    };
  },

  async delete(id, _observed, context) {
    const { api } = context.platform;
    const found = await findLiveGroup(context, ({ uuid }) => uuid === id);
    if (!found) throw new Refusal("absent", { answer: groupNotLive(id) });
    await api.deleteGroup({ groupName: found.name });
  },

  container: { remaining: whatRemains },

  audited: {
    subject: async (id, { name }) => ({ kind: "group", id, name }),
    settings(property, observed, before) {
      if (property !== "locations") return groupNames.wireName(property);
      const [now = [], then = []] = [observed, before].map((each) => others(each.locations ?? [], each.location));
      return locationSettings(now, then);
    },
  },

  preflight: {
    create: (wanted, context) => locationMissing(wanted, context),
    update: (id, _observed, { locations, name }, context) =>
      firstFailure(
        () => (name === undefined ? undefined : nameTaken(id, name, context)),
        () => (locations === undefined ? undefined : locationMissing({ locations }, context)),
      ),
    consequence: async (id, { name }, { archived }) => (archived === undefined ? "" : groupUnarchived(name, id)),
    delete: (id, { name, forceDestroy }, context) => deletionFailure(id, { name, forceDestroy }, context),
  },
});

/** Finds a group in lists that may be a few seconds old. A group that is missing from these lists may still exist. */
async function recently(id: string, context: PlatformContext): Promise<Found | undefined> {
  const live = await recentlyLive(id, context);
  if (live) return { live };
  const deleted = await recentlyDeletedGroup(id, context);
  return deleted && { deleted };
}

async function now(id: string, context: PlatformContext): Promise<Found> {
  const live = (await findLiveGroup(context, ({ uuid }) => uuid === id)) ?? (await retrieve(id, context));
  if (live) return { live };
  assertSeesGroup(id, context);
  return findDeletedGroup(id, context);
}

/** Requests the group itself, because a group that is missing from a list may still exist. */
async function retrieve(id: string, { platform: { api } }: PlatformContext): Promise<LiveRecord | undefined> {
  const answer = await api.retrieveGroupById({ groupId: id }).catch(unlessAbsent);
  return answer?.group;
}
