import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { ReadContext } from "../../../kit/resource";
import { Absent } from "../../../kit/results";
import { declaredOperationsOf, permissionsFor } from "../../permissions/permissions";
import { field, type Platform, resource } from "../../platform";
import { group } from "../group/group";
import { groupIdOrName, insideGroup, referencedGroupFailure, sameGroup, withGroup } from "../group/reference";
import { readThroughOwner } from "../owner";
import { issuedToken, sqlToken, tokenInputs, tokenOutputs, warnIfLost, warnNotRevocable } from "./sql-token";

export const groupToken = resource({
  ...sqlToken,
  type: "GroupToken",
  description:
    "A token with which an application connects to every database of a group, including databases that are created later. The platform keeps no record of it and cannot revoke it: after the resource is deleted, the token stays valid until it expires or until the signing key of the group is rotated (`SigningKeyRotation`). A rotation made outside of Pulumi cannot be detected; change `keepers` after one. When the group is deleted and restored, the token is valid again.",
  inputs: {
    group: field.replaces(z.string(), {
      describe:
        "The group whose databases the token is for: its UUID (`group.id`) or its name. Another group replaces the token by a new one; the old one stays valid.",
      ...groupIdOrName,
    }),
    ...tokenInputs,
  },
  outputs: {
    ...tokenOutputs,
    groupId: field.output(z.uuid(), { describe: "UUID of the group." }),
    groupName: field.output(z.string(), { describe: "Name of the group." }),
  },
  permissions: permissionsFor({ read: declaredOperationsOf(group).read, create: ["createGroupTokenById"] }),
  inside: insideGroup,
  same: { group: sameGroup },

  read: (_id, context) => readThroughGroup(context),

  async create(wanted, context) {
    const { api, organization } = context.platform;
    const { expiration, authorization } = wanted;
    const organizationId = await organization.id();
    return withGroup(wanted.group, context, async ({ uuid: groupId, name: groupName }) => {
      const query = { expiration, authorization };
      const { jwt } = await api.createGroupTokenById({ groupId, query }).catch(warnIfLost(`group "${groupName}"`));
      const own = { group: wanted.group, groupId, groupName, organizationId };
      return { id: randomUUID(), state: { ...own, ...issuedToken(jwt, wanted) } };
    });
  },

  delete: async (_id, context) => warnNotRevocable(`group "${context.now.groupName}"`, context),

  checks: {
    create: ({ group: wanted }, context) =>
      wanted === undefined ? undefined : referencedGroupFailure(wanted, context),
  },
});

async function readThroughGroup<Known extends { readonly groupId: string; readonly groupName: string }>(
  context: ReadContext<Platform, Known>,
) {
  const { known, maxAge } = context;
  if (known === undefined) return new Absent(sqlToken.unimportable);
  const { groupId: id, groupName } = known;
  const reading = await group.read(id, context, { known: { name: groupName }, maxAge });
  const owner = { kind: group, id, name: groupName, reading };
  return readThroughOwner(owner, ({ name }) => ({ ...known, groupName: name }), context);
}
