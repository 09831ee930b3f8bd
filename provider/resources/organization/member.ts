import * as z from "zod";
import {
  credentialPreflightFailure,
  firstPreflightFailure,
  type PreflightFailure,
  preflightFailure,
} from "../../../kit/preflight";
import { isRefusal, Refusal, unlessAbsent } from "../../../kit/refusal";
import { Absent } from "../../../kit/results";
import { EMPTY } from "../../messages";
import { permissionsFor, tokenUser } from "../../permissions/permissions";
import { field, type PlatformContext, resource } from "../../platform";
import {
  addedMeanwhile,
  memberNotFound,
  memberNotRemoved,
  memberReplaced,
  OWNERSHIP_NOT_GIVEN,
  ownerNotChanged,
  ownerNotRemoved,
  ownMembership,
  userNotFound,
} from "./messages";
import {
  type AssignableRole,
  adminFailure,
  assignableProblem,
  assignableRole,
  findMember,
  listMembers,
  type MemberRecord,
  OWNER,
  personalFailure,
} from "./people";

export const member = resource({
  type: "Member",
  description:
    "A member of the organization. The person is added at once, without an invite. Deleting the resource removes the person from the organization. An owner is never changed or removed, and neither is the person to whom the API token belongs.",
  inputs: {
    username: field.replaces(z.string(), {
      describe:
        "Username of the person, who needs an account. Invite others with `Invite`. Another username replaces the member: the new person is added, and the earlier one removed.",
      valid: (username) => (username === "" ? EMPTY : undefined),
    }),
    role: field.plain(assignableRole, {
      describe:
        "Role of the member: `admin`, `member` or `viewer`. An owner who was imported has `owner`, which can be neither given nor taken away.",
      valid: (role) => (role === OWNER ? undefined : assignableProblem(role)),
    }),
  },
  outputs: { organizationId: field.output(z.uuid(), { describe: "UUID of the organization." }) },
  permissions: permissionsFor({
    read: ["listMembers", "retrieveMember"],
    create: ["addMember"],
    update: ["updateMember"],
    delete: ["removeMember"],
  }),
  importing: { name: "ada", id: "<username>", description: "The id is the username, which `getMembers` lists." },
  adoptedOnRequest: true,
  loses: { username: (wanted, { now }) => memberReplaced({ username: now.username, wanted }) },

  keyed: {
    by: "username",
    async find(username, context) {
      const found = await findMember(username, context);
      return found && { id: username, state: await memberStateOf(found, context) };
    },
  },

  async read(id, context) {
    const listed = context.maxAge && (await findMember(id, context));
    const found = listed ?? (await readMember(id, context).catch(unlessAbsent));
    return found
      ? memberStateOf(found, context)
      : new Absent(memberNotFound({ username: id, organization: context.platform.organization.slug }));
  },

  async *list(context) {
    for (const { username } of await listMembers(context)) yield { id: username, name: username };
  },

  async create({ username, role }, context) {
    const { api, organization } = context.platform;
    const organizationId = await organization.id();
    const body = { username, role: role as AssignableRole };
    const added = await api.addMember({ body }).catch((cause) => {
      throw explainedRefusal(cause, username);
    });
    return { id: username, state: { username, role: added.role, organizationId } };
  },

  async update(id, { role }, context) {
    const wanted = role ?? context.now.role;
    // Reads the current role, because the member may have become an owner, and the platform would let an owner demote
    // another owner.
    const failure = await roleFailure(await readMember(id, context), wanted, context);
    if (failure) throw new Refusal("conflict", { answer: failure.reason });
    const { api } = context.platform;
    await api.updateMember({ username: id, body: { role: wanted as AssignableRole } });
    return { role: wanted };
  },

  async delete(id, context) {
    const failure = await removalFailure(await readMember(id, context), context);
    if (failure) throw new Refusal("conflict", memberNotRemoved({ username: id, reason: failure.reason }));
    const { api } = context.platform;
    await api.removeMember({ username: id });
  },

  checks: {
    create: ({ role }, context) =>
      firstPreflightFailure(
        () => preflightFailure(role === OWNER ? OWNERSHIP_NOT_GIVEN : undefined),
        () => personalFailure(context),
        () => adminFailure(context),
      ),
    update: (id, { role }, context) => {
      const { role: is } = context.now;
      return roleFailure({ username: id, role: is }, role ?? is, context);
    },
    delete: (id, context) => removalFailure({ username: id, role: context.now.role }, context),
  },
});

type Person = Readonly<Record<"username" | "role", string>>;

async function readMember(username: string, { platform: { api } }: PlatformContext): Promise<MemberRecord> {
  return (await api.retrieveMember({ username })).member;
}

async function memberStateOf({ username, role }: MemberRecord, { platform: { organization } }: PlatformContext) {
  return { username, role, organizationId: await organization.id() };
}

/** Returns the reason why a role must not be changed. */
const roleFailure = (person: Person, role: string, context: PlatformContext): Promise<PreflightFailure | undefined> =>
  firstPreflightFailure(
    () => preflightFailure(person.role === OWNER ? ownerNotChanged({ username: person.username }) : undefined),
    () => preflightFailure(role === OWNER ? OWNERSHIP_NOT_GIVEN : undefined),
    () => adminFailure(context),
    () => ownMembershipFailure(person, context),
  );

/** Returns the reason why a member must not be removed. */
const removalFailure = (person: Person, context: PlatformContext): Promise<PreflightFailure | undefined> =>
  firstPreflightFailure(
    () => preflightFailure(person.role === OWNER ? ownerNotRemoved({ username: person.username }) : undefined),
    () => ownMembershipFailure(person, context),
    () => adminFailure(context),
  );

async function ownMembershipFailure(
  { username }: Person,
  context: PlatformContext,
): Promise<PreflightFailure | undefined> {
  const caller = await tokenUser(context);
  return caller?.username === username ? credentialPreflightFailure(ownMembership({ username })) : undefined;
}

/** Adds advice to the platform's error if the user does not exist or is already a member. */
function explainedRefusal(cause: unknown, username: string): unknown {
  if (isRefusal(cause, "absent"))
    return new Refusal("conflict", { tried: cause.message, ...userNotFound({ username }), cause });
  if (isRefusal(cause, "taken"))
    return new Refusal("conflict", { tried: cause.message, ...addedMeanwhile({ username }), cause });
  return cause;
}
