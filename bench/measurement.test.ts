import { expect, test } from "vitest";
import { type Effort, type Measurement, measuredUndisturbed, verdictOf } from "./measurement";

test("compares the best measurements of the provider and the baseline, and reports the median ratio", () => {
  const name = "memory when loaded, against bare grpc-js";
  expect(verdictOf({ name, ours: [9, 5.5, 11], floor: [5, 5.5, 5.5] })).toEqual({
    ours: 5.5,
    floor: 5,
    ratio: 1.1,
    medianRatio: 1.8,
    disturbed: false,
    met: true,
  });
  expect(verdictOf({ name, ours: [5.8, 9], floor: [5, 5.1] })).toMatchObject({ met: false });
});

test("reports a goal as neither met nor missed if the baseline varies by more than 15 % between rounds", () => {
  const verdict = verdictOf({ name: "memory when loaded, against bare grpc-js", ours: [5, 5], floor: [5, 5.8] });
  expect(verdict).toMatchObject({ disturbed: true });
  expect(verdict).not.toHaveProperty("met");
});

test("subtracts the allowed latency from a measurement before comparing it with the baseline", () => {
  const name = "refresh, 500 with configurations, 50 ms an answer, against ours without";
  const latency = (500 * 0.05) / 16;
  const judged = (ours: number) => verdictOf({ name, ours: [ours], floor: [1] });
  expect(judged(latency + 1.14).met).toBe(true);
  expect(judged(latency + 1.16).met).toBe(false);
});

test("reports a missed goal if any round sends more requests than the goal allows", () => {
  const name = "requests: preview, 500 with configurations";
  expect(verdictOf({ name, ours: [2, 508] }).met).toBe(true);
  expect(verdictOf({ name, ours: [509, 2] })).toMatchObject({ ours: 509, met: false });
});

test("measures an area up to three times more, until no judged measurement is disturbed, and keeps the others", async () => {
  const judged = "memory when loaded, against bare grpc-js";
  const steady = "start, spawn to port line, against bare grpc-js";
  const unjudged = "dynamic providers, up of 500 as users run it, against the plugin";
  const area = (disturbedRuns: number) => {
    let runs = 0;
    return {
      runs: () => runs,
      measure: async (_: Effort): Promise<readonly Measurement[]> => {
        runs++;
        const floor = runs <= disturbedRuns ? [5, 9] : [5, 5];
        return [
          { name: judged, ours: [runs], floor },
          { name: steady, ours: [runs], floor: [5, 5] },
          { name: unjudged, ours: [runs], floor: [5, 9] },
        ];
      },
    };
  };
  const effort = { rounds: 2, quick: false };
  const calm = area(2);
  const found = await measuredUndisturbed(calm.measure, effort);
  expect(found.map(({ ours }) => ours)).toEqual([[3], [1], [1]]);
  expect(calm.runs()).toBe(3);
  const never = area(99);
  const [given] = await measuredUndisturbed(never.measure, effort);
  expect(given && verdictOf(given)).toMatchObject({ disturbed: true });
  expect(never.runs()).toBe(4);
});
