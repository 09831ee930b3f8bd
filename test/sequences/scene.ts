import type { Program } from "../fake-engine/declared-program";
import type { CredentialKind, SequenceFixture, View } from "./sequence-fixture";

/** The current state of a sequence. */
export interface Scene {
  readonly stage: SequenceFixture;
  program: Program;
  credential: CredentialKind;
  /** The platform before the last run. */
  before: View;
  /** Returns the id of the object that is managed under a logical name. */
  managed(slot: string): string | undefined;
  /**
   * Ids of objects that were restored without Pulumi. `rotated` has the ids whose signing keys were rotated without
   * Pulumi, which no read shows.
   */
  readonly revived: Set<string>;
  readonly rotated: Set<string>;
  /** Programs in which a run has found a protected resource, by logical name. */
  readonly wasProtected: Map<string, Program>;
}

/** One step: what to do, to which of the candidates, and how. A step without candidates does nothing. */
export interface Step {
  readonly do: string;
  readonly to: number;
  readonly how: number;
}

export const pick = <T>(all: readonly T[], index: number): T | undefined => all[index % Math.max(all.length, 1)];
