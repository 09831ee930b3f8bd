import * as z from "zod";
import { endpoint } from "./endpoint";
import { lazy } from "./lazy";
import { INVALID_ROLE } from "./messages";
import { organizationPath, Role } from "./organization";

/** The record of a member (wire-facts 1.5). */
const Member = lazy(() =>
  z.object({ username: z.string(), role: Role(), email: z.string().optional() }).meta({ id: "Member" }),
);

/** The roles that can be assigned to a member (wire-facts 1.6). Ownership cannot be assigned. */
export const AssignableRole = lazy(() => z.enum(["admin", "member", "viewer"], { error: INVALID_ROLE }));

const all = "/v1/organizations/{organizationSlug}/members";
const one = `${all}/{username}`;
const memberPath = lazy(() =>
  organizationPath().extend({
    username: z.string().min(1).meta({ description: "Username of the member." }),
  }),
);

export const listMembers = endpoint({
  summary: "List the members of an organization.",
  method: "GET",
  paths: [all],
  params: organizationPath,
  result: () => z.object({ members: z.array(Member()) }),
  access: { level: "organization" },
});

export const retrieveMember = endpoint({
  summary: "Retrieve a member of an organization.",
  method: "GET",
  paths: [one],
  params: memberPath,
  result: () => z.object({ member: Member() }),
  repeats: { username: "member.username" },
  access: { level: "organization" },
});

/**
 * Adds an existing user. A person without an account must be invited instead. The official TypeScript client uses the
 * path that contains the username.
 */
export const addMember = endpoint({
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
});

export const updateMember = endpoint({
  summary: "Change the role of a member.",
  method: "PATCH",
  paths: [one],
  params: memberPath,
  body: () => z.object({ role: AssignableRole() }),
  result: () => z.object({ member: Member() }),
  refusals: { 400: "The member is the last owner.", 403: "The member is an owner, but the caller is not." },
  changes: ["members"],
  access: { level: "organization", role: "admin", doing: "updating member roles" },
});

export const removeMember = endpoint({
  summary: "Remove a member from an organization.",
  description: "Every member can leave, except the last owner.",
  method: "DELETE",
  paths: [one],
  params: memberPath,
  result: () => z.object({ member: z.string() }),
  refusals: { 400: "The member is the last owner.", 403: "The member is an owner, but the caller is not." },
  changes: ["members"],
  access: { level: "organization", role: "admin", orSelf: true },
});
