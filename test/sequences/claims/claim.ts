import type { Scene } from "../scene";
import type { PlatformView } from "../sequence-fixture";

/** A kind of reason for which an update may be refused. */
export interface Claim {
  readonly name: string;
  /** Returns the reasons of this kind, about each object of the platform and each resource of the program. */
  reasons(scene: Scene, view: PlatformView): readonly Reason[];
}

export interface Reason {
  /** The sentence that gives this reason, from the catalogue of messages. A refusal contains it word for word. */
  readonly says: string;
  /** Whether the reason is true, judged by the state of the platform and the program. */
  readonly isTrue: boolean;
  /** Removes the cause of the refusal and changes nothing else. */
  mend(): unknown;
}

/** Returns a reason for each sentence, all with the same truth and the same cause. */
export const sentences = (says: readonly string[], reason: Omit<Reason, "says">): Reason[] =>
  says.map((sentence) => ({ ...reason, says: sentence }));
