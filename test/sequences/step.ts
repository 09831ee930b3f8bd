import fc from "fast-check";
import { isRefusal } from "../../kit/refusal";
import { EDITS } from "./edits";
import { OUTSIDE } from "./outside";
import { pick, type Scene, type SequenceStep } from "./scene";
import { CREDENTIALS } from "./sequence-fixture";

const CREDENTIAL_CHANGE = "credential";
export const UP = "up";

const weighted = (weight: number, names: readonly string[]) =>
  names.map((name) => ({ weight, arbitrary: fc.constant(name) }));

/** Maximum number of steps in a sequence. Failures of longer sequences are harder to understand. */
const MOST_STEPS = 6;

export const steps: fc.Arbitrary<readonly SequenceStep[]> = fc.noBias(
  fc.array(
    fc.record({
      do: fc.oneof(
        ...weighted(2, Object.keys(EDITS)),
        ...weighted(2, Object.keys(OUTSIDE)),
        ...weighted(4, ["deleteDatabase", "deleteGroup", "advance", "toggle", "import"]),
        ...weighted(3, [CREDENTIAL_CHANGE]),
        ...weighted(8, [UP]),
      ),
      to: fc.nat(13),
      how: fc.nat(6),
    }),
    { minLength: 1, maxLength: MOST_STEPS, size: "max" },
  ),
);

/** Performs a step. A step that the platform rejects has no effect. */
export async function take(scene: Scene, step: SequenceStep): Promise<void> {
  const view = await scene.stage.view();
  const edit = EDITS[step.do];
  if (edit) scene.program = edit(scene.program, step, scene, view);
  else if (step.do === CREDENTIAL_CHANGE) scene.credential = pick(CREDENTIALS, step.how) ?? "admin";
  else await OUTSIDE[step.do]?.(scene, step, view).catch((refusal: unknown) => mustBeRefusal(refusal));
}

function mustBeRefusal(thrown: unknown): void {
  if (!isRefusal(thrown)) throw thrown;
}
