import { InitFailedError } from "../lifecycle/init-failed";
import type { Properties } from "../lifecycle/properties";
import { isRefusal, messageOf } from "../refusal";
import type { Program } from "./declared-program";
import { type Change, Refused } from "./engine-run";
import { FakeEngine } from "./fake-engine";
import type { Platform, Subject } from "./subject";

/** A stack on which the laws play programs: on the fake engine, or on the real one. */
export interface Engine {
  run(program: Program, options: RunOptions): Promise<Ended>;
  /** Returns the resources in the stack's state, by logical name. */
  managed(): Promise<ReadonlyMap<string, Managed>>;
  /** Removes a resource from the stack without deleting it. */
  forget(slot: string): Promise<void>;
  close(): Promise<void>;
}

export interface RunOptions {
  readonly preview: boolean;
  /** Ends the run at once when it is aborted, as if the provider's process had been killed. */
  readonly killed?: AbortSignal;
  /** Whether the engine reads every resource before the program runs. Default: true. */
  readonly readsFirst?: boolean;
}

export interface Managed {
  readonly type: string;
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
}

export interface Ended {
  readonly changes: readonly Change[];
  /** Why the run has failed. */
  readonly failure?: string;
  /** What the user was told, besides the failure. */
  readonly said: readonly string[];
  /** After a preview, the expected outputs by logical name. Absent if the engine does not show them. */
  readonly planned?: ReadonlyMap<string, Properties>;
}

/** Opens a stack on the fake engine. Each run is a new process of the provider. */
export function fakeEngine(subject: Subject<Platform>, url: string, platform: Platform): Engine {
  const stack = new FakeEngine(subject.provider);
  return {
    async run(program, { preview, killed, readsFirst = true }) {
      const connection = subject.connect(url, platform);
      const said: string[] = [];
      const signal = killed ?? new AbortController().signal;
      const context = connection.context({ urn: "", signal, log: (_, message) => said.push(message) });
      if (readsFirst) context.session.noteReadsFirst();
      const ends = killed && new Promise((_, reject) => killed.addEventListener("abort", () => reject(new Killed())));
      try {
        await (preview ? stack.preview(program, context) : stack.up(program, context, { killed: ends, readsFirst }));
        const planned = new Map((stack.last?.state ?? []).map(({ slot, outputs }) => [slot, outputs]));
        return { changes: stack.last?.changes ?? [], said, ...(preview ? { planned } : {}) };
      } catch (thrown) {
        return { changes: stack.last?.changes ?? [], said, failure: failureOf(thrown) };
      } finally {
        await connection.close();
      }
    },
    managed: async () =>
      new Map(
        [...stack.managed].map(
          ([
            slot,
            {
              declared: { type },
              id,
              inputs,
              outputs,
            },
          ]) => [slot, { type, id, inputs, outputs }],
        ),
      ),
    forget: async (slot) => stack.forget(slot),
    close: async () => {},
  };
}

export const KILLED = "the process was killed";

class Killed extends Error {
  override readonly message = KILLED;
}

/** Returns the message of an expected error. Any other error is a mistake in the provider, so its stack is returned. */
function failureOf(thrown: unknown): string {
  const isExpected = [Refused, InitFailedError, Killed].some((expected) => thrown instanceof expected);
  if (isRefusal(thrown) || isExpected) return messageOf(thrown);
  return thrown instanceof Error ? String(thrown.stack) : String(thrown);
}
