import type { Program } from "../../kit/laws/declared-program";
import { differenceKept, referenceOutdated, restoredWithDifference } from "../../kit/lifecycle/restore/messages";
import { withArgument } from "./declarations";
import { ANY, patternOf, WORD, WORDS } from "./message-pattern";
import type { Scene } from "./scene";

const difference = { property: WORD, is: WORD, wanted: WORDS };
const KEPT = new RegExp(patternOf(differenceKept({ title: WORDS, id: WORD, difference })), "g");
const RESTORED = new RegExp(patternOf(restoredWithDifference({ title: WORDS, id: WORD, difference })), "g");
const referred = { kind: WORDS, id: ANY, name: WORD };
const OUTDATED = new RegExp(patternOf(referenceOutdated({ title: WORDS, id: WORD, referred, ...difference })), "g");

/** Returns the program with all changes that the output advises, or the unchanged program if it advises none. */
export function advisedBy(output: string, scene: Scene): Program {
  let { program } = scene;
  const advised = [
    ...[...output.matchAll(KEPT)].map(([, property = "", id, value]) => ({ id, property, value })),
    ...[...output.matchAll(RESTORED)].map(([, id, property = "", value]) => ({ id, property, value })),
    ...[...output.matchAll(OUTDATED)].map(([, id, value, property = ""]) => ({ id, property, value })),
  ];
  for (const { id, property, value } of advised) {
    const slot = [...program.keys()].find((one) => scene.managed(one) === id);
    if (slot !== undefined && program.get(slot)?.args[property] !== value)
      program = withArgument(program, slot, property, value);
  }
  return program;
}
