import { Instance } from "../instance";
import { InitFailedError } from "../lifecycle/init-failed";
import { isRefusal, messageOf } from "../refusal";
import type { Engine } from "./engine";
import { Refused } from "./engine-run";
import { FakeEngine } from "./fake-engine";
import type { Platform, Subject } from "./subject";

/** Opens a stack on the fake engine. Each run is a new process of the provider. */
export function fakeEngine(subject: Subject<Platform>, url: string, platform: Platform): Engine {
  const stack = new FakeEngine(subject.provider);
  return {
    async run(program, { preview, killed, readsFirst = true }) {
      const instance = new Instance(subject.provider, subject.settings(url, platform), {});
      const said: string[] = [];
      const signal = killed ?? new AbortController().signal;
      const context = instance.context({ urn: "", signal, log: (_, message) => said.push(message) });
      if (readsFirst) context.run.readsFirst = true;
      const ends = killed && new Promise((_, reject) => killed.addEventListener("abort", () => reject(new Killed())));
      try {
        await (preview ? stack.preview(program, context) : stack.up(program, context, { killed: ends, readsFirst }));
        const planned = new Map((stack.last?.state ?? []).map(({ slot, outputs }) => [slot, outputs]));
        return { changes: stack.last?.changes ?? [], said, ...(preview ? { planned } : {}) };
      } catch (thrown) {
        return { changes: stack.last?.changes ?? [], said, failure: expectedFailure(thrown) };
      } finally {
        await instance.close();
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

class Killed extends Error {
  override readonly message = "the process was killed";
}

/** Returns the message of an expected error. Any other error is a mistake in the provider, so its stack is returned. */
function expectedFailure(thrown: unknown): string {
  const isExpected = [Refused, InitFailedError, Killed].some((expected) => thrown instanceof expected);
  if (isRefusal(thrown) || isExpected) return messageOf(thrown);
  return thrown instanceof Error ? String(thrown.stack) : String(thrown);
}
