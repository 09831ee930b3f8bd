import * as z from "zod";
import { INVALID_ROLE } from "../values/messages";
import { endpoint } from "./endpoint";
import { lazy } from "./lazy";
import { organizationPath, Role } from "./organization";

/** The record of a member (wire-facts 1.5). */
const Member = lazy(() =>
  z.object({ username: z.string(), role: Role(), email: z.string().optional() }).meta({ id: "Member" }),
);

/** The roles that can be assigned to a member (wire-facts 1.6). Ownership cannot be assigned. */
export const AssignableRole = lazy(() => z.enum(["admin", "member", "viewer"], { error: INVALID_ROLE }));

const v1 = "/v1/organizations/{organizationSlug}";
const v2 = "/v2/organizations/{organizationSlug}";
const all = `${v1}/members`;
const one = `${all}/{username}`;
const memberPath = lazy(() =>
  organizationPath().extend({
    username: z.string().min(1).meta({ description: "Username of the member." }),
  }),
);

export const members = {
  listMembers: endpoint({
    summary: "List the members of an organization.",
    method: "GET",
    paths: [all],
    params: organizationPath,
    result: () => z.object({ members: z.array(Member()) }),
    access: { level: "organization" },
  }),

  /**
   * Adds an existing user. A person without an account must be invited instead. The official TypeScript client uses the
   * path that contains the username.
   */
  addMember: endpoint({
    summary: "Add a user to an organization.",
    method: "POST",
    paths: [all, one],
    params: () => memberPath().partial({ username: true }),
    body: () =>
      z.object({
        username: z
          .string()
          .min(1)
          .optional()
          .meta({ description: "Required unless the path names the user.", examples: ["zoe"] }),
        member: z.string().min(1).optional().meta({ description: "Alias of `username`." }),
        role: AssignableRole().default("member"),
      }),
    result: () => z.object({ member: z.string(), role: AssignableRole() }),
    refusals: {
      400: "The organization is personal.",
      404: "The user does not exist.",
      409: "The user is already a member.",
    },
    // Adding a user also removes the pending invite to that person.
    changes: ["members", "invites"],
    access: { level: "organization", role: "admin" },
  }),

  retrieveMember: endpoint({
    summary: "Retrieve a member of an organization.",
    method: "GET",
    paths: [one],
    params: memberPath,
    result: () => z.object({ member: Member() }),
    repeats: { username: "member.username" },
    access: { level: "organization" },
  }),

  updateMember: endpoint({
    summary: "Change the role of a member.",
    method: "PATCH",
    paths: [one],
    params: memberPath,
    body: () => z.object({ role: AssignableRole() }),
    result: () => z.object({ member: Member() }),
    refusals: { 400: "The member is the last owner.", 403: "The member is an owner, but the caller is not." },
    changes: ["members"],
    access: { level: "organization", role: "admin", doing: "updating member roles" },
  }),

  removeMember: endpoint({
    summary: "Remove a member from an organization.",
    description: "Every member can leave, except the last owner.",
    method: "DELETE",
    paths: [one],
    params: memberPath,
    result: () => z.object({ member: z.string() }),
    refusals: { 400: "The member is the last owner.", 403: "The member is an owner, but the caller is not." },
    changes: ["members"],
    access: { level: "organization", role: "admin", orSelf: true },
  }),

  /** Lists the invites to an organization (wire-facts 8). The official CLI uses the `/v1` path. */
  listInvites: endpoint({
    summary: "List the pending invites of an organization.",
    method: "GET",
    paths: [`${v2}/invites`, `${v1}/invites`],
    params: organizationPath,
    result: () =>
      z.object({
        invites: z.array(
          z.object({
            id: z.int(),
            email: z.string(),
            role: AssignableRole(),
            created_at: z.string(),
            accepted: z
              .boolean()
              .optional()
              .meta({ description: "Always `false`, because accepted invites are not listed." }),
          }),
        ),
      }),
    access: { level: "organization" },
  }),

  /** Invites a person by email or, if the person has an account, by username (wire-facts 8). */
  createInvite: endpoint({
    summary: "Invite a person to an organization.",
    description: "A pending invite with the same email is replaced.",
    method: "POST",
    paths: [`${v2}/invites`, `${v1}/invite`],
    params: organizationPath,
    body: () =>
      z.object({
        email: z
          .email()
          .optional()
          .meta({ examples: ["lea@acme.example"] }),
        username: z.string().min(1).optional().meta({ description: "Username of the person, instead of the email." }),
        role: AssignableRole().default("member"),
      }),
    result: () =>
      z.object({ invited: z.object({ email: z.string(), role: AssignableRole(), organization: z.string() }) }),
    refusals: {
      400: "The organization is personal, or on the free plan.",
      404: "The user does not exist.",
      409: "The user is already a member.",
    },
    changes: ["invites"],
    access: { level: "organization", role: "admin" },
  }),

  /** Withdraws the pending invite to an email address (wire-facts 8). */
  deleteInvite: endpoint({
    summary: "Withdraw a pending invite.",
    method: "DELETE",
    paths: [`${v2}/invites/{email}`, `${v1}/invites/{email}`],
    params: () => organizationPath().extend({ email: z.string().min(1).meta({ description: "Email of the invite." }) }),
    result: () => z.looseObject({}),
    changes: ["invites"],
    access: { level: "organization", role: "admin" },
  }),
};
