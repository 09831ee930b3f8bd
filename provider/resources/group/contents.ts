import type { ResourceContext } from "../../../kit/resource/context";
import { readPages } from "../../client/pages";

/** Requests all live databases in a group, instead of using the cached list. */
export async function databasesIn(group: string, { client, organization }: ResourceContext) {
  const { items } = await readPages(
    (page) => client.listDatabases({ organizationSlug: organization.slug, query: { ...page, group } }),
    ({ databases }) => databases,
  );
  return items;
}
