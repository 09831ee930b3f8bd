import * as z from "zod";
import { isRefusal, Refusal, unlessAbsent } from "../../../kit/refusal";
import {
  credentialFailure,
  firstFailure,
  type PreflightFailure,
  preflightFailure,
} from "../../../kit/resource/preflight";
import { requires } from "../../permissions/permissions";
import { definition, type PlatformContext } from "../../platform";
import { knownCaller } from "../recovery/caller";
import {
  addedMeanwhile,
  memberNotFound,
  memberNotRemoved,
  memberReplaced,
  OWNERSHIP_NOT_GIVEN,
  ownerNotChanged,
  ownerNotRemoved,
  ownMembership,
  USERNAME_EMPTY,
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

const args = z.object({
  username: z.string().describe("Username of the person, who needs an account. Invite others with `Invite`."),
  role: assignableRole.describe(
    "Role of the member: `admin`, `member` or `viewer`. An owner who was imported has `owner`, which can be neither given nor taken away.",
  ),
});

const state = z.object({
  ...args.shape,
  organizationId: z.uuid().describe("UUID of the organization."),
});

type MemberArgs = z.output<typeof args>;
type MemberState = z.output<typeof state>;

export const member = definition<MemberArgs, MemberState>({
  type: "Member",
  description:
    "A member of the organization. The person is added at once, without an invite. Deleting the resource removes the person from the organization. An owner is never changed or removed, and neither is the person to whom the API token belongs.",
  importing: {
    name: "ada",
    id: "<username>",
    description: "The id is the username, which `getMembers` lists.",
  },
  permissions: requires({
    read: ["listMembers", "retrieveMember"],
    create: ["addMember"],
    update: ["updateMember"],
    delete: ["removeMember"],
  }),
  args,
  state,
  adoptedOnRequest: true,
  traits: {
    username: {
      requiresReplace: true,
      replacementWarning: (_title, { username }, wanted) => memberReplaced(username, wanted),
      semantics: { validate: (username) => (username === "" ? USERNAME_EMPTY : undefined) },
    },
    role: { semantics: { validate: (role) => (role === OWNER ? undefined : assignableProblem(role)) } },
  },

  keyed: {
    by: "username",
    async find(username, context) {
      const found = await findMember(username, context);
      return found && { id: username, state: await stateOf(found, context) };
    },
  },

  async identify() {
    return undefined;
  },

  async read(id, _known, from, context) {
    const recent = from === "snapshot" ? await findMember(id, context) : undefined;
    const found = recent ?? (await retrieve(id, context).catch(unlessAbsent));
    if (found) return { status: "live", state: await stateOf(found, context) };
    return { status: "absent", message: memberNotFound(id, context.platform.organization.slug) };
  },

  async *list(_query, context) {
    for (const { username } of await listMembers(context)) yield { id: username, name: username };
  },

  async create({ username, role }, context) {
    const { api, organization } = context.platform;
    const organizationId = await organization.id();
    const body = { username, role: role as AssignableRole };
    const added = await api.addMember({ body }).catch((cause) => {
      throw explained(cause, username);
    });
    return { id: username, state: { username, role: added.role, organizationId } };
  },

  async update(id, observed, { role = observed.role }, context) {
    // Reads the current role, because the member may have become an owner, and the platform would let an owner demote
    // another owner.
    const failure = await roleFailure(await retrieve(id, context), role, context);
    if (failure) throw new Refusal("conflict", { answer: failure.reason });
    const { api } = context.platform;
    const body = { role: role as AssignableRole };
    await api.updateMember({ username: id, body });
    return { ...observed, role };
  },

  async delete(id, _observed, context) {
    const failure = await removalFailure(await retrieve(id, context), context);
    if (failure) throw new Refusal("conflict", memberNotRemoved(id, failure.reason));
    const { api } = context.platform;
    await api.removeMember({ username: id });
  },

  preflight: {
    create: ({ role }, context) =>
      firstFailure(
        () => preflightFailure(role === OWNER ? OWNERSHIP_NOT_GIVEN : undefined),
        () => personalFailure(context),
        () => adminFailure(context),
      ),
    update: (id, { role: is }, { role = is }, context) => roleFailure({ username: id, role: is }, role, context),
    delete: (id, { role }, context) => removalFailure({ username: id, role }, context),
  },
});

type Person = Readonly<Record<"username" | "role", string>>;

async function retrieve(username: string, { platform: { api } }: PlatformContext): Promise<MemberRecord> {
  return (await api.retrieveMember({ username })).member;
}

async function stateOf({ username, role }: MemberRecord, { platform: { organization } }: PlatformContext) {
  return { username, role, organizationId: await organization.id() };
}

/** Returns the reason why a role must not be changed (decision 154). */
const roleFailure = (person: Person, role: string, context: PlatformContext): Promise<PreflightFailure | undefined> =>
  firstFailure(
    () => preflightFailure(person.role === OWNER ? ownerNotChanged(person.username) : undefined),
    () => preflightFailure(role === OWNER ? OWNERSHIP_NOT_GIVEN : undefined),
    () => adminFailure(context),
    () => selfFailure(person, context),
  );

/** Returns the reason why a member must not be removed (decision 154). */
const removalFailure = (person: Person, context: PlatformContext): Promise<PreflightFailure | undefined> =>
  firstFailure(
    () => preflightFailure(person.role === OWNER ? ownerNotRemoved(person.username) : undefined),
    () => selfFailure(person, context),
    () => adminFailure(context),
  );

async function selfFailure({ username }: Person, context: PlatformContext): Promise<PreflightFailure | undefined> {
  const caller = await knownCaller(context);
  return caller?.username === username ? credentialFailure(ownMembership(username)) : undefined;
}

/** Adds advice to the platform's error if the user does not exist or is already a member. */
function explained(cause: unknown, username: string): unknown {
  if (isRefusal(cause, "absent"))
    return new Refusal("conflict", { tried: cause.message, ...userNotFound(username), cause });
  if (isRefusal(cause, "taken"))
    return new Refusal("conflict", { tried: cause.message, ...addedMeanwhile(username), cause });
  return cause;
}
