import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import { CONFIGURATION, CONFIGURATION_FIELDS, type ConfigurationField } from "../../../contract/configuration-fields";
import { firstTables } from "./first-tables";
import { groupLocations } from "./group-locations";
import { returnWithGroup } from "./return-with-group";
import { wholeSpecification } from "./whole-specification";

/** Never change a published migration, because it has already run on existing data. */
const written: Readonly<Record<string, Migration>> = {
  "0001-first-tables": firstTables,
  "0002-group-locations": groupLocations,
  "0003-return-with-group": returnWithGroup,
  "0004-whole-specification": wholeSpecification,
};

const DEFAULTS = { flag: 0, size: "", list: "[]" } as const;

/** Adds the column of a configuration field, with its default in every row. */
export const addField = (name: ConfigurationField): Migration => ({
  async up(database: Kysely<unknown>): Promise<void> {
    const unset = DEFAULTS[CONFIGURATION[name].kind];
    await database.schema
      .alterTable("databases")
      .addColumn(name, typeof unset === "number" ? "integer" : "text", (column) => column.notNull().defaultTo(unset))
      .execute();
  },
});

/** The migrations of the configuration fields that no written migration adds. */
const derived = CONFIGURATION_FIELDS.flatMap((name): [string, Migration][] => {
  const { since } = CONFIGURATION[name];
  const isWritten = Object.keys(written).some((migration) => migration.startsWith(since));
  return isWritten ? [] : [[`${since}-${name.replaceAll("_", "-")}`, addField(name)]];
});

/** All migrations, sorted by name. */
export const migrations: Readonly<Record<string, Migration>> = Object.fromEntries(
  [...Object.entries(written), ...derived].sort(([one], [other]) => (one < other ? -1 : 1)),
);
