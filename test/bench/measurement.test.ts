import { expect, test } from "vitest";
import { verdictOf } from "../../bench/measurement";

test("judges by the best figure of each side, and shows the median of the rounds", () => {
  const verdict = verdictOf({ name: "up, 500 with configurations", ours: [9, 5.4, 20], floor: [5, 6, 10] });
  expect(verdict).toEqual({ ours: 5.4, floor: 5, ratio: 1.08, medianRatio: 1.8, met: true });
  expect(verdictOf({ name: "up, 500 with configurations", ours: [5.6, 9], floor: [5, 9] })).toMatchObject({
    met: false,
  });
});

test("where more is better, the best is the most", () => {
  expect(verdictOf({ name: "reference API: reads", ours: [10, 41], floor: [60, 100] })).toMatchObject({
    ours: 41,
    floor: 100,
    ratio: 0.41,
    met: true,
  });
});

test("what is allowed beside the floor is taken from ours first", () => {
  const latency = (500 * 0.05) / 16;
  const judged = (ours: number) => verdictOf({ name: "destroy, 500 databases, 50 ms", ours: [ours], floor: [1] });
  expect(judged(latency + 1.29).met).toBe(true);
  expect(judged(latency + 1.31).met).toBe(false);
});

test("a count has to be right in every round", () => {
  expect(verdictOf({ name: "preview, 500 databases: requests", ours: [2, 8] }).met).toBe(true);
  expect(verdictOf({ name: "preview, 500 databases: requests", ours: [9, 2] })).toMatchObject({
    ours: 9,
    met: false,
  });
});
