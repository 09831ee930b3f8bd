import type { Migration } from "kysely/migration";
import type { ConfigurationField } from "../../../contract/configuration-fields";
import { firstTables } from "./first-tables";
import { groupLocations } from "./group-locations";
import { returnWithGroup } from "./return-with-group";
import { wholeSpecification } from "./whole-specification";

/** All migrations, sorted by name. Never change a published migration, because it has already run on existing data. */
export const migrations = {
  "0001-first-tables": firstTables,
  "0002-group-locations": groupLocations,
  "0003-return-with-group": returnWithGroup,
  "0004-whole-specification": wholeSpecification,
} satisfies Record<string, Migration>;

/** The migration that added each configuration field. */
export const CONFIGURATION_SINCE: Readonly<Record<ConfigurationField, keyof typeof migrations>> = {
  size_limit: "0001-first-tables",
  allow_attach: "0001-first-tables",
  block_reads: "0001-first-tables",
  block_writes: "0001-first-tables",
  delete_protection: "0001-first-tables",
  allowed_ips: "0001-first-tables",
  allowed_aws_vpc_ids: "0001-first-tables",
};
