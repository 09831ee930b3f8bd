import { platformFunction } from "../platform";
import { period, periodProblem } from "./arguments";
import { findDatabase, oneDatabase, whichDatabase } from "./find-database";
import { commonFields } from "./live-database";
import { DatabaseUsage, usageOfDatabase } from "./usage";

export const getDatabaseUsage = platformFunction({
  name: "getDatabaseUsage",
  reads: ["retrieveDatabase", "retrieveDatabaseById", "retrieveDatabaseUsage"],
  description: "The usage of one database in a period, by default in the current month so far.",
  args: oneDatabase.extend({
    since: period.since.describe("Beginning of the period (RFC 3339). Default: the first day of the current month."),
    until: period.until.describe("End of the period (RFC 3339). Default: now."),
  }),
  result: DatabaseUsage.extend({ name: commonFields.name }),
  validate: (args) => whichDatabase(args) ?? periodProblem(args),

  async read({ since: from, until: to, ...wanted }, context) {
    const { api } = context.platform;
    const { Name } = await findDatabase(wanted, context);
    const { database } = await api.retrieveDatabaseUsage({
      databaseName: Name,
      query: { from, to },
    });
    return { name: Name, ...usageOfDatabase(database) };
  },
});
