import { columnsOf, configurationOf } from "../store/configuration";
import { changeDatabase } from "../store/databases";
import { databaseNamed } from "./database";
import type { Handlers } from "./handler";

export const configuration: Pick<Handlers, "retrieveDatabaseConfiguration" | "updateDatabaseConfiguration"> = {
  async retrieveDatabaseConfiguration({ params }, context) {
    return configurationOf(await databaseNamed(params.databaseName, context));
  },

  async updateDatabaseConfiguration({ params, body }, context) {
    const database = await databaseNamed(params.databaseName, context);
    const changes = columnsOf(body);
    await changeDatabase(context.state, database.id, changes);
    return configurationOf({ ...database, ...changes });
  },
};
