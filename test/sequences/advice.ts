import type { Program } from "../fake-engine/declared-program";
import { withArgument } from "./declarations";
import type { Scene } from "./scene";

/** A run that keeps what differs says what to write: the id, the property, and the value on the platform. */
const ADVICE =
  /(?:\((\S+)\) differs: the platform has|Restored .*? \((\S+)\) as it was deleted, with) .*?write (\w+): "(\S+?)"\.?$/gm;

/** The program with everything that a run has advised; the same one where nothing is advised. */
export function advisedBy(output: string, scene: Scene): Program {
  let { program } = scene;
  for (const [, differing, restored, property = "", value] of output.matchAll(ADVICE)) {
    const slot = [...program.keys()].find((one) => scene.managed(one) === (differing ?? restored));
    if (slot !== undefined && program.get(slot)?.args[property] !== value)
      program = withArgument(program, slot, property, value);
  }
  return program;
}
