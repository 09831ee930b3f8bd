import type { TestCase } from "vitest/node";

/** A reporter of Vitest that prints each failure when its test ends, so that an interrupted run has not lost it. */
export default class Failures {
  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result();
    if (state !== "failed") return;
    const reasons = errors.map(({ message, stack }) => stack ?? message);
    console.error(`FAILED ${test.module.relativeModuleId} > ${test.fullName}\n${reasons.join("\n")}\n`);
  }
}
