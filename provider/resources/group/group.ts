import * as z from "zod";
import type { Problem } from "../../../kit/field";
import { word } from "../../../kit/field";
import { firstPreflightFailure } from "../../../kit/preflight";
import { Refusal } from "../../../kit/refusal";
import { ALL_EXTENSIONS, EXTENSIONS } from "../../../platform/contract/group";
import { locationDescriptionsOn, locationProblem, locationsExceptPrimary } from "../../../platform/values/location";
import { nameLengthLimit, nameProblemIn } from "../../../platform/values/name";
import { sameSet } from "../../../platform/values/set";
import { permissionsFor, type Write } from "../../permissions/permissions";
import { field, resource } from "../../platform";
import { auditedBy } from "../drift-authors";
import { type ImportableKind, importIdProblem } from "../importable";
import { deletion, recoveryUnavailable, unrestorableDeletionTime, wasRestored } from "../restoration";
import { changedLocationSettings, changeGroup } from "./change";
import { eachDeletedGroup, groupRestoreFailure, restorableGroups, restoreDeletedGroup } from "./deleted-group";
import { findLiveGroup, groupsInRun, isGroupNameFree, liveGroupStateNamed } from "./live-groups";
import {
  EXTENSION_BESIDE_ALL,
  EXTENSIONS_CHANGE_ADVICE,
  groupNotLive,
  groupUnarchived,
  OLDER_LOCATION,
  WITH_DATABASES,
} from "./messages";
import {
  deletionObstacle,
  groupDeletionFailure,
  groupRenameFailure,
  locationFailure,
  olderLocationWarnings,
} from "./preflight";
import { type RecordedGroup, readGroup } from "./reading";
import { groupNames, groupStateOf } from "./state";

const Location = word({
  name: "Location",
  description: "A location of databases. The platform's own list is `GET /v1/locations` (`getLocations`).",
  values: { ...locationDescriptionsOn("aws"), ...locationDescriptionsOn("fly") },
  deprecated: Object.fromEntries(Object.keys(locationDescriptionsOn("fly")).map((code) => [code, OLDER_LOCATION])),
});

const Extension = z.enum([ALL_EXTENSIONS, ...EXTENSIONS]).meta({
  vocabulary: {
    name: "Extension",
    description: "An extension of the SQL engine.",
    values: {
      [ALL_EXTENSIONS]: "Every extension.",
      ...Object.fromEntries(EXTENSIONS.map((name) => [name, `The extension \`${name}\`.`])),
    },
  },
});

const changes: readonly Write[] = [
  { operation: "unarchiveGroup", sets: "archived" },
  { operation: "renameGroup", sets: "name" },
  { operation: "addGroupLocation", sets: "locations" },
  { operation: "removeGroupLocation", sets: "locations" },
  { operation: "updateGroupConfiguration", sets: "deleteProtection" },
];

const importable: ImportableKind = {
  kind: "group",
  idName: "UUID",
  live: async (name, context) => (await findLiveGroup(context, (one) => one.name === name))?.uuid,
  deleted: restorableGroups,
};

