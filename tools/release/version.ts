import { gt, inc, valid } from "semver";

const STEPS = ["patch", "minor", "major"] as const;

/**
 * Returns the version to release.
 *
 * @param wanted A version, or `patch`, `minor` or `major` to increment the version of the last release.
 * @throws Error if `wanted` is invalid or is not later than the last release.
 */
export function nextVersion(wanted: string | undefined, released: string | undefined): string {
  const step = STEPS.find((each) => each === wanted);
  if (step && released === undefined)
    throw new Error(`nothing was released yet to make a ${step} of: give the version`);
  const next = step && released ? inc(released, step) : valid(wanted);
  if (next === null || (!step && next !== wanted))
    throw new Error(`give a version like 1.2.3, or one of ${STEPS.join(", ")}; not ${JSON.stringify(wanted ?? "")}`);
  if (released !== undefined && !gt(next, released))
    throw new Error(`${next} is not after the last release, ${released}`);
  return next;
}
