import * as z from "zod";
import type { PreflightFailure } from "../../../kit/preflight";
import { Refusal } from "../../../kit/refusal";
import type { ReadContext } from "../../../kit/resource";
import type { ReadResult } from "../../../kit/results";
import { isCanonicalUuid } from "../../../platform/values/uuid";
import { declaredOperationsOf, permissionsFor } from "../../permissions/permissions";
import { field, type Platform, type PlatformContext, resource } from "../../platform";
import { database } from "../database/database";
import { databaseId, referencedDatabase, referencedDatabaseFailure } from "../database/reference";
import { group } from "../group/group";
import { databasesInGroup } from "../group/live-groups";
import { groupIdOrName, referencedGroupFailure, sameGroup, withGroup } from "../group/reference";
import { readThroughOwner } from "../owner";
import { firstTriggersRecorded, keyRotation, ROTATION_OWNER, rotationIdInvalid } from "./messages";

const FIRST = "0";
const SHOWN_DATABASES = 20;

export const signingKeyRotation = resource({
  type: "SigningKeyRotation",
  description:
    "Rotates the signing key of a database, or of a group and all its databases, whenever a trigger changes. A rotation ends every token that was issued for them, including tokens that this program does not declare; the preview says so. Creating or deleting this resource changes nothing on the platform.",
  inputs: {
    database: field.replaces(z.string().optional(), {
      describe:
        "DbId (`database.dbId`) of the database whose key is rotated. Give either `database` or `group`. Another database replaces this resource, which rotates no key.",
      ...databaseId,
    }),
    group: field.replaces(z.string().optional(), {
      describe:
        "The group whose key is rotated together with the keys of all its databases: its UUID (`group.id`) or its name. Give either `database` or `group`. Another group replaces this resource, which rotates no key.",
      ...groupIdOrName,
    }),
    triggers: field.trigger(z.record(z.string(), z.string()).optional(), {
      describe:
        "Any values. When one of them changes, the key is rotated. The first values are only recorded. They are never sent to the platform.",
      default: {},
      atFirst: (hasValue) => firstTriggersRecorded({ hasValue }),
    }),
  },
  outputs: {
    generation: field.output(z.string(), {
      describe:
        'How often this resource has rotated the key, beginning with "0". Put it among the `keepers` of a token to issue a new token after each rotation, in the same update.',
    }),
    groupId: field.output(z.uuid(), { describe: "UUID of the group, or of the group that holds the database." }),
    groupName: field.output(z.string().optional(), {
      describe: "Name of the group, if the key of a group is rotated.",
    }),
    organizationId: field.output(z.uuid(), { describe: "UUID of the organization." }),
  },
  permissions: permissionsFor({
    read: [...declaredOperationsOf(group).read, ...declaredOperationsOf(database).read],
    update: [
      { operation: "rotateDatabaseTokens", sets: "triggers", has: "database" },
      { operation: "rotateGroupTokens", sets: "triggers", has: "group" },
    ],
  }),
  importing: {
    name: "orders",
    id: "<DbId>",
    description: "The id is the DbId of the database, or the UUID of the group.",
    async problem(id, context) {
      if (isCanonicalUuid(id)) return undefined;
      return rotationIdInvalid({ reason: String(await database.identify(id, context)) });
    },
  },
  same: { group: sameGroup },
  moves: { triggers: ["generation"] },

  valid: (wanted) =>
    (wanted.database === undefined) === (wanted.group === undefined)
      ? { property: "database", reason: ROTATION_OWNER }
      : undefined,

  read: readRotation,

  // The resource has no `list`, because the platform keeps no record of rotations.

  async create(wanted, context) {
    const organizationId = await context.platform.organization.id();
    const own = { generation: FIRST, organizationId };
    if (wanted.group === undefined) {
      const owner = await referencedDatabase(String(wanted.database), context);
      return { id: owner.database, state: { ...owner, group: undefined, groupName: undefined, ...own } };
    }
    return withGroup(wanted.group, context, async ({ uuid, name }) => ({
      id: uuid,
      state: { database: undefined, group: uuid, groupId: uuid, groupName: name, ...own },
    }));
  },

  async update(id, _changes, context) {
    const { now, platform } = context;
    // Looks up the owner again, because the name from an earlier list may now belong to another object.
    const owner = await rotatedOwner(id, now, context);
    if (owner.status !== "live") throw new Refusal("absent", { answer: owner.message });
    const name = ownerName(owner);
    if (now.group === undefined) await platform.api.rotateDatabaseTokens({ databaseName: name });
    else await platform.api.rotateGroupTokens({ groupName: name });
    return { generation: String(Number(now.generation) + 1) };
  },

  async delete() {},

  checks: {
    create: rotatedOwnerFailure,
    update: (id, _changes, context) =>
      rotatedOwnerFailure(context.now.group === undefined ? { database: id } : { group: id }, context),
  },

  async consequence(id, _changes, context) {
    const { now } = context;
    const owner = await rotatedOwner(id, now, context);
    const name = ownerName(owner);
    if (now.group === undefined) return keyRotation({ kind: "database", name, id });
    const databases = owner.status === "live" ? await databasesInGroup(name, context) : [];
    const shown = databases.slice(0, SHOWN_DATABASES).map(({ Name, DbId }) => ({ name: Name, id: DbId }));
    return keyRotation({ kind: "group", name, id, contained: shown, more: databases.length - shown.length });
  },
});

interface Rotated {
  readonly database: string | undefined;
  readonly group: string | undefined;
  readonly generation: string;
  readonly groupId: string;
  readonly groupName: string | undefined;
  readonly organizationId: string;
}

type Owned = Pick<Rotated, "database" | "group">;

async function readRotation(id: string, context: ReadContext<Platform, Rotated>) {
  const { known, maxAge, platform } = context;
  const own: Rotated = known ?? {
    ...{ database: undefined, group: undefined, groupName: undefined },
    ...{ generation: FIRST, organizationId: await platform.organization.id(), groupId: id },
  };
  if (known?.group === undefined) {
    const { groupId, organizationId } = own;
    const reading = await database.read(id, context, { known: known && { groupId, organizationId }, maxAge });
    const owner = { kind: database, id, reading };
    if (known || reading.status !== "absent")
      return readThroughOwner(owner, (found) => ({ ...own, database: id, groupId: found.groupId }), context);
  }
  const reading = await group.read(id, context, { known: known && { name: known.groupName }, maxAge });
  const owner = { kind: group, id, name: known?.groupName, reading };
  return readThroughOwner(owner, ({ name }) => ({ ...own, group: id, groupName: name }), context);
}

async function rotatedOwnerFailure(
  wanted: Partial<Owned>,
  context: PlatformContext,
): Promise<PreflightFailure | undefined> {
  if (wanted.database !== undefined) return referencedDatabaseFailure(wanted.database, context);
  return wanted.group === undefined ? undefined : referencedGroupFailure(wanted.group, context);
}

const rotatedOwner = (
  id: string,
  { group: named }: Pick<Owned, "group">,
  context: PlatformContext,
): Promise<ReadResult<{ readonly name: string }>> => (named === undefined ? database : group).read(id, context);

const ownerName = (owner: ReadResult<{ readonly name: string }>): string =>
  owner.status === "absent" ? "" : owner.state.name;
