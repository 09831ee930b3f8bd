import { message } from "../../../platform/values/message";

const ACME = "b2f1c0de-5a90-4ab1-9a3e-1c2d3e4f5a6b";
const GLOBEX = "5d1f7c2e-9a44-4f0b-b6c8-2e3a4b5c6d7e";

interface Configured {
  readonly slug: string;
  readonly id: string;
}

const acme: Configured = { slug: "acme", id: ACME };

/** Explains that the settings are imported by the UUID of the configured organization. */
export const importByOrganizationId = message(
  (given: string, { slug, id }: Configured) =>
    `import the settings of organization "${slug}" by its UUID, not by "${given}": \`import: "${id}"\``,
  ["acme", acme],
);

export const otherOrganizationImported = message(
  (given: string, { slug, id }: Configured) =>
    `${given} is not the UUID of organization "${slug}", for which the provider is configured. To import the settings of "${slug}", write \`import: "${id}"\`; for another organization, set \`dbplatform:organization\``,
  [GLOBEX, acme],
);

export const settingsNeedAdmin = message(
  (organization: string, username: string, role: string) =>
    `changing the settings requires an admin or owner of organization "${organization}", but "${username}" is a ${role}`,
  ["acme", "max", "member"],
);

/** Warns that requiring multi-factor authentication may lock out the API token's user. */
export const mayLoseAccess = message(
  (username: string, organization: string) =>
    `"${username}", to whom the API token belongs, has no second factor and may lose access to organization "${organization}" once \`requireMfa\` is true. Set one up first.`,
  ["ada", "acme"],
);

/**
 * Reports that settings stay as they are after their resource is deleted.
 *
 * @param settings All settings, each written as `name: value`.
 */
export const settingsUnmanaged = message(
  (organization: string, settings: readonly string[]) =>
    `The settings of organization "${organization}" are no longer managed and stay as they are: ${settings.join(", ")}.`,
  ["acme", ["overages: false", "requireMfa: true", "restoreEnabled: true"]],
);

const EMAIL = "lea@acme.example";

const asMember = (username: string): string =>
  `declare a \`Member\` with \`username: "${username}"\` and the option \`import: "${username}"\``;

export const USERNAME_EMPTY = "must not be empty";

export const roleUnknown = message(
  (role: string, roles: readonly string[]) =>
    role === "owner"
      ? "ownership cannot be given; use another role"
      : `"${role}" is not a role; use ${roles.map((each) => `"${each}"`).join(" or ")}`,
  ["editor", ["admin", "member", "viewer"]],
  ["owner", ["admin", "member", "viewer"]],
);

export const PERSONAL_ORGANIZATION =
  "the organization is a personal account, which cannot have other members; configure a team organization";

export const membersNeedAdmin = message(
  (organization: string, username: string, role: string) =>
    `managing members requires an admin or owner of organization "${organization}", but "${username}" is a ${role}`,
  ["acme", "max", "member"],
);

export const MEMBER_LISTED_TWICE = "the platform listed a member twice, so the list of members cannot be trusted";

export const memberNotFound = message(
  (username: string, organization: string) => `"${username}" is not a member of organization "${organization}"`,
  ["max", "acme"],
);

export const userNotFound = message(
  (username: string) => ({
    answer: `only a person with an account can be added, and there is no user "${username}"`,
    advice: "Correct the `username`, or invite the person by email with an `Invite`",
  }),
  ["maxx"],
);

/** Reports that somebody else added a user while this update was running. */
export const addedMeanwhile = message(
  (username: string) => ({
    answer: `"${username}" was added by somebody else in the meantime`,
    advice: `If no stack manages that member, set the resource option \`import: "${username}"\``,
  }),
  ["max"],
);

export const OWNERSHIP_NOT_GIVEN =
  "the platform does not let anybody give ownership; set `role` to admin, member or viewer";

export const ownerNotChanged = message(
  (username: string) =>
    `"${username}" is an owner, and Pulumi never changes an owner's role, because ownership cannot be given back; set \`role: "owner"\`, or let an owner change the role on the platform`,
  ["ada"],
);

export const ownerNotRemoved = message(
  (username: string) => `"${username}" is an owner, and Pulumi never removes an owner`,
  ["ada"],
);

export const ownMembership = message(
  (username: string) =>
    `the API token belongs to "${username}" and would lose its access; use the token of another admin or owner`,
  ["max"],
);

export const memberNotRemoved = message(
  (username: string, reason: string) => ({
    tried: `could not remove member "${username}"`,
    answer: reason,
    advice:
      "To keep the member and remove only the resource, run `pulumi state delete <urn>` (`pulumi stack --show-urns` prints the URN), then the command again",
  }),
  ["ada", '"ada" is an owner, and Pulumi never removes an owner'],
);

/**
 * Warns that changing `username` removes the previous member from the organization.
 *
 * @param wanted The new username, or `undefined` if it is unknown.
 */
export const memberReplaced = message(
  (username: string, wanted: string | undefined) =>
    wanted === undefined
      ? `The preview does not know \`username\` of member "${username}" yet. If the update finds another username, it removes "${username}" from the organization.`
      : `Changing \`username\` removes "${username}" from the organization and adds "${wanted}". To keep both, declare another \`Member\` for "${wanted}".`,
  ["max", "lea"],
  ["max", undefined],
);

export const emailInvalid = message((text: string) => `"${text}" is not an email address`, ["lea"]);

export const INVITES_NEED_PLAN =
  "the organization is on the free plan, which has no invites; upgrade the plan, or add a person with an account as a `Member`";

/** Explains that an invite must be imported by its email, spelled exactly as the platform spells it. */
export const inviteSpelling = message(
  (email: string) => `import the invite by its email as the platform has it: \`import: "${email}"\``,
  [EMAIL],
);

export const inviteNotFound = message(
  (email: string, organization: string) =>
    `organization "${organization}" has no pending invite to ${email}, and no member with that email`,
  [EMAIL, "acme"],
);

export const inviteOutOfSight = message(
  (email: string) => ({
    answer: `organization members are shown without their emails, so it is not known whether ${email} has accepted the invite`,
    advice: "Use the API token of an admin or owner",
  }),
  [EMAIL],
);

export const alreadyMember = message(
  (email: string, username: string) =>
    `${email} is already a member: "${username}"; to manage the membership, ${asMember(username)}`,
  [EMAIL, "lea"],
);

export const acceptedMeanwhile = message(
  (email: string) => ({
    answer: `${email} has become a member in the meantime`,
    advice: "Run `pulumi up --refresh`",
  }),
  [EMAIL],
);

export const acceptedInviteNotImported = message(
  (email: string, username: string) => ({
    message: `there is no pending invite to ${email}, who is already a member: "${username}"`,
    advice: `To manage the membership, ${asMember(username)}`,
  }),
  [EMAIL, "lea"],
);

export const acceptedInviteNotChanged = message(
  (email: string, username: string) =>
    `${email} has accepted the invite, so its role can no longer change. To change the role of "${username}", ${asMember(username)}, and remove the \`Invite\``,
  [EMAIL, "lea"],
);

/** Reports that deleting an accepted invite does not remove the member. */
export const acceptedInviteKept = message(
  (email: string) =>
    `The invite to ${email} was accepted, so deleting it removes nobody from the organization. To manage the membership, declare a \`Member\`.`,
  [EMAIL],
);
