import type { dynamic } from "@pulumi/pulumi";
import type { AnyResource } from "../definition";
import type { AnyFunction } from "../function";
import { Instances } from "../instance";
import { InitFailedError } from "../lifecycle/init-failed";
import type { Properties } from "../lifecycle/properties";
import type { Provider } from "../provider";
import { Refusal } from "../refusal";
import { environmentDigests, MissingSettings, WrongSettings } from "../settings";
import { invoke } from "../steps/invoke";
import { invalidArguments } from "./messages";
import { DynamicProvider } from "./provider";
import type { DynamicHost } from "./sdk";

/** Serves a provider's resources and functions without the plugin, as dynamic providers in the program's process. */
export function host(provider: Provider, functions: readonly AnyFunction[]): DynamicHost {
  const instances = new Instances(provider);
  const byType = <T>(value: (resource: AnyResource) => T): Record<string, T> =>
    Object.fromEntries(provider.resources.map((resource) => [resource.type, value(resource)]));
  return {
    providers: byType((resource) => withoutStacks(new DynamicProvider(resource, instances), provider.name)),
    secretArguments: byType(hostSecretTests),
    functions: Object.fromEntries(
      functions.map((definition) => [definition.name, callableFunction(definition, instances)]),
    ),
    environment: () => environmentDigests(provider.settings, process.env),
    isExpected: isExpectedByHost,
  };
}

function hostSecretTests(resource: AnyResource): DynamicHost["secretArguments"][string] {
  const hidden = resource.properties.inputs.filter(({ mayBeSecret }) => mayBeSecret);
  return Object.fromEntries(hidden.map((property) => [property.name, (value: unknown) => property.isSecret(value)]));
}

/** Returns a function that a program can call with arguments and provider settings. */
const callableFunction =
  (definition: AnyFunction, instances: Instances) =>
  async (args: Properties, settings: Properties): Promise<Properties> => {
    const call = { urn: "", signal: new AbortController().signal };
    const { result, failures } = await invoke(definition, args, instances.of(settings).context(call));
    if (result) return result;
    const problems = failures.map(({ property, reason }) => `${property}: ${reason}`);
    throw new Refusal("invalid", { answer: invalidArguments({ functionName: definition.name, reasons: problems }) });
  };

const EXPECTED = [Refusal, MissingSettings, WrongSettings, InitFailedError];

/**
 * Returns whether the message alone explains an error to the user. Any other error is a bug, so its stack trace is
 * needed.
 */
const isExpectedByHost = (thrown: unknown): thrown is Error => EXPECTED.some((kind) => thrown instanceof kind);

/**
 * Wraps a provider so that Pulumi prints only the message of an expected error, without a stack trace.
 *
 * @param title What Pulumi prints before the message.
 */
function withoutStacks(provider: dynamic.ResourceProvider, title: string): dynamic.ResourceProvider {
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
    if (isExpectedByHost(thrown)) Object.assign(thrown, { stack: thrown.message, toString: () => title });
    throw thrown;
  }
}
