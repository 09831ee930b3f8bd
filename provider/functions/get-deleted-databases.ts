import * as z from "zod";
import { platformFunction } from "../platform";
import { databaseFields, databaseNames } from "../resources/database/state";
import { readDeletedDatabases } from "../resources/deleted-databases";
import { limit } from "./arguments";
import { commonFields } from "./live-database";
import { namedType, recoveryTime, recoveryTimeOf, truncated } from "./results";

const DeletedDatabase = namedType("DeletedDatabase", "A deleted database that can still be restored.", {
  ...commonFields,
  ...recoveryTime,
  groupDeletedAt: databaseFields.groupDeletedAt,
});

export const getDeletedDatabases = platformFunction({
  name: "getDeletedDatabases",
  reads: ["listDeletedDatabases"],
  description:
    "Databases that were deleted within the last five days, with the time left to restore each. To restore one, declare a `Database` with the option `import` and its `dbId`.",
  args: z.object({
    search: z.string().optional().describe("Return only databases whose name contains this text."),
    limit,
  }),
  result: z.object({
    databases: z.array(DeletedDatabase).describe("The databases, as the platform lists them."),
    truncated,
  }),

  async read({ search, limit }, context) {
    const { items, whole } = await readDeletedDatabases(context, { search, most: limit });
    const databases = items.map(
      (record) =>
        ({ ...databaseNames.fromWire(record), ...recoveryTimeOf(record.deleted_at, context) }) as z.output<
          typeof DeletedDatabase
        >,
    );
    return { databases, truncated: !whole };
  },
});
