import type { Facts } from "../../facts";

// Settings
export const importByOrganizationId = ({
  importedId,
  configured,
}: Facts<"importedId"> & { readonly configured: { readonly slug: string; readonly id: string } }) =>
  `import the settings of organization "${configured.slug}" by its UUID, not by "${importedId}": \`import: "${configured.id}"\``;
export const otherOrganizationImported = ({
  importedId,
  configured,
}: Facts<"importedId"> & { readonly configured: { readonly slug: string; readonly id: string } }) =>
  `${importedId} is not the UUID of organization "${configured.slug}", for which the provider is configured. To import the settings of "${configured.slug}", write \`import: "${configured.id}"\`; for another organization, set \`dbplatform:organization\``;
export const mayLoseAccess = ({ username, organization }: Facts<"username" | "organization">) =>
  `"${username}", to whom the API token belongs, has no second factor and may lose access to organization "${organization}" once \`requireMfa\` is true. Set one up first.`;
export const settingsUnmanaged = ({
  organization,
  assignments,
}: Facts<"organization"> & { readonly assignments: readonly string[] }) =>
  `The settings of organization "${organization}" are no longer managed and stay as they are: ${assignments.join(", ")}.`;

// Members
const asMember = (username: string): string =>
  `declare a \`Member\` with \`username: "${username}"\` and the option \`import: "${username}"\``;
export const roleUnknown = ({ role, allowed }: Facts<"role"> & { readonly allowed: readonly string[] }) =>
  `"${role}" is not a role; use ${allowed.map((each) => `"${each}"`).join(" or ")}`;
export const OWNERSHIP_NOT_GIVEN =
  "the platform does not let anybody give ownership; set `role` to admin, member or viewer";
export const PERSONAL_ORGANIZATION =
  "the organization is a personal account, which cannot have other members; configure a team organization";
export const MEMBER_LISTED_TWICE = "the platform listed a member twice, so the list of members cannot be trusted";
export const memberNotFound = ({ username, organization }: Facts<"username" | "organization">) =>
  `"${username}" is not a member of organization "${organization}"`;
export const userNotFound = ({ username }: Facts<"username">) => ({
  answer: `only a person with an account can be added, and there is no user "${username}"`,
  advice: "Correct the `username`, or invite the person by email with an `Invite`",
});
export const addedMeanwhile = ({ username }: Facts<"username">) => ({
  answer: `"${username}" was added by somebody else in the meantime`,
  advice: `If no stack manages that member, set the resource option \`import: "${username}"\``,
});
export const ownerNotChanged = ({ username }: Facts<"username">) =>
  `"${username}" is an owner, and Pulumi never changes an owner's role, because ownership cannot be given back; set \`role: "owner"\`, or let an owner change the role on the platform`;
export const ownerNotRemoved = ({ username }: Facts<"username">) =>
  `"${username}" is an owner, and Pulumi never removes an owner`;
export const ownMembership = ({ username }: Facts<"username">) =>
  `the API token belongs to "${username}" and would lose its access; use the token of another admin or owner`;

export const memberNotRemoved = ({ username, reason }: Facts<"username" | "reason">) => ({
  tried: `could not remove member "${username}"`,
  answer: reason,
  advice:
    "To keep the member and remove only the resource, run `pulumi state delete <urn>` (`pulumi stack --show-urns` prints the URN), then the command again",
});

export const memberReplaced = ({ username, wanted }: Facts<"username", "wanted">) =>
  wanted === undefined
    ? `The preview does not know \`username\` of member "${username}" yet. If the update finds another username, it removes "${username}" from the organization.`
    : `Changing \`username\` removes "${username}" from the organization and adds "${wanted}". To keep both, declare another \`Member\` for "${wanted}".`;

// Invites
export const emailInvalid = ({ text }: Facts<"text">) => `"${text}" is not an email address`;
export const INVITES_NEED_PLAN =
  "the organization is on the free plan, which has no invites; upgrade the plan, or add a person with an account as a `Member`";
export const inviteSpelling = ({ email }: Facts<"email">) =>
  `import the invite by its email as the platform has it: \`import: "${email}"\``;
export const inviteNotFound = ({ email, organization }: Facts<"email" | "organization">) =>
  `organization "${organization}" has no pending invite to ${email}, and no member with that email`;
export const inviteOutOfSight = ({ email }: Facts<"email">) => ({
  answer: `organization members are shown without their emails, so it is not known whether ${email} has accepted the invite`,
  advice: "Use the API token of an admin or owner",
});
export const alreadyMember = ({ email, username }: Facts<"email" | "username">) =>
  `${email} is already a member: "${username}"; to manage the membership, ${asMember(username)}`;
export const acceptedMeanwhile = ({ email }: Facts<"email">) => ({
  answer: `${email} has become a member in the meantime`,
  advice: "Run `pulumi up --refresh`",
});
export const acceptedInviteNotImported = ({ email, username }: Facts<"email" | "username">) => ({
  message: `there is no pending invite to ${email}, who is already a member: "${username}"`,
  advice: `To manage the membership, ${asMember(username)}`,
});
export const acceptedInviteNotChanged = ({ email, username }: Facts<"email" | "username">) =>
  `${email} has accepted the invite, so its role can no longer change. To change the role of "${username}", ${asMember(username)}, and remove the \`Invite\``;
export const acceptedInviteKept = ({ email }: Facts<"email">) =>
  `The invite to ${email} was accepted, so deleting it removes nobody from the organization. To manage the membership, declare a \`Member\`.`;
