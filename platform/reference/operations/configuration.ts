import { columnsOf, configurationOf } from "../store/configuration";
import { changeDatabase } from "../store/databases";
import { databaseNamed } from "./database";
import type { Handlers } from "./handler";

export const configuration: Pick<Handlers, "retrieveDatabaseConfiguration" | "updateDatabaseConfiguration"> = {
  async retrieveDatabaseConfiguration({ params }, world) {
    return configurationOf(await databaseNamed(params.databaseName, world));
  },

  async updateDatabaseConfiguration({ params, body }, world) {
    const database = await databaseNamed(params.databaseName, world);
    const changes = columnsOf(body);
    await changeDatabase(world.state, database.id, changes);
    return configurationOf({ ...database, ...changes });
  },
};
