import type { dynamic } from "@pulumi/pulumi";
import { InitFailedError } from "../lifecycle/init-failed";
import { Refusal } from "../refusal";
import { MissingSettings, WrongSettings } from "../settings";

const EXPECTED = [Refusal, MissingSettings, WrongSettings, InitFailedError];

/**
 * Returns whether the message alone explains an error to the user. Any other error is a bug, so its stack trace is
 * needed.
 */
export const isExpected = (thrown: unknown): thrown is Error => EXPECTED.some((kind) => thrown instanceof kind);

/**
 * Wraps a provider so that Pulumi prints only the message of an expected error, without a stack trace.
 *
 * @param title What Pulumi prints before the message.
 */
export function withoutStacks(provider: dynamic.ResourceProvider, title: string): dynamic.ResourceProvider {
  return new Proxy(provider, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      return (...args: readonly unknown[]) => withoutStack(title, async () => method.apply(target, args));
    },
  });
}

async function withoutStack<T>(title: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (isExpected(thrown)) Object.assign(thrown, { stack: thrown.message, toString: () => title });
    throw thrown;
  }
}
