import * as z from "zod";
import type { UsedByDatabase } from "../../platform/contract/usage";
import { renaming } from "../renaming";
import { database } from "../resources/database/database";
import { namedType } from "./results";

/** Usage figures that several functions return. */
export const usageFields = {
  rowsRead: z.number().describe("Number of rows read."),
  rowsWritten: z.number().describe("Number of rows written."),
  storageBytes: z.number().describe("Size of the stored data of all instances, in bytes."),
  bytesSynced: z.number().describe("Amount of data synced to embedded replicas, in bytes."),
};

type Usage = z.output<z.ZodObject<typeof usageFields>>;

export const DatabaseUsage = namedType("DatabaseUsage", "The usage of one database, over all its instances.", {
  dbId: database.state.shape.dbId,
  ...usageFields,
});

type DatabaseUsage = z.output<typeof DatabaseUsage>;

const names = renaming({
  rowsRead: "rows_read",
  rowsWritten: "rows_written",
  storageBytes: "storage_bytes",
  bytesSynced: "bytes_synced",
});

export const usageOf = (record: object): Usage => names.fromWire(record) as Usage;

export const usageOfDatabase = ({ uuid, total, usage = total }: UsedByDatabase): DatabaseUsage => ({
  dbId: uuid,
  ...usageOf(usage ?? {}),
});

export function sumOf(all: readonly Usage[]): Usage {
  const sum = (name: keyof Usage) => all.reduce((total, one) => total + one[name], 0);
  return {
    rowsRead: sum("rowsRead"),
    rowsWritten: sum("rowsWritten"),
    storageBytes: sum("storageBytes"),
    bytesSynced: sum("bytesSynced"),
  };
}
