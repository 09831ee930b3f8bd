// @module-tag clear-messages

import { expect, test } from "vitest";
import { Refusal } from "../../kit/refusal";
import { restorableAfterDeletion } from "../../kit/restorable";

test("claims no time until which a deleted object can be restored if the platform does not tell", async () => {
  const restorableUntil = () => "2026-03-06T12:00:00Z";
  const answering = (unavailable: () => Promise<string | undefined>) =>
    restorableAfterDeletion({ unavailable, restorableUntil }, {});
  expect(await answering(async () => undefined)).toBe(restorableUntil());
  const refusal = new Refusal("forbidden", { answer: "forbidden" });
  expect(await answering(() => Promise.reject(refusal))).toBeUndefined();
});
