import { refuse } from "../messages";
import { changeDatabase } from "../store/databases";
import { NEWEST_VERSION } from "../store/groups";
import { databaseNamed } from "./database";
import type { Handlers } from "./handler";

export const databaseUpkeep: Pick<Handlers, "wakeDatabase" | "updateDatabaseVersion"> = {
  /** Refuses to wake a database in an archived group, because the database would remain unreachable. */
  async wakeDatabase({ params }, context) {
    const { id, archived, group_name } = await databaseNamed(params.databaseName, context);
    if (archived) throw refuse.groupArchived(group_name);
    await changeDatabase(context.state, id, { sleeping: 0 });
    return {};
  },

  async updateDatabaseVersion({ params }, context) {
    const { id } = await databaseNamed(params.databaseName, context);
    await changeDatabase(context.state, id, { version: NEWEST_VERSION });
    return {};
  },
};
