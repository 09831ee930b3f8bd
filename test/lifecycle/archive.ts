import { changeGroup } from "../../platform/reference/operations/group";
import type { OpenReferenceApi } from "../../platform/reference/server";

/** Archives a group directly in the store, because no API request can. */
export const archive = ({ store }: Pick<OpenReferenceApi, "store">, id: string): Promise<void> =>
  store.transaction("all", (state) => changeGroup(state, id, { archived: 1 }));
