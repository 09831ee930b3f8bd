import * as z from "zod";
import { canonicalUuid } from "../../platform/values/uuid";
import { readPages } from "../client/pages";
import { platformFunction } from "../platform";
import { withGroup } from "../resources/group/reference";
import { limit, uuid } from "./arguments";
import { LiveDatabase, liveDatabase } from "./live-database";
import { truncated } from "./results";

export const getDatabases = platformFunction({
  name: "getDatabases",
  reads: ["listDatabases"],
  description: "The databases of the organization, without deleted ones: see `getDeletedDatabases`.",
  args: z.object({
    group: z.string().optional().describe("Return only databases of this group: its UUID or name."),
    parent: uuid.optional().describe("Return only databases that were copied from this database: its DbId."),
    limit,
  }),
  result: z.object({
    databases: z.array(LiveDatabase).describe("The databases, as the platform lists them."),
    truncated,
  }),

  async read({ group, parent, limit }, context) {
    const { api } = context.platform;
    const filter = parent === undefined ? {} : { parent: canonicalUuid(parent) };
    const list = (more: { readonly group?: string }) =>
      readPages(
        (page) => api.listDatabases({ query: { ...filter, ...more, ...page } }),
        ({ databases }) => databases,
        limit,
      );
    const { items, whole } =
      group === undefined ? await list({}) : await withGroup(group, context, ({ name }) => list({ group: name }));
    const databases: z.output<typeof LiveDatabase>[] = [];
    for (const record of items) databases.push(await liveDatabase(record, context));
    return { databases, truncated: !whole };
  },
});
