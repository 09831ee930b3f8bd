import { refuse } from "../refusal";
import { changeDatabase } from "../store/databases";
import { NEWEST_VERSION } from "../store/groups";
import { databaseNamed } from "./database";
import type { Handlers } from "./handler";

export const databaseUpkeep: Pick<Handlers, "wakeDatabase" | "updateDatabaseVersion"> = {
  /** In an archived group it could not be reached all the same. */
  async wakeDatabase({ params }, world) {
    const { id, archived, group_name } = await databaseNamed(params.databaseName, world);
    if (archived) throw refuse.groupArchived(group_name);
    await changeDatabase(world.state, id, { sleeping: 0 });
    return {};
  },

  async updateDatabaseVersion({ params }, world) {
    const { id } = await databaseNamed(params.databaseName, world);
    await changeDatabase(world.state, id, { version: NEWEST_VERSION });
    return {};
  },
};
