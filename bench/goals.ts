export const AT_ONCE = 16;

/** The bound of a measurement. A measurement without a bound is reported, but cannot pass or fail. */
export interface Goal {
  readonly unit: "ms" | "s" | "MB" | "bytes" | "requests";
  /**
   * The highest figure that meets the goal: a multiple of the baseline's figure, or an absolute value if the
   * measurement has no baseline.
   */
  readonly atMost?: number;
  /** Allowance in the unit of the measurement. It is subtracted from our figure before the goal is checked. */
  readonly plus?: number;
}

/**
 * Returns the minimum duration of the requests in seconds, if each response takes 50 ms and AT_ONCE requests run in
 * parallel.
 *
 * @param answers The number of responses.
 */
const waitFor = (answers: number): number => (answers * 0.05) / AT_ONCE;

/**
 * The goals of all measurements, in the order of the results table. The words after "against" describe the baseline
 * that our figure is compared with.
 */
export const GOALS = {
  "start, spawn to port line, against bare grpc-js": { unit: "ms", atMost: 0.75 },
  "memory when loaded, against bare grpc-js": { unit: "MB", atMost: 1.15 },

  "up, 500 with configurations, against grpc-js": { unit: "s", atMost: 1.0 },
  "preview, 500 with configurations, against grpc-js": { unit: "s", atMost: 1.0 },
  "refresh, 500 with configurations, against grpc-js": { unit: "s", atMost: 1.0 },
  "destroy, 500 with configurations, against grpc-js": { unit: "s", atMost: 1.0 },
  "processor time of up, against grpc-js": { unit: "s", atMost: 1.0 },
  "processor time of preview, against grpc-js": { unit: "s", atMost: 1.0 },
  "processor time of refresh, against grpc-js": { unit: "s", atMost: 1.0 },
  "processor time of destroy, against grpc-js": { unit: "s", atMost: 1.0 },
  "peak memory in any of them, against grpc-js": { unit: "MB", atMost: 1.0 },

  // The allowance is the minimum time for the round trips: two per database for `up`, which creates and configures the
  // database, and one for `refresh`, which reads the configuration.
  "up, 500 with configurations, 50 ms an answer, against ours without": {
    unit: "s",
    atMost: 1.15,
    plus: waitFor(1000),
  },
  "refresh, 500 with configurations, 50 ms an answer, against ours without": {
    unit: "s",
    atMost: 1.15,
    plus: waitFor(500),
  },

  "up, 1,000 databases, as users run it, against grpc-js": { unit: "s", atMost: 1.08 },
  "destroy, 1,000 databases, as users run it, against grpc-js": { unit: "s", atMost: 1.08 },

  "dynamic providers, up of 500 as users run it, against the plugin": { unit: "s" },

  // Everything in it is the engine's or an output that programs read (README).
  "state of a Database": { unit: "bytes", atMost: 1_050 },

  // Allows only the requests that the platform's API requires, plus four lookups per run.
  "requests: preview, 500 with configurations": { unit: "requests", atMost: 508 },
  "requests: refresh, 500 with configurations": { unit: "requests", atMost: 508 },
  "requests: preview, 50 with deleteProtection": { unit: "requests", atMost: 5 },
  "requests: preview, 50 with allowedIps": { unit: "requests", atMost: 8 },
  "requests: create 50 databases": { unit: "requests", atMost: 50 + 4 },
  "requests: create 50 with configurations": { unit: "requests", atMost: 100 + 4 },
  "requests: update 50 configurations": { unit: "requests", atMost: 50 + 4 },
  "requests: delete 50 databases": { unit: "requests", atMost: 50 + 4 },
  // A run that finds drift may also read three pages of the audit log.
  "requests: restore 50 with configurations": { unit: "requests", atMost: 100 + 4 + 3 },
  "requests: mint 50 tokens": { unit: "requests", atMost: 50 + 4 },
  "requests: revoke 50 tokens": { unit: "requests", atMost: 50 + 4 },

  // The time has no goal. The goal for the number of requests ensures that few of them are rejected more than once.
  "up, 500 databases, 429 above 10 requests a second": { unit: "s" },
  "up, 500 databases, 429 above 10 requests a second: requests": { unit: "requests", atMost: 1.6 * 500 },

  // One request per database, and ten for the lists, the audit log and the permissions. The time has no goal, as above.
  "requests: dbplatform restore, 1,000 databases": { unit: "requests", atMost: 1_000 + 10 },
  "dbplatform restore, 100 databases, 429 above 10 requests a second": { unit: "s" },
  "dbplatform restore, 100 databases, 429 above 10 requests a second: requests": {
    unit: "requests",
    atMost: 1.6 * 100,
  },

  // Both begin with a process, and send sixteen requests at a time.
  "a migration of 1,000 databases, against drizzle-orm": { unit: "s", atMost: 1 },

  // An update sends one request per database, and a preview one request per thousand databases. Each run adds four
  // lookups.
  "growth: requests of up, 2,000 databases": { unit: "requests", atMost: 2000 + 4 },
  "growth: requests of preview, 2,000 databases": { unit: "requests", atMost: 2 + 4 },
  "growth: processor time of one more database, up, above 1,000 against below": { unit: "ms", atMost: 1 },
  "growth: processor time of one more database, preview, above 1,000 against below": { unit: "ms", atMost: 1 },

  // Looking for each alias among all resources would take more than a hundred times as long.
  "check of 10,000 databases with aliases, against without": { unit: "ms", atMost: 2 },

  "reference API: start to ready": { unit: "ms", atMost: 1.4 },
  "reference API: start with SQL and 1,000 databases with rows, against without SQL": { unit: "ms", atMost: 1.2 },
  "reference API: start with an empty file": { unit: "ms", atMost: 1.6 },
  "reference API: memory when idle with SQL": { unit: "MB", atMost: 85 },
  "reference API: memory when idle without SQL": { unit: "MB", atMost: 60 },
  "reference API: first query after it was idle": { unit: "ms" },
  // 100 databases with 1,000 rows each, in a file.
  "reference API: save a snapshot of 100 databases": { unit: "ms", atMost: 100 },
  "reference API: load a snapshot of 100 databases": { unit: "ms", atMost: 100 },
  // Each of the 200 tests writes to one of ten databases of 100 rows, and reads from another one. With a snapshot, all
  // rows are there again; with a reset, those that the seed declares.
  "reference API: 200 tests that load a snapshot first, against a reset": { unit: "s" },
  "reference API: a page of 1,000 of 10,000 databases, against one of 100": { unit: "ms", atMost: 1.3 },
  "reference API: a create beside 10,000 databases, against 100": { unit: "ms", atMost: 1.3 },
} as const satisfies Record<string, Goal>;

export type MeasurementName = keyof typeof GOALS;
