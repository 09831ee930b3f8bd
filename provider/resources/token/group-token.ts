import { randomUUID } from "node:crypto";
import * as z from "zod";
import { declaredBy, requires } from "../../permissions/permissions";
import { definition } from "../../platform";
import { group } from "../group/group";
import { groupMissing, groupReference, inGroup, withGroup } from "../group/reference";
import { readThroughOwner } from "../recovery/owner";
import { issued, sqlToken, tokenArgs, tokenState, tokenTraits, warnIfLost, warnNotRevocable } from "./sql-token";

const args = z.object({
  group: z.string().describe("The group whose databases the token is for: its UUID (`group.id`) or its name."),
  ...tokenArgs,
});

const state = z.object({
  ...args.shape,
  ...tokenState,
  groupId: z.uuid().describe("UUID of the group."),
  groupName: z.string().describe("Name of the group."),
});

type GroupTokenArgs = z.output<typeof args>;
type GroupTokenState = z.output<typeof state>;

export const groupToken = definition<GroupTokenArgs, GroupTokenState>({
  ...sqlToken,
  type: "GroupToken",
  description:
    "A token with which an application connects to every database of a group, including databases that are created later. The platform keeps no record of it and cannot revoke it: after the resource is deleted, the token stays valid until it expires or until the signing key of the group is rotated (`SigningKeyRotation`). A rotation made outside of Pulumi cannot be detected; change `keepers` after one. When the group is deleted and restored, the token is valid again.",
  permissions: requires({ read: declaredBy(group).read, create: ["createGroupTokenById"] }),
  args,
  state,
  owned: inGroup,
  traits: { group: { requiresReplace: true, semantics: groupReference }, ...tokenTraits },

  async read(_id, known, from, context) {
    if (known === undefined) return { status: "absent", message: sqlToken.unimportable };
    const { groupId: id, groupName } = known;
    const owner = { kind: group, id, name: groupName, reading: await group.read(id, undefined, from, context) };
    return readThroughOwner(owner, known, ({ name }) => ({ groupName: String(name) }), context);
  },

  async create(wanted, context) {
    const { api, organization } = context.platform;
    const { expiration, authorization } = wanted;
    const organizationId = await organization.id();
    return withGroup(wanted.group, context, async ({ uuid: groupId, name: groupName }) => {
      const query = { expiration, authorization };
      const { jwt } = await api.createGroupTokenById({ groupId, query }).catch(warnIfLost(`group "${groupName}"`));
      const own = { group: wanted.group, groupId, groupName, organizationId };
      return { id: randomUUID(), state: { ...own, ...issued(jwt, wanted) } };
    });
  },

  delete: async (_id, observed, context) => warnNotRevocable(`group "${observed.groupName}"`, observed, context),

  preflight: {
    create: async ({ group: wanted }, context) => (wanted === undefined ? undefined : groupMissing(wanted, context)),
  },
});
