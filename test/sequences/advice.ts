import type { Program } from "../fake-engine/declared-program";
import { withArgument } from "./declarations";
import type { Scene } from "./scene";

/** Matches the advice of a run that keeps a difference: the id, the property, and the platform's value. */
const ADVICE =
  /(?:\((\S+)\) differs: the platform has|Restored .*? \((\S+)\) as it was deleted, with) .*?write (\w+): "(\S+?)"\.?$/gm;

/** Returns the program with all advised changes, or the same object if there are none. */
export function advisedBy(output: string, scene: Scene): Program {
  let { program } = scene;
  for (const [, differing, restored, property = "", value] of output.matchAll(ADVICE)) {
    const slot = [...program.keys()].find((one) => scene.managed(one) === (differing ?? restored));
    if (slot !== undefined && program.get(slot)?.args[property] !== value)
      program = withArgument(program, slot, property, value);
  }
  return program;
}
