import * as z from "zod";
import { explainForbidden } from "../permissions/permissions";
import { platformFunction } from "../platform";
import { renaming } from "../renaming";

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
    const answer = await explainForbidden("retrieveOrganization", context, () => api.retrieveOrganization());
    return names.fromWire(answer.organization) as z.output<typeof result>;
  },
});
