import * as z from "zod";
import { firstPreflightFailure, type PreflightFailure, preflightFailure } from "../../../kit/preflight";
import { isRefusal, Refusal } from "../../../kit/refusal";
import type { ReadContext } from "../../../kit/resource";
import { Absent } from "../../../kit/results";
import { FREE_PLAN } from "../../../platform/contract/organization";
import { permissionsFor } from "../../permissions/permissions";
import { field, type Platform, type PlatformContext, resource } from "../../platform";
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

export const invite = resource({
  type: "Invite",
  description:
    "An invite to the organization by email. Once the person has accepted it, `accepted` is true, and nobody is invited again. The membership is then independent of this resource: to manage it, declare a `Member`. Deleting a pending invite withdraws it; deleting an accepted one changes nothing, and a warning says so.",
  inputs: {
    email: field.replaces(z.string(), {
      describe:
        "Email address of the person. Another address replaces the invite: the new one is sent, and the earlier one withdrawn if it is pending.",
      valid: (email) => (z.email().safeParse(email).success ? undefined : emailInvalid({ text: email })),
      same: (wanted, observed) => observed !== undefined && sameEmail(wanted, observed),
    }),
    role: field.plain(assignableRole, {
      describe: "Role that the person gets: `admin`, `member` or `viewer`.",
      valid: assignableProblem,
    }),
  },
  outputs: {
    accepted: field.output(z.boolean(), {
      describe: "Whether the person has accepted the invite and so become a member.",
    }),
    username: field.output(z.string().optional(), {
      describe: "Username with which the person has become a member.",
    }),
    organizationId: field.output(z.uuid(), { describe: "UUID of the organization." }),
  },
  permissions: permissionsFor({
    read: ["listInvites", "listMembers"],
    create: ["createInvite"],
    update: ["createInvite"],
    delete: ["deleteInvite"],
  }),
  importing: {
    name: "lea",
    id: "<email>",
    description: "The id is the email address of a pending invite, which `getInvites` lists.",
    async problem(id, context) {
      const found = await findInvite(id, context);
      return found && found.email !== id ? inviteSpelling({ email: found.email }) : undefined;
    },
  },
  adoptedOnRequest: true,

  keyed: {
    by: "email",
    canonical: canonicalEmail,
    async find(email, context) {
      const found = await findInvite(email, context, "seconds");
      return found && { id: found.email, state: await pendingInvite(found, context) };
    },
  },

  read: readInvite,

  async *list(context) {
    for (const { email } of await listInvites(context)) yield { id: email, name: email };
  },

  async create(wanted, context) {
    const organizationId = await context.platform.organization.id();
    const { email, role } = await sendInvite(wanted, context);
    return { id: email, state: { email, role, accepted: false, username: undefined, organizationId } };
  },

  // A new invite to the same email address replaces the pending invite.
  async update(id, { role }, context) {
    const { now } = context;
    const wanted = role ?? now.role;
    const { found } = await memberWithEmail(id, context);
    const username = now.accepted ? (now.username ?? id) : found?.username;
    if (username !== undefined)
      throw new Refusal("conflict", { answer: acceptedInviteNotChanged({ email: id, username }) });
    const failure = await planFailure(context);
    if (failure) throw new Refusal("conflict", { answer: failure.reason });
    await sendInvite({ email: id, role: wanted }, context);
    return { role: wanted };
  },

  async delete(id, context) {
    const { now, warn } = context;
    if (now.accepted) return warn(acceptedInviteKept({ email: id }));
    try {
      await context.platform.api.deleteInvite({ email: id });
    } catch (cause) {
      if (!isRefusal(cause, "absent")) throw cause;
      const { found } = await memberWithEmail(id, context);
      if (!found) throw cause;
      warn(acceptedInviteKept({ email: id }));
    }
  },

  checks: {
    create: ({ email }, context) =>
      firstPreflightFailure(
        () => personalFailure(context),
        () => planFailure(context),
        () => adminFailure(context),
        () => alreadyMemberFailure(email, context),
      ),
    update: (id, _changes, context) => {
      const { accepted, username = id } = context.now;
      return firstPreflightFailure(
        () => preflightFailure(accepted ? acceptedInviteNotChanged({ email: id, username }) : undefined),
        () => planFailure(context),
        () => adminFailure(context),
      );
    },
    delete: (_id, context) => (context.now.accepted ? undefined : adminFailure(context)),
  },
});

interface Invited {
  readonly email: string;
  readonly role: string;
  readonly accepted: boolean;
  readonly username: string | undefined;
  readonly organizationId: string;
}

async function readInvite(id: string, context: ReadContext<Platform, Invited>) {
  const { known, maxAge } = context;
  // Once an invite is accepted, later changes to the member are not drift.
  if (known?.accepted) return known;
  const recent = maxAge && (await findInvite(id, context, maxAge));
  const found = recent ?? (await findInvite(id, context));
  if (found) return pendingInvite(found, context);
  const member = await memberWhoAccepted(id, context);
  if (member && known) return { ...known, accepted: true, username: member.username };
  if (member) {
    const { message, advice } = acceptedInviteNotImported({ email: id, username: member.username });
    return new Absent(message, { advice });
  }
  return new Absent(inviteNotFound({ email: id, organization: context.platform.organization.slug }));
}

/**
 * Returns the member who has accepted an invite.
 *
 * @throws Refusal if the credential does not see the emails of all members, because an accepted invite could then be
 *   mistaken for a withdrawn invite.
 */
async function memberWhoAccepted(email: string, context: ReadContext<Platform, Invited>) {
  const { maxAge } = context;
  const recent = maxAge && (await memberWithEmail(email, context, maxAge));
  if (recent?.found) return recent.found;
  const { found, isWhole } = await memberWithEmail(email, context);
  if (!found && !isWhole) throw new Refusal("forbidden", inviteOutOfSight({ email }));
  return found;
}

async function sendInvite({ email, role }: Pick<Invited, "email" | "role">, { platform: { api } }: PlatformContext) {
  const body = { email, role: role as AssignableRole };
  const { invited } = await api.createInvite({ body }).catch((cause) => {
    if (!isRefusal(cause, "taken")) throw cause;
    throw new Refusal("conflict", { tried: cause.message, ...acceptedMeanwhile({ email }), cause });
  });
  return invited;
}

async function pendingInvite(
  { email, role }: InviteRecord,
  { platform: { organization } }: PlatformContext,
): Promise<Invited> {
  return { email, role, accepted: false, username: undefined, organizationId: await organization.id() };
}

/** Returns a failure if the organization's plan does not allow invites (wire-facts 8). */
async function planFailure({ platform: { organization } }: PlatformContext): Promise<PreflightFailure | undefined> {
  const record = await organization.known();
  return preflightFailure(record?.plan_id === FREE_PLAN ? INVITES_NEED_PLAN : undefined);
}

async function alreadyMemberFailure(
  email: string | undefined,
  context: PlatformContext,
): Promise<PreflightFailure | undefined> {
  if (email === undefined) return undefined;
  const { found } = await memberWithEmail(email, context, "seconds");
  return preflightFailure(found && alreadyMember({ email, username: found.username }));
}
