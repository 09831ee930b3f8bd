import type { dynamic } from "@pulumi/pulumi";
import type { AnyResource } from "../definition";
import type { AnyFunction } from "../function";
import { type Properties, traitsOf } from "../lifecycle/properties";
import type { Provider } from "../provider";
import { isSecret } from "../steps/check";
import { callable } from "./functions";
import { Instances } from "./instances";
import { DynamicProvider } from "./provider";
import { isExpected, withoutStacks } from "./thrown";

type SecretTest = (value: unknown) => boolean;

/** The exports that the classes and functions of the SDK for dynamic providers load. */
export interface DynamicHost {
  /** Dynamic providers, by resource type. */
  readonly providers: Readonly<Record<string, dynamic.ResourceProvider>>;
  /**
   * Functions that test whether an argument's value is secret, by resource type and argument name. The SDK classes call
   * them in the program's process, because a dynamic provider's Check cannot mark values as secret.
   */
  readonly secretArguments: Readonly<Record<string, Readonly<Record<string, SecretTest>>>>;
  /**
   * The provider's functions by name. A function runs in the process of the Pulumi program. `settings` holds provider
   * settings, which take precedence over environment variables.
   */
  readonly functions: Readonly<Record<string, (args: Properties, settings: Properties) => Promise<Properties>>>;
  /** Returns whether the message alone explains an error to the user. Any other error is a bug. */
  isExpected(thrown: unknown): thrown is Error;
}

/** Serves a provider's resources and functions without the plugin, as dynamic providers in the program's process. */
export function host(provider: Provider, functions: readonly AnyFunction[]): DynamicHost {
  const instances = new Instances(provider);
  const byType = <T>(value: (resource: AnyResource) => T): Record<string, T> =>
    Object.fromEntries(provider.resources.map((resource) => [resource.type, value(resource)]));
  return {
    providers: byType((resource) => withoutStacks(new DynamicProvider(resource, instances), provider.name)),
    secretArguments: byType(secretTests),
    functions: Object.fromEntries(functions.map((definition) => [definition.name, callable(definition, instances)])),
    isExpected,
  };
}

function secretTests(resource: AnyResource): Record<string, SecretTest> {
  const names = Object.keys(resource.args.shape).filter((name) => traitsOf(resource, name).semantics?.secret);
  return Object.fromEntries(names.map((name) => [name, (value: unknown) => isSecret(resource, name, value)]));
}
