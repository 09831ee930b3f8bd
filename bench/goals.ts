/** What a line is measured in, and what is expected of it. Without either bound it is told and not judged. */
export interface Goal {
  readonly unit: "ms" | "s" | "MB" | "bytes" | "requests" | "requests/s";
  /** Times the floor; where the line has no floor, the figure itself. */
  readonly atMost?: number;
  readonly atLeast?: number;
  /** Allowed beside the floor, in the unit: is taken from our figure before it is compared. */
  readonly plus?: number;
}

/** Every line of the table, in its order. */
export const GOALS = {
  "start, spawn to port line": { unit: "ms", atMost: 0.85 },
  "memory after the port line": { unit: "MB", atMost: 0.95 },
  "reference API: reads": { unit: "requests/s", atLeast: 0.4 },
  "reference API: durable writes, 32 connections": { unit: "requests/s", atLeast: 5 },
  "reference API: start to ready": { unit: "ms", atMost: 1.3 },
  "reference API: a page of 1,000 of 10,000 databases, against one of 100": { unit: "ms", atMost: 1.3 },
  "reference API: a create beside 10,000 databases, against 100": { unit: "ms", atMost: 1.3 },
} as const satisfies Record<string, Goal>;

export type LineName = keyof typeof GOALS;
