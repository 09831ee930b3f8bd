import { expect } from "vitest";
import type { Program } from "../fake-engine/declared-program";
import { advisedBy } from "./advice";
import type { Reason } from "./claims/claim";
import { CLAIMS } from "./claims/claims";
import { ALL } from "./declarations";
import type { Driver, Outcome, StackResource } from "./driver";
import { mustEqual } from "./equality";
import { Ledger } from "./ledger";
import { openScene, type Scene, type SequenceStep } from "./scene";
import { openSequenceFixture, type PlatformView, type SequenceFixture } from "./sequence-fixture";
import { take, UP } from "./step";

const MOST_MENDINGS = 20;
/**
 * Maximum number of times that the same refusal may occur. A refusal can occur twice, because removing the cause of
 * another refusal may bring it back.
 */
const MOST_RETURNS = 2;

/** The numbers of steps, runs and refusals in all sequences, for the log. */
export interface Tally {
  steps: number;
  runs: number;
  refusals: Record<string, number>;
}

export interface Play {
  open(stage: SequenceFixture): Promise<Driver>;
  readonly seen: Tally;
  readonly rehearses?: boolean;
  /** The first program. Default: every resource. */
  readonly program?: Program;
}

export const nothingSeen = (): Tally => ({ steps: 0, runs: 0, refusals: {} });

/**
 * Performs the steps, then repeats updates until one succeeds. The reason for each refusal must be true, and removing
 * its cause must end the refusal. Afterwards, a preview must show no changes, and the platform must match the program.
 */
export async function play(
  steps: readonly SequenceStep[],
  { open, seen, rehearses = false, program = ALL }: Play,
): Promise<void> {
  const stage = await openSequenceFixture();
  const driver = await open(stage);
  try {
    let managed: ReadonlyMap<string, StackResource> = new Map();
    const scene = await openScene(stage, program, () => managed);
    const ledger = new Ledger();
    const rehearse = async (): Promise<readonly string[]> => {
      const writes = stage.writes();
      const { refusals } = await driver.preview(scene.program, scene.credential);
      expect(stage.writes(), "a preview wrote").toBe(writes);
      for (const refusal of refusals) await judge(refusal, scene, seen);
      return refusals;
    };
    const up = async (): Promise<Outcome> => {
      seen.runs++;
      const before = await stage.view();
      scene.before = before;
      const rehearsed = rehearses ? await rehearse() : [];
      const wasManaged = managed;
      const outcome = await driver.up(scene.program, scene.credential);
      managed = await driver.managed();
      for (const [slot, declared] of scene.program)
        if (declared.protect) scene.wasProtected.set(slot, scene.program);
        else scene.wasProtected.delete(slot);
      const after = await stage.view();
      // Ignores a refusal in the preview if the update removed its cause by deleting a resource. A preview cannot know
      // whether the update will delete that resource early enough.
      const lasting = rehearsed.filter((refusal) => isTrue(refusal, scene, after));
      if (lasting.length > 0) expect(outcome.refusals, `only the preview refused: ${lasting}`).not.toEqual([]);
      const settled = outcome.refusals.length === 0;
      ledger.note({ before, after, wasManaged, managed, scene, output: outcome.output, settled });
      return outcome;
    };
    const repeat = async (): Promise<Outcome> => {
      seen.runs++;
      const writes = stage.writes();
      const outcome = await driver.preview(scene.program, scene.credential);
      expect(outcome.refusals).toEqual([]);
      expect(stage.writes(), "a preview wrote").toBe(writes);
      return outcome;
    };
    expect((await up()).refusals).toEqual([]);
    for (const step of steps) {
      seen.steps++;
      if (step.do !== UP) await take(scene, step);
      else for (const refusal of (await up()).refusals) await judge(refusal, scene, seen);
    }
    const said: string[] = [];
    let again: Outcome;
    for (;;) {
      const { refusals, output } = await up();
      if (refusals.length === 0) {
        again = await repeat();
        const advised = advisedBy(`${output}\n${again.output}`, scene, await stage.view());
        if (advised === scene.program) break;
        expect((await up()).refusals, "an advice is not followed, which is no reason to refuse").toEqual([]);
        scene.program = advised;
        continue;
      }
      for (const refusal of refusals) {
        const before = said.filter((one) => one === refusal);
        expect(before.length, `refused again though its cause is gone: ${refusal}`).toBeLessThan(MOST_RETURNS);
        said.push(refusal);
      }
      expect(said.length).toBeLessThan(MOST_MENDINGS);
      for (const refusal of refusals) await judge(refusal, scene, seen);
      for (const refusal of refusals) await mend(refusal, scene);
    }
    await mustEqual(scene, managed, await driver.tokens());
    expect(await driver.waiting()).toBe(0);
    expect(ledger.leftBehind(await stage.view(), managed)).toEqual([]);
    expect(again.empty, `a second run is not empty: ${again.output}`).toBe(true);
  } finally {
    await driver.close();
    await stage.api.close();
  }
}

/** Asserts that a refusal gives a known reason and that the reason is true. */
async function judge(refusal: string, scene: Scene, seen: Tally): Promise<void> {
  const given = reasonsOf(refusal, scene, await scene.stage.view());
  if (!given) throw new Error(`an unknown refusal: ${refusal}`);
  seen.refusals[given.name] = (seen.refusals[given.name] ?? 0) + 1;
  expect(
    given.reasons.some(({ isTrue }) => isTrue),
    `not true: ${refusal}`,
  ).toBe(true);
}

const isTrue = (refusal: string, scene: Scene, view: PlatformView): boolean =>
  reasonsOf(refusal, scene, view)?.reasons.some((reason) => reason.isTrue) ?? false;

/** Removes the cause of a refusal, unless removing another cause has already done so. */
async function mend(refusal: string, scene: Scene): Promise<void> {
  const given = reasonsOf(refusal, scene, await scene.stage.view());
  await given?.reasons.find((reason) => reason.isTrue)?.mend();
}

/** Returns the first kind of reason that a refusal gives, with the reasons of this kind whose sentences it contains. */
function reasonsOf(
  refusal: string,
  scene: Scene,
  view: PlatformView,
): { readonly name: string; readonly reasons: readonly Reason[] } | undefined {
  for (const { name, reasons } of CLAIMS) {
    const given = reasons(scene, view).filter(({ says }) => refusal.includes(says));
    if (given.length > 0) return { name, reasons: given };
  }
  return undefined;
}
