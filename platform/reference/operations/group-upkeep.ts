import { changeGroup, updateGroupRow } from "../store/groups";
import { groupNamed, groupRecord } from "./group";
import type { Handlers } from "./handler";
import { groupInAws, migrationNotStarted } from "./messages";

export const groupUpkeep: Pick<Handlers, "unarchiveGroup" | "updateGroupVersion" | "retrieveAwsMigration"> = {
  async unarchiveGroup({ params }, context) {
    const group = await groupNamed(params.groupName, context);
    await changeGroup(context.state, group.id, { archived: 0 });
    return { group: groupRecord({ ...group, archived: 0 }) };
  },

  async updateGroupVersion({ params }, context) {
    const group = await groupNamed(params.groupName, context);
    await updateGroupRow(context.state, group.id);
    return {};
  },

  /** Always returns `none`, because this server cannot start a migration. */
  async retrieveAwsMigration({ params }, context) {
    const { name, location } = await groupNamed(params.groupName, context);
    const comment = location.startsWith("aws-") ? groupInAws(name) : migrationNotStarted(name);
    return { status: "none" as const, comment };
  },
};
