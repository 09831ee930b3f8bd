import type { Program } from "../fake-engine/declared-program";
import type { StackResource } from "./driver";
import type { CredentialKind, PlatformView, SequenceFixture } from "./sequence-fixture";

/** The state that the steps of a sequence change: the program, the credential and the platform. */
export interface Scene {
  readonly stage: SequenceFixture;
  program: Program;
  credential: CredentialKind;
  before: PlatformView;
  managed(slot: string): string | undefined;
  /** Returns the name in a resource's recorded inputs, which is generated if the program sets none. */
  recordedName(slot: string): unknown;
  /** Ids of groups and databases that were restored outside Pulumi. */
  readonly revived: Set<string>;
  /** Ids of groups and databases whose signing keys were rotated outside Pulumi. Pulumi cannot detect rotations. */
  readonly rotated: Set<string>;
  /** The last program that declared each protected resource, by the resource's logical name. */
  readonly wasProtected: Map<string, Program>;
}

/** @param managed Returns the resources of the stack by logical name. */
export const openScene = async (
  stage: SequenceFixture,
  program: Program,
  managed: () => ReadonlyMap<string, StackResource>,
): Promise<Scene> => ({
  stage,
  program,
  credential: "admin",
  before: await stage.view(),
  managed: (slot) => managed().get(slot)?.id,
  recordedName: (slot) => managed().get(slot)?.inputs.name,
  revived: new Set(),
  rotated: new Set(),
  wasProtected: new Map(),
});

/**
 * One step of a sequence: `do` names the action, `to` selects the target, and `how` selects the variant. A step
 * without a matching target does nothing.
 */
export interface SequenceStep {
  readonly do: string;
  readonly to: number;
  readonly how: number;
}

export const pick = <T>(all: readonly T[], index: number): T | undefined => all[index % Math.max(all.length, 1)];
