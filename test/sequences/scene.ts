import type { Program } from "../fake-engine/declared-program";
import type { CredentialKind, SequenceFixture, View } from "./sequence-fixture";

/** Where a sequence stands. */
export interface Scene {
  readonly stage: SequenceFixture;
  program: Program;
  credential: CredentialKind;
  /** What there was before the last run. */
  before: View;
  /** Id of what is managed under a logical name. */
  managed(slot: string): string | undefined;
  /** What somebody else has brought back, and what nobody can see: ids. */
  readonly revived: Set<string>;
  readonly rotated: Set<string>;
  /** What a run has seen protected, and in which program. */
  readonly wasProtected: Map<string, Program>;
}

/** One step: what is done, to which of those that there are, and how. A step that finds nothing to do does nothing. */
export interface Step {
  readonly do: string;
  readonly to: number;
  readonly how: number;
}

export const pick = <T>(all: readonly T[], index: number): T | undefined => all[index % Math.max(all.length, 1)];
