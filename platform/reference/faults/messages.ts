import { message } from "../../values/message";

export const operationUnknown = message(
  (given: string) => `must be the name of an operation in /openapi.json, or "*", but is ${given}`,
  ['"listDatabase"'],
  ["missing"],
);

// Fault rules

export const SEED_WITHOUT_PROBABILITY = "seed requires probability";
export const HANG_AND_RESET = "a call cannot both hang and be reset";
export const ANSWER_OF_UNANSWERED = "a call that hangs or is reset gets no response; leave out status and body";
export const STALE_AND_FAILED = "a stale response is complete; leave out hang, reset, status and body";
export const STALE_WRITE = "only operations that read can be stale";
export const RETRY_AFTER_WITHOUT_STATUS = "retryAfter requires status";
export const NO_EFFECT = "the rule has no effect; add latency, status, body, reset, stale or hang";
