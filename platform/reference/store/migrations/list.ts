import type { Migration } from "kysely/migration";
import { firstTables } from "./first-tables";
import { groupLocations } from "./group-locations";
import { returnWithGroup } from "./return-with-group";
import { wholeSpecification } from "./whole-specification";

/** In the order of their names; one that was published is never changed. */
export const migrations: Record<string, Migration> = {
  "0001-first-tables": firstTables,
  "0002-group-locations": groupLocations,
  "0003-return-with-group": returnWithGroup,
  "0004-whole-specification": wholeSpecification,
};
