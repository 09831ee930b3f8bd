import type { OpenReferenceApi } from "../../platform/reference/server";
import { changeGroup } from "../../platform/reference/store/groups";

/** Archives a group, which the platform does by itself and no request can do. */
export const archive = ({ store }: Pick<OpenReferenceApi, "store">, id: string): Promise<void> =>
  store.transaction("all", (state) => changeGroup(state, id, { archived: 1 }));
