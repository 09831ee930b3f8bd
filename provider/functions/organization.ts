import * as z from "zod";
import { explainAccess } from "../permissions/permissions";
import { platformFunction } from "../platform";
import { renaming } from "../renaming";
import { listInvites, listMembers } from "../resources/organization/people";
import { apiToken, listApiTokens } from "../resources/token/api-token";
import { limit } from "./arguments";
import { firstOf, namedResultType, truncated } from "./results";

const result = z.object({
  id: z.string().describe("UUID of the organization."),
  slug: z.string().describe("Slug of the organization, as in settings and addresses."),
  type: z.string().optional().describe("`personal` (the account of one user) or `team`."),
  planId: z
    .string()
    .optional()
    .describe("The plan. On the free plan, `starter`, nothing that was deleted can be listed or restored."),
  restoreEnabled: z.boolean().optional().describe("Whether deleted databases and groups may be restored."),
  overages: z.boolean().optional().describe("Whether use beyond the plan is allowed and billed."),
  requireMfa: z.boolean().optional().describe("Whether members must use a second factor."),
  blockedReads: z.boolean().optional().describe("Whether the platform refuses every read of its databases."),
  blockedWrites: z.boolean().optional().describe("Whether the platform refuses every write to its databases."),
});

const names = renaming({
  id: "id",
  slug: "slug",
  type: "type",
  planId: "plan_id",
  restoreEnabled: "restore_enabled",
  overages: "overages",
  requireMfa: "require_mfa",
  blockedReads: "blocked_reads",
  blockedWrites: "blocked_writes",
});

export const getOrganization = platformFunction({
  name: "getOrganization",
  reads: ["retrieveOrganization"],
  description: "The organization that the provider is configured for.",
  args: z.object({}),
  result,

  async read(_args, context) {
    const { api } = context.platform;
    const answer = await explainAccess("retrieveOrganization", context, () => api.retrieveOrganization());
    return names.fromWire(answer.organization) as z.output<typeof result>;
  },
});

const LocationEntry = namedResultType("LocationEntry", "A location in which databases can be created.", {
  code: z.string().describe("Code to use in `location` and `locations` of a group."),
  description: z.string().describe("Name of the location."),
});

export const getLocations = platformFunction({
  name: "getLocations",
  reads: ["listLocations"],
  description: "The locations in which groups can be created.",
  args: z.object({}),
  result: z.object({ locations: z.array(LocationEntry).describe("Every location.") }),

  async read(_args, { platform: { api } }) {
    const { locations } = await api.listLocations();
    return { locations: Object.entries(locations).map(([code, description]) => ({ code, description })) };
  },
});

const MemberEntry = namedResultType("MemberEntry", "A member of the organization.", {
  username: z.string().describe("Username, by which a `Member` is imported."),
  role: z.string().describe("Role: `owner`, `admin`, `member` or `viewer`."),
  email: z.string().optional().describe("Email address, if the platform shows it."),
});

export const getMembers = platformFunction({
  name: "getMembers",
  reads: ["listMembers"],
  description: "The members of the organization, owners included.",
  args: z.object({ limit }),
  result: z.object({ members: z.array(MemberEntry).describe("The members, as the platform lists them."), truncated }),

  async read({ limit }, context) {
    const { items, whole } = firstOf(await listMembers(context), limit);
    const members = items.map(({ username, role, email }) => ({ username, role, email }));
    return { members, truncated: !whole };
  },
});

const InviteEntry = namedResultType("InviteEntry", "A pending invite.", {
  email: z.string().describe("Email address, by which an `Invite` is imported."),
  role: z.string().describe("Role that the person gets."),
  createdAt: z.string().describe("Time of the invite (RFC 3339)."),
});

export const getInvites = platformFunction({
  name: "getInvites",
  reads: ["listInvites"],
  description:
    "The pending invites to the organization. Those who have accepted an invite are members: see `getMembers`.",
  args: z.object({ limit }),
  result: z.object({ invites: z.array(InviteEntry).describe("The invites, as the platform lists them."), truncated }),

  async read({ limit }, context) {
    const { items, whole } = firstOf(await listInvites(context), limit);
    const invites = items.map(({ email, role, created_at }) => ({ email, role, createdAt: created_at }));
    return { invites, truncated: !whole };
  },
});

const { name, groupId, groupName } = apiToken.state.shape;

const ApiTokenEntry = namedResultType("ApiTokenEntry", "An API token, without the token itself.", {
  id: z.string().describe("Id of the token, by which an `ApiToken` is imported."),
  name,
  groupId,
  groupName,
  scopes: z
    .array(z.string())
    .optional()
    .describe("Scopes of a group-scoped token. Presets are shown as the scopes that they stand for."),
  owner: z.string().optional().describe("Username of the person who minted the token. Visible to admins and owners."),
  createdAt: z.string().optional().describe("Day on which the token was minted (`YYYY-MM-DD`)."),
});

export const getApiTokens = platformFunction({
  name: "getApiTokens",
  reads: ["listApiTokens"],
  description:
    "The API tokens of the organization, without the tokens themselves. Admins and owners see all tokens, others the tokens that they minted.",
  args: z.object({ limit }),
  result: z.object({ tokens: z.array(ApiTokenEntry).describe("The tokens, as the platform lists them."), truncated }),

  async read({ limit }, context) {
    const { organization } = context.platform;
    const { items, whole } = firstOf(await listApiTokens(context), limit);
    const groups = items.some(({ group }) => group !== undefined) ? await organization.groups() : [];
    const tokens = items.map((entry) => ({
      id: entry.id,
      name: entry.name,
      groupName: entry.group,
      scopes: entry.scopes,
      groupId: groups.find(({ name }) => name === entry.group)?.uuid,
      owner: entry.owner?.username,
      createdAt: entry.created_at,
    }));
    return { tokens, truncated: !whole };
  },
});
