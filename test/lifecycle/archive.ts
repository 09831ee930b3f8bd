import type { OpenReferenceApi } from "../../platform/reference/server";
import { changeGroup } from "../../platform/reference/store/groups";

/** Archives a group. Only the platform itself can do this; no request does. */
export const archive = ({ store }: Pick<OpenReferenceApi, "store">, id: string): Promise<void> =>
  store.transaction("all", (state) => changeGroup(state, id, { archived: 1 }));
