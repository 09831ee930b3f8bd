import type { Scene } from "../scene";
import type { View } from "../sequence-fixture";

/** A known reason for a refusal. `says` matches the error messages that give this reason. */
export interface Claim {
  readonly name: string;
  readonly says: RegExp;
  /** Whether the reason in an error message is true, judged by the state of the platform and the program. */
  holds(said: Said, scene: Scene, view: View): boolean;
  /** Removes the cause of this refusal and changes nothing else. */
  mend(said: Said, scene: Scene, view: View): unknown;
}

export type Said = readonly string[];
