import * as z from "zod";
import { Refusal } from "../../../kit/refusal";
import type { PreflightFailure } from "../../../kit/resource/preflight";
import type { ReadResult } from "../../../kit/resource/results";
import { isUuid } from "../../../platform/values/uuid";
import { declaredBy, requires } from "../../permissions/permissions";
import { definition, type PlatformContext } from "../../platform";
import { database } from "../database/database";
import { databaseMissing, databaseOf, databaseReference } from "../database/reference";
import { databasesIn } from "../group/contents";
import { group } from "../group/group";
import { groupMissing, groupReference, withGroup } from "../group/reference";
import { readThroughOwner } from "../recovery/owner";
import { databaseKeyRotation, groupKeyRotation, ROTATION_OWNER, rotationIdInvalid } from "./messages";

const args = z.object({
  database: z
    .string()
    .optional()
    .describe("DbId (`database.dbId`) of the database whose key is rotated. Give either `database` or `group`."),
  group: z
    .string()
    .optional()
    .describe(
      "The group whose key is rotated together with the keys of all its databases: its UUID (`group.id`) or its name. Give either `database` or `group`.",
    ),
  triggers: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      "Any values. When one of them changes, the key is rotated. The first values are only recorded. They are never sent to the platform.",
    ),
});

const state = z.object({
  ...args.shape,
  generation: z
    .string()
    .describe(
      'How often this resource has rotated the key, beginning with "0". Put it among the `keepers` of a token to issue a new token after each rotation, in the same update.',
    ),
  groupId: z.uuid().describe("UUID of the group, or of the group that holds the database."),
  groupName: z.string().optional().describe("Name of the group, if the key of a group is rotated."),
  organizationId: z.uuid().describe("UUID of the organization."),
});

type RotationArgs = z.output<typeof args>;
type RotationState = z.output<typeof state>;
type Found = ReadResult<Record<string, unknown>>;

const FIRST = "0";
const SHOWN_DATABASES = 20;

export const signingKeyRotation = definition<RotationArgs, RotationState>({
  type: "SigningKeyRotation",
  description:
    "Rotates the signing key of a database, or of a group and all its databases, whenever a trigger changes. A rotation ends every token that was issued for them, including tokens that this program does not declare; the preview says so. Creating or deleting this resource changes nothing on the platform.",
  importing: {
    name: "orders",
    id: "<DbId>",
    description: "The id is the DbId of the database, or the UUID of the group.",
  },
  permissions: requires({
    read: [...declaredBy(group).read, ...declaredBy(database).read],
    update: [
      { operation: "rotateDatabaseTokens", sets: "triggers", has: "database" },
      { operation: "rotateGroupTokens", sets: "triggers", has: "group" },
    ],
  }),
  args,
  state,
  traits: {
    database: { requiresReplace: true, semantics: databaseReference },
    group: { requiresReplace: true, semantics: groupReference },
    triggers: { trigger: true, default: {}, changesOutputs: ["generation"] },
  },

  validate: (given) =>
    (given.database === undefined) === (given.group === undefined)
      ? { property: "database", reason: ROTATION_OWNER }
      : undefined,

  async identify(id, context) {
    if (isUuid(id)) return undefined;
    return rotationIdInvalid(String(await database.identify(id, context)));
  },

  async read(id, known, from, context) {
    const { organization } = context.platform;
    const own = known ?? { generation: FIRST, organizationId: await organization.id(), groupId: id };
    if (known?.group === undefined) {
      const reading = await database.read(
        id,
        known && { groupId: known.groupId, organizationId: known.organizationId },
        from,
        context,
      );
      const owner = { kind: database, id, reading };
      if (known || reading.status !== "absent")
        return readThroughOwner(
          owner,
          { ...own, database: id },
          ({ groupId }) => ({ groupId: String(groupId) }),
          context,
        );
    }
    const reading = await group.read(id, undefined, from, context);
    const owner = { kind: group, id, name: known?.groupName, reading };
    return readThroughOwner(owner, { ...own, group: id }, ({ name }) => ({ groupName: String(name) }), context);
  },

  // This definition has no `list`, because the platform keeps no record of rotations.

  async create(wanted, context) {
    const organizationId = await context.platform.organization.id();
    const own = { triggers: wanted.triggers, generation: FIRST, organizationId };
    if (wanted.group === undefined) {
      const owner = await databaseOf(String(wanted.database), context);
      return { id: owner.database, state: { ...owner, ...own } };
    }
    return withGroup(wanted.group, context, async ({ uuid, name }) => ({
      id: uuid,
      state: { group: uuid, groupId: uuid, groupName: name, ...own },
    }));
  },

  async update(id, observed, changes, context) {
    const { api } = context.platform;
    // Looks up the owner again, because the name from an earlier list may now belong to another object.
    const owner = await ownerOf(id, observed, context);
    if (owner.status !== "live") throw new Refusal("absent", { answer: owner.message });
    const name = nameOf(owner);
    if (observed.group === undefined) await api.rotateDatabaseTokens({ databaseName: name });
    else await api.rotateGroupTokens({ groupName: name });
    return { ...observed, ...changes, generation: String(Number(observed.generation) + 1) };
  },

  async delete() {},

  preflight: {
    async consequence(id, observed, _changes, context) {
      const owner = await ownerOf(id, observed, context);
      if (observed.group === undefined) return databaseKeyRotation(nameOf(owner), id);
      const databases = owner.status === "live" ? await databasesIn(nameOf(owner), context) : [];
      const shown = databases.slice(0, SHOWN_DATABASES).map(({ Name, DbId }) => ({ name: Name, id: DbId }));
      return groupKeyRotation({ name: nameOf(owner), id }, shown, databases.length - shown.length);
    },
    create: ownerMissing,
    update: (id, { group }, _changes, context) =>
      ownerMissing(group === undefined ? { database: id } : { group: id }, context),
  },
});

async function ownerMissing(
  wanted: Partial<RotationArgs>,
  context: PlatformContext,
): Promise<PreflightFailure | undefined> {
  if (wanted.database !== undefined) return databaseMissing(wanted.database, context);
  return wanted.group === undefined ? undefined : groupMissing(wanted.group, context);
}

const ownerOf = (id: string, observed: RotationState, context: PlatformContext): Promise<Found> =>
  (observed.group === undefined ? database : group).read(id, undefined, "platform", context);

const nameOf = (owner: Found): string => String(owner.status === "absent" ? "" : owner.state.name);
