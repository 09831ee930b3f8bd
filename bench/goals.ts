/** How many resources the engine works on at once, in every goal. */
export const AT_ONCE = 16;

/** The unit of a measurement and its bounds. Without a bound, the measurement is reported and not judged. */
export interface Goal {
  readonly unit: "ms" | "s" | "MB" | "bytes" | "requests" | "requests/s";
  /** Times the floor; without a floor, the figure itself. */
  readonly atMost?: number;
  readonly atLeast?: number;
  /** Allowed beside the floor, in the unit: subtracted from our figure before the comparison. */
  readonly plus?: number;
}

/** Seconds that 500 requests of 50 ms take, the engine working on so many at once. */
const LATENCY_OF_500 = (500 * 0.05) / AT_ONCE;

/** The goal of every measurement, in the order of the table. */
export const GOALS = {
  "start, spawn to port line": { unit: "ms", atMost: 0.85 },
  "memory after the port line": { unit: "MB", atMost: 0.95 },
  "up, 500 with configurations: peak memory": { unit: "MB", atMost: 1.8 },
  "up, 500 with configurations: processor time": { unit: "s", atMost: 2.5 },

  "up, 100 with configurations": { unit: "s", atMost: 1.1 },
  "up, 100 with configurations, 50 ms": { unit: "s", atMost: 1.25 },
  "up, 100 with configurations, as users run it": { unit: "s" },
  "up, 500 with configurations": { unit: "s", atMost: 1.1 },
  "up, 500 with configurations, 50 ms": { unit: "s", atMost: 1.25 },
  "up, 500 with configurations, as users run it": { unit: "s" },

  "preview, 500 databases": { unit: "s", atMost: 1.1 },
  "preview, 500 databases, 50 ms": { unit: "s", atMost: 1.2 },
  "preview, 500 databases: requests": { unit: "requests", atMost: 8 },
  "preview, 500 databases, on-refresh": { unit: "s", atMost: 1.03 },
  // The organization, so that another one is refused at once.
  "preview, 500 databases, on-refresh: requests": { unit: "requests", atMost: 1 },

  "preview --refresh, 500 databases": { unit: "s", atMost: 1.05 },
  "preview --refresh, 500 databases, 50 ms": { unit: "s", atMost: 1.08 },
  "preview --refresh, 500 databases: requests": { unit: "requests", atMost: 8 },
  "preview --refresh, 500 with configurations": { unit: "s", atMost: 1.05 },
  "preview --refresh, 500 with configurations, 50 ms": { unit: "s", atMost: 1.6 },
  "preview --refresh, 500 with configurations: requests": { unit: "requests", atMost: 508 },
  "refresh, 500 databases": { unit: "s", atMost: 1.05 },
  "refresh, 500 databases, 50 ms": { unit: "s", atMost: 1.08 },
  "refresh, 500 databases: requests": { unit: "requests", atMost: 8 },
  "refresh, 500 with configurations": { unit: "s", atMost: 1.05 },
  "refresh, 500 with configurations, 50 ms": { unit: "s", atMost: 1.6 },
  "refresh, 500 with configurations: requests": { unit: "requests", atMost: 508 },

  "destroy, 500 databases": { unit: "s", atMost: 1.15 },
  "destroy, 500 databases, 50 ms": { unit: "s", atMost: 1.3, plus: LATENCY_OF_500 },
  "destroy, 500 databases, as users run it": { unit: "s" },

  // What a run costs, by the number of databases.
  "up, 10 databases, as users run it": { unit: "s" },
  "preview, 10 databases, as users run it": { unit: "s" },
  "destroy, 10 databases, as users run it": { unit: "s" },
  "up, 100 databases, as users run it": { unit: "s" },
  "preview, 100 databases, as users run it": { unit: "s" },
  "destroy, 100 databases, as users run it": { unit: "s" },
  "up, 1,000 databases, as users run it": { unit: "s" },
  "preview, 1,000 databases, as users run it": { unit: "s" },
  "destroy, 1,000 databases, as users run it": { unit: "s" },
  "up, 1,000 databases": { unit: "s" },
  "destroy, 1,000 databases": { unit: "s" },

  "state of a Database": { unit: "bytes", atMost: 1200 },

  // The least that the platform allows for each, and four look-ups a run.
  "requests: create 50 databases": { unit: "requests", atMost: 50 + 4 },
  "requests: create 50 with configurations": { unit: "requests", atMost: 100 + 4 },
  "requests: update 50 configurations": { unit: "requests", atMost: 50 + 4 },
  "requests: delete 50 databases": { unit: "requests", atMost: 50 + 4 },
  "requests: restore 50 with configurations": { unit: "requests", atMost: 100 + 4 },
  "requests: mint 50 tokens": { unit: "requests", atMost: 50 + 4 },
  "requests: revoke 50 tokens": { unit: "requests", atMost: 50 + 4 },

  // Of the requests that are refused, few are refused again.
  "up, 500 databases, 429 above 10 requests a second": { unit: "s" },
  "up, 500 databases, 429 above 10 requests a second: requests": { unit: "requests", atMost: 1.6 * 500 },

  "dynamic providers against the plugin: up, 500 databases, as users run it": { unit: "s", atMost: 1.15 },
  "dynamic providers against a hand-written provider: up, 500 databases, as users run it": {
    unit: "s",
    atMost: 1 / 3.5,
  },

  // A change takes one request for each, a look one for each thousand; and four look-ups a run.
  "growth: requests of up, 2,000 databases": { unit: "requests", atMost: 2000 + 4 },
  "growth: requests of preview, 2,000 databases": { unit: "requests", atMost: 2 + 4 },
  "growth: processor time of one more database, up, above 1,000 against below": { unit: "ms", atMost: 1 },
  "growth: processor time of one more database, preview, above 1,000 against below": { unit: "ms", atMost: 1 },

  "reference API: reads": { unit: "requests/s", atLeast: 0.4 },
  "reference API: durable writes, 32 connections": { unit: "requests/s", atLeast: 5 },
  "reference API: start to ready": { unit: "ms", atMost: 1.3 },
  "reference API: a page of 1,000 of 10,000 databases, against one of 100": { unit: "ms", atMost: 1.3 },
  "reference API: a create beside 10,000 databases, against 100": { unit: "ms", atMost: 1.3 },
} as const satisfies Record<string, Goal>;

export type MeasurementName = keyof typeof GOALS;
