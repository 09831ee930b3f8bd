import * as z from "zod";
import { platformFunction } from "../platform";
import { configurationNames, UNCONFIGURED } from "../resources/database/configuration-fields";
import { databaseConfiguration } from "../resources/database/database-configuration";
import { findDatabase, oneDatabase, whichDatabase } from "./find-database";
import { commonFields } from "./live-database";

const settings = databaseConfiguration.state.omit({ database: true, groupId: true, organizationId: true }).shape;

export const getDatabaseConfiguration = platformFunction({
  name: "getDatabaseConfiguration",
  reads: ["retrieveDatabase", "retrieveDatabaseById", "retrieveDatabaseConfiguration"],
  description: "The configuration of one database: every setting, whether a program manages it or not.",
  args: oneDatabase,
  result: z.object({ dbId: commonFields.dbId, name: commonFields.name, ...settings }),
  validate: whichDatabase,

  async read(wanted, context) {
    const { api } = context.platform;
    const { DbId, Name } = await findDatabase(wanted, context);
    const record = await api.retrieveDatabaseConfiguration({
      databaseName: Name,
    });
    return { dbId: DbId, name: Name, ...UNCONFIGURED, ...configurationNames.fromWire(record) };
  },
});
