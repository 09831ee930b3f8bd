import { readPages } from "../../client/pages";
import type { PlatformContext } from "../../platform";

/** Requests all live databases in a group, instead of using the cached list. */
export async function databasesIn(group: string, { platform: { api } }: PlatformContext) {
  const { items } = await readPages(
    (page) => api.listDatabases({ query: { ...page, group } }),
    ({ databases }) => databases,
  );
  return items;
}
