import * as z from "zod";
import { isRefusal, Refusal } from "../../../kit/refusal";
import { firstFailure, type PreflightFailure, preflightFailure } from "../../../kit/resource/preflight";
import { FREE_PLAN } from "../../../platform/contract/organization";
import { requires } from "../../permissions/permissions";
import { definition, type PlatformContext } from "../../platform";
import {
  acceptedInviteKept,
  acceptedInviteNotChanged,
  acceptedInviteNotImported,
  acceptedMeanwhile,
  alreadyMember,
  emailInvalid,
  INVITES_NEED_PLAN,
  inviteNotFound,
  inviteOutOfSight,
  inviteSpelling,
} from "./messages";
import {
  type AssignableRole,
  adminFailure,
  assignableProblem,
  assignableRole,
  canonicalEmail,
  findInvite,
  type InviteRecord,
  listInvites,
  memberWithEmail,
  personalFailure,
  sameEmail,
} from "./people";

const args = z.object({
  email: z.string().describe("Email address of the person."),
  role: assignableRole.describe("Role that the person gets: `admin`, `member` or `viewer`."),
});

const state = z.object({
  ...args.shape,
  accepted: z.boolean().describe("Whether the person has accepted the invite and so become a member."),
  username: z.string().optional().describe("Username with which the person has become a member."),
  organizationId: z.uuid().describe("UUID of the organization."),
});

type InviteArgs = z.output<typeof args>;
type InviteState = z.output<typeof state>;

export const invite = definition<InviteArgs, InviteState>({
  type: "Invite",
  description:
    "An invite to the organization by email. Once the person has accepted it, `accepted` is true, and nobody is invited again. The membership is then independent of this resource: to manage it, declare a `Member`. Deleting a pending invite withdraws it; deleting an accepted one changes nothing, and a warning says so.",
  importing: {
    name: "lea",
    id: "<email>",
    description: "The id is the email address of a pending invite, which `getInvites` lists.",
  },
  permissions: requires({
    read: ["listInvites", "listMembers"],
    create: ["createInvite"],
    update: ["createInvite"],
    delete: ["deleteInvite"],
  }),
  args,
  state,
  adoptedOnRequest: true,
  traits: {
    email: {
      requiresReplace: true,
      semantics: {
        validate: (email) => (z.email().safeParse(email).success ? undefined : emailInvalid(email)),
        semanticallyEqual: (wanted, observed) => observed !== undefined && sameEmail(wanted, observed),
      },
    },
    role: { semantics: { validate: assignableProblem } },
  },

  keyed: {
    by: "email",
    canonical: canonicalEmail,
    async find(email, context) {
      const found = await findInvite(email, "recent", context);
      return found && { id: found.email, state: await pending(found, context) };
    },
  },

  async identify(id, context) {
    const found = await findInvite(id, "platform", context);
    return found && found.email !== id ? inviteSpelling(found.email) : undefined;
  },

  async read(id, known, from, context) {
    // Once an invite is accepted, later changes to the member are not drift (decision 155).
    if (known?.accepted) return { status: "live", state: known };
    const recent = from === "snapshot" ? await findInvite(id, "recent", context) : undefined;
    const found = recent ?? (await findInvite(id, "platform", context));
    if (found) return { status: "live", state: await pending(found, context) };
    const member = await memberWhoAccepted(id, from, context);
    if (member && known) return { status: "live", state: { ...known, accepted: true, username: member.username } };
    if (member) return { status: "absent", ...acceptedInviteNotImported(id, member.username) };
    return { status: "absent", message: inviteNotFound(id, context.platform.organization.slug) };
  },

  async *list(_query, context) {
    for (const { email } of await listInvites(context)) yield { id: email, name: email };
  },

  async create({ email, role }, context) {
    const organizationId = await context.platform.organization.id();
    const invited = await send({ email, role }, context);
    return { id: invited.email, state: { email: invited.email, role: invited.role, accepted: false, organizationId } };
  },

  // A new invite to the same email address replaces the pending invite (decision 155).
  async update(id, observed, { role = observed.role }, context) {
    const { found } = await memberWithEmail(id, "platform", context);
    const username = observed.accepted ? (observed.username ?? id) : found?.username;
    if (username !== undefined) throw new Refusal("conflict", { answer: acceptedInviteNotChanged(id, username) });
    const failure = await planFailure(context);
    if (failure) throw new Refusal("conflict", { answer: failure.reason });
    await send({ email: id, role }, context);
    return { ...observed, role };
  },

  async delete(id, { accepted }, context) {
    const {
      platform: { api },
      warn,
    } = context;
    if (accepted) return warn(acceptedInviteKept(id));
    try {
      await api.deleteInvite({ email: id });
    } catch (cause) {
      if (!isRefusal(cause, "absent")) throw cause;
      const { found } = await memberWithEmail(id, "platform", context);
      if (!found) throw cause;
      warn(acceptedInviteKept(id));
    }
  },

  preflight: {
    create: ({ email }, context) =>
      firstFailure(
        () => personalFailure(context),
        () => planFailure(context),
        () => adminFailure(context),
        () => memberFailure(email, context),
      ),
    update: (id, { accepted, username = id }, _changes, context) =>
      firstFailure(
        () => preflightFailure(accepted ? acceptedInviteNotChanged(id, username) : undefined),
        () => planFailure(context),
        () => adminFailure(context),
      ),
    delete: async (_id, { accepted }, context) => (accepted ? undefined : adminFailure(context)),
  },
});

/**
 * Returns the member who has accepted an invite.
 *
 * @throws Refusal if the credential does not see the emails of all members, because an accepted invite could then be
 *   mistaken for a withdrawn invite.
 */
async function memberWhoAccepted(email: string, from: "platform" | "snapshot", context: PlatformContext) {
  const recent = from === "snapshot" ? await memberWithEmail(email, "recent", context) : undefined;
  if (recent?.found) return recent.found;
  const { found, isWhole } = await memberWithEmail(email, "platform", context);
  if (!found && !isWhole) throw new Refusal("forbidden", inviteOutOfSight(email));
  return found;
}

async function send({ email, role }: InviteArgs, { platform: { api } }: PlatformContext) {
  const body = { email, role: role as AssignableRole };
  const { invited } = await api.createInvite({ body }).catch((cause) => {
    if (!isRefusal(cause, "taken")) throw cause;
    throw new Refusal("conflict", { tried: cause.message, ...acceptedMeanwhile(email), cause });
  });
  return invited;
}

async function pending(
  { email, role }: InviteRecord,
  { platform: { organization } }: PlatformContext,
): Promise<InviteState> {
  return { email, role, accepted: false, organizationId: await organization.id() };
}

/** Returns a failure if the organization's plan does not allow invites (wire-facts 8). */
async function planFailure({ platform: { organization } }: PlatformContext): Promise<PreflightFailure | undefined> {
  const record = await organization.known();
  return preflightFailure(record?.plan_id === FREE_PLAN ? INVITES_NEED_PLAN : undefined);
}

async function memberFailure(
  email: string | undefined,
  context: PlatformContext,
): Promise<PreflightFailure | undefined> {
  if (email === undefined) return undefined;
  const { found } = await memberWithEmail(email, "recent", context);
  return preflightFailure(found && alreadyMember(email, found.username));
}