export const group = resource({
  type: "Group",
  description:
    "A group of databases in one location, or in more (which the platform has deprecated). If the group is deleted outside of Pulumi, the next preview shows it and the next update restores it with its databases, within five days. The option `import` with the UUID of any deleted group restores that group.",
  inputs: {
    name: field.plain(z.string(), {
      describe:
        "Name of the group: lowercase letters, digits and hyphens, unique in the organization. Changing it renames the group. Default: generated from the name of the resource.",
      describeOutput: "Name of the group.",
      valid: nameProblemIn,
    }),
    location: field.replaces(Location, {
      describe:
        "Code of the primary location (see `getLocations`). Codes of three letters are deprecated. Another location replaces the group and its databases by new ones without their data.",
      valid: locationProblem,
      warns: (code) => olderLocationWarnings([code]),
    }),
    locations: field.plain(z.array(Location).optional(), {
      describe:
        "Codes of further locations (edge replicas), in any order. If omitted, further locations are not managed; `[]` removes them. The platform has deprecated edge replicas: its official client marks adding and removing locations as deprecated.",
      default: [],
      warns: olderLocationWarnings,
      valid: (codes) =>
        codes
          .map((code, index) => ({ property: `locations[${index}]`, reason: locationProblem(code) }))
          .find((problem): problem is Problem => problem.reason !== undefined),
    }),
    extensions: field.createOnly(z.array(Extension).optional(), {
      describe:
        'Extensions of the SQL engine that the databases of the group have, or `["all"]`. Used only when the group is created or replaced, because the platform neither changes nor shows them; changing them later has no effect, and a warning says so.',
      instead: EXTENSIONS_CHANGE_ADVICE,
      valid(wanted) {
        const beside = wanted.findIndex((name) => name !== ALL_EXTENSIONS);
        return wanted.includes(ALL_EXTENSIONS) && beside >= 0
          ? { property: `extensions[${beside}]`, reason: EXTENSION_BESIDE_ALL }
          : undefined;
      },
      same: (wanted, observed = []) => sameSet(wanted, observed),
    }),
    deleteProtection: field.plain(z.boolean().optional(), {
      describe:
        "Whether the platform refuses to delete the group. Databases are protected one by one (`DatabaseConfiguration`); a group with a protected database cannot be deleted either. Default: false.",
      default: false,
    }),
    forceDestroy: field.local(z.boolean().optional(), {
      describe:
        "Whether deleting the group deletes all its databases, including those that this program does not declare. Takes effect once it has been applied. Default: false.",
      default: false,
    }),
  },
  outputs: {
    archived: field.upheld(z.boolean(), {
      describe:
        'Whether the platform has archived the group, so that its databases cannot be used. The next update unarchives it; to leave it archived, set `ignoreChanges: ["archived"]`.',
      value: false,
    }),
    organizationId: field.output(z.uuid(), { describe: "UUID of the organization that owns the group." }),
  },
  permissions: permissionsFor({
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
  importing: {
    name: "production",
    id: "<UUID>",
    description:
      "The id is the UUID of the group. `getGroups` and `dbplatform adopt` list the UUIDs of live groups, `getDeletedGroups` those of deleted ones. Importing a deleted group restores it with its databases.",
    problem: (id, context) => importIdProblem(id, importable, context),
  },
  // The primary location is implied, so `locations` may include or omit it.
  same: {
    locations: (wanted, observed = [], { location }) =>
      sameSet(locationsExceptPrimary(wanted, location), locationsExceptPrimary(observed, location)),
  },
  container: { remaining: (id, context) => deletionObstacle(id, context.now, context) },

  read: readGroup,

  async *list(context) {
    if (context.deleted)
      for await (const { uuid, name, deleted_at } of eachDeletedGroup(context))
        yield { id: uuid, name, deletedAt: deleted_at };
    else for (const { uuid, name } of await context.platform.organization.groups()) yield { id: uuid, name };
  },

  named: {
    within: "organization",
    longest: nameLengthLimit,
    async ids({ platform: { organization } }) {
      return new Set((await organization.groups("seconds")).map(({ uuid }) => uuid));
    },
    async find(name, context) {
      const { organization } = context.platform;
      if (context.maxAge === "seconds" && (await isGroupNameFree(name, context))) return undefined;
      const groups = await (context.maxAge === "run" ? groupsInRun(context) : organization.groups());
      return liveGroupStateNamed(name, groups, organization);
    },
  },

  // Checks locations first, because the platform would otherwise reject an unknown location only after the group is
  // created.
  async prepare(wanted, context) {
    const failure = wanted.locations && (await locationFailure(wanted, context));
    if (failure) throw new Refusal("invalid", { answer: failure.reason });
    return wanted;
  },

  async create({ name, location, extensions }, context) {
    const { api, organization } = context.platform;
    const organizationId = await organization.id();
    const body = { name, location, extensions: wireExtensions(extensions) };
    const { group } = await api.createGroup({ body });
    return { id: group.uuid, state: groupStateOf(group, organizationId) };
  },

  async update(id, changes, context) {
    const { archived, locations, deleteProtection, name } = changes;
    const { location, locations: now = [] } = context.now;
    const before = locationsExceptPrimary(now, location);
    const after = locations ? [...new Set(locationsExceptPrimary(locations, location))] : before;
    await changeGroup(id, { archived, before, after, deleteProtection, name }, context, (step) => context.done(step));
    return { ...changes, locations: after };
  },

  async delete(id, context) {
    const found = await findLiveGroup(context, ({ uuid }) => uuid === id);
    if (!found) throw new Refusal("absent", { answer: groupNotLive({ id }) });
    await context.platform.api.deleteGroup({ groupName: found.name });
  },

  checks: {
    create: locationFailure,
    update: (id, { locations, name }, context) =>
      firstPreflightFailure(
        () => (name === undefined ? undefined : groupRenameFailure(id, name, context)),
        () => (locations === undefined ? undefined : locationFailure({ locations }, context)),
      ),
    delete: (id, context) => groupDeletionFailure(id, context.now, context),
  },
  consequence: async (id, { archived }, { now }) =>
    archived === undefined ? "" : groupUnarchived({ name: now.name, id }),

  authorsOf: auditedBy<RecordedGroup>({
    subject: async (id, { name }) => ({ kind: "group", id, name }),
    settings(property, observed, before) {
      if (property !== "locations") return groupNames.wireName(property);
      const [now = [], then = []] = [observed, before].map((each) =>
        locationsExceptPrimary(each.locations ?? [], each.location),
      );
      return changedLocationSettings(now, then);
    },
  }),

  softDeleted: {
    ...deletion,
    brings: WITH_DATABASES,
    named: restorableGroups,
    lost: (name, context) => unrestorableDeletionTime("group", name, context),
    wasRestored: wasRestored("group"),
    unavailable: recoveryUnavailable,
    refused: (id, _inputs, context) => groupRestoreFailure(id, context),
    restore: async (id, _inputs, context) =>
      groupStateOf(await restoreDeletedGroup(id, context), await context.platform.organization.id()),
  },
});

/** Converts extensions to the wire format, in which the string `all` means every extension (wire-facts 2.2). */
const wireExtensions = (wanted: readonly z.output<typeof Extension>[] | undefined) =>
  wanted?.includes(ALL_EXTENSIONS) ? ALL_EXTENSIONS : wanted?.filter((name) => name !== ALL_EXTENSIONS);
