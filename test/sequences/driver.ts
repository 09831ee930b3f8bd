import type { Program } from "../fake-engine/declared-program";
import type { CredentialKind } from "./sequence-fixture";

export interface Outcome {
  readonly refusals: readonly string[];
  readonly empty: boolean;
  readonly output: string;
}

export interface StackResource {
  readonly type: string;
  readonly id: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** Runs programs, either on the real engine or on the `FakeEngine`. */
export interface Driver {
  up(program: Program, credential: CredentialKind): Promise<Outcome>;
  preview(program: Program, credential: CredentialKind): Promise<Outcome>;
  managed(): Promise<ReadonlyMap<string, StackResource>>;
  /** Tokens in the stack's state after a successful run, by logical name. */
  tokens(): Promise<Readonly<Record<string, unknown>>>;
  /** Number of replaced resources that a later run still has to delete. */
  waiting(): Promise<number>;
  close(): Promise<void>;
}
