import { gt, inc, valid } from "semver";

const STEPS = ["patch", "minor", "major"] as const;

/**
 * @param wanted A version, or the step from the last one that was released: `patch`, `minor` or `major`.
 * @throws when it is none of these, or not after the last release.
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
