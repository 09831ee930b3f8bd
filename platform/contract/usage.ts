import * as z from "zod";
import { databasePath, oneDatabase } from "./database";
import { endpoint } from "./endpoint";
import { lazy } from "./lazy";
import { organizationPaths } from "./organization";

export const usageFields = lazy(() =>
  z.object({
    rows_read: z.number(),
    rows_written: z.number(),
    storage_bytes: z.number(),
    bytes_synced: z.number(),
  }),
);

/**
 * The usage of a database. The public service documents the total as `total`, but official clients read it as `usage`
 * (wire-facts 3.6).
 */
export const databaseUsage = lazy(() =>
  z
    .object({
      uuid: z.guid(),
      instances: z.array(z.object({ uuid: z.string(), usage: usageFields() })).default([]),
      total: usageFields().optional(),
      usage: usageFields().optional(),
    })
    .refine(({ total, usage }) => total !== undefined || usage !== undefined),
);

/** The usage of a database, as the platform returns it. */
export type DatabaseUsageRecord = z.output<ReturnType<typeof databaseUsage>>;

const since = lazy(() => z.iso.datetime({ offset: true }).optional());

export const usage = {
  /** Retrieves the usage of a database in a period (wire-facts 3.6). The default is the current month so far. */
  retrieveDatabaseUsage: endpoint({
    summary: "Retrieve the usage of a database.",
    method: "GET",
    paths: organizationPaths(`${oneDatabase}/usage`),
    params: databasePath,
    query: () =>
      z.object({
        from: since().meta({ description: "RFC 3339. Default: the start of the month." }),
        to: since().meta({ description: "RFC 3339. Default: now." }),
      }),
    result: () =>
      z.object({
        database: databaseUsage(),
      }),
    access: { level: "group", scope: "read" },
  }),

  /** Lists the top queries as a bare array, the format that the official CLI expects (wire-facts 3.2). */
  listTopQueries: endpoint({
    summary: "List the queries of a database that read and write the most rows.",
    method: "GET",
    paths: organizationPaths(`${oneDatabase}/usage/queries`),
    params: databasePath,
    query: () => z.object({ from: since().meta({ description: "RFC 3339." }) }),
    result: () => z.array(z.object({ query: z.string(), rows_read: z.number(), rows_written: z.number() })),
    access: { level: "group", scope: "read" },
  }),
};
