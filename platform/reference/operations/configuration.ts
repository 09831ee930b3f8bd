import { refuse } from "../refusal";
import { changeDatabase, type Database, findDatabase } from "../store/databases";
import { type DatabaseRow, flag } from "../store/schema";
import type { Handlers } from "./handler";

export const configuration: Pick<Handlers, "retrieveDatabaseConfiguration" | "updateDatabaseConfiguration"> = {
  async retrieveDatabaseConfiguration({ params }, { state, reach }) {
    const database = await findDatabase(state, reach, params.databaseName);
    if (!database) throw refuse.databaseNotFound(params.databaseName);
    return configurationRecord(database);
  },

  async updateDatabaseConfiguration({ params, body }, { state, reach }) {
    const database = await findDatabase(state, reach, params.databaseName);
    if (!database) throw refuse.databaseNotFound(params.databaseName);
    const changes = columnsOf(body);
    await changeDatabase(state, database.id, changes);
    return configurationRecord({ ...database, ...changes });
  },
};

type Configuration = Pick<
  DatabaseRow,
  | "size_limit"
  | "allow_attach"
  | "block_reads"
  | "block_writes"
  | "delete_protection"
  | "allowed_ips"
  | "allowed_aws_vpc_ids"
>;

interface Wanted {
  size_limit?: string | null;
  allow_attach?: boolean | null;
  block_reads?: boolean | null;
  block_writes?: boolean | null;
  delete_protection?: boolean | null;
  allowed_ips?: string[] | null;
  allowed_aws_vpc_ids?: string[] | null;
}

/** Absent: unchanged. `null`: unchanged for single values, cleared for the two lists (wire-facts 13.9). */
export function columnsOf(wanted: Wanted): Partial<Configuration> {
  const columns: Partial<Configuration> = {};
  if (typeof wanted.size_limit === "string") columns.size_limit = wanted.size_limit;
  for (const name of ["allow_attach", "block_reads", "block_writes", "delete_protection"] as const) {
    const value = wanted[name];
    if (typeof value === "boolean") columns[name] = flag(value);
  }
  for (const name of ["allowed_ips", "allowed_aws_vpc_ids"] as const) {
    const value = wanted[name];
    if (value !== undefined) columns[name] = JSON.stringify(value ?? []);
  }
  return columns;
}

/** §4.3: always the same seven fields. */
const configurationRecord = (database: Pick<Database, keyof Configuration>) => ({
  size_limit: database.size_limit,
  allow_attach: database.allow_attach === 1,
  block_reads: database.block_reads === 1,
  block_writes: database.block_writes === 1,
  delete_protection: database.delete_protection === 1,
  allowed_ips: JSON.parse(database.allowed_ips) as string[],
  allowed_aws_vpc_ids: JSON.parse(database.allowed_aws_vpc_ids) as string[],
});
