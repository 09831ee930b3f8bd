import * as z from "zod";
import { platformFunction } from "../platform";
import { findDatabase, oneDatabase, whichDatabase } from "./find-database";
import { commonFields } from "./live-database";
import { namedType } from "./results";

const DatabaseInstance = namedType("DatabaseInstance", "A database in one location.", {
  uuid: z.string().describe("UUID of the instance."),
  location: z.string().describe("Code of its location."),
  type: z.string().describe("`primary` or `replica`."),
  hostname: z.string().describe("DNS name of the instance, without a scheme."),
});

export const getInstances = platformFunction({
  name: "getInstances",
  reads: ["retrieveDatabase", "retrieveDatabaseById", "listInstances"],
  description: "The instances of one database, one for each of its locations.",
  args: oneDatabase,
  result: z.object({
    dbId: commonFields.dbId,
    name: commonFields.name,
    instances: z.array(DatabaseInstance).describe("The instances, as the platform lists them."),
  }),
  validate: whichDatabase,

  async read(wanted, context) {
    const { api } = context.platform;
    const { DbId, Name } = await findDatabase(wanted, context);
    const { instances } = await api.listInstances({ databaseName: Name });
    return {
      dbId: DbId,
      name: Name,
      instances: instances.map(({ uuid, region, type, hostname }) => ({ uuid, location: region, type, hostname })),
    };
  },
});
