import * as z from "zod";
import { explainForbidden } from "../permissions/permissions";
import { platformFunction } from "../platform";
import { DatabaseUsage, usageFields, usageOf, usageOfDatabase } from "./usage";

export const getOrganizationUsage = platformFunction({
  name: "getOrganizationUsage",
  reads: ["retrieveOrganizationUsage"],
  description:
    "The usage of the organization and of each of its databases, in the period that the platform currently counts.",
  args: z.object({}),
  result: z.object({
    ...usageFields,
    databaseCount: z.int().describe("Number of databases."),
    groupCount: z.int().describe("Number of groups."),
    locationCount: z.int().describe("Number of locations in which the organization has groups."),
    databases: z.array(DatabaseUsage).describe("The usage of each database."),
  }),

  async read(_args, context) {
    const { api } = context.platform;
    const answer = await explainForbidden("retrieveOrganizationUsage", context, () => api.retrieveOrganizationUsage());
    const { usage, databases } = answer.organization;
    return {
      ...usageOf(usage),
      databaseCount: usage.databases,
      groupCount: usage.groups,
      locationCount: usage.locations,
      databases: databases.map(usageOfDatabase),
    };
  },
});
