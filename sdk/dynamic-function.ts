import * as pulumi from "@pulumi/pulumi";
import type { Provider } from "./dynamic-provider";

export interface FunctionOptions {
  readonly provider?: Provider;
}

interface Schema {
  readonly config: { readonly variables: Readonly<Record<string, unknown>> };
}
interface Host {
  readonly functions: Readonly<Record<string, (args: object, settings: object) => Promise<unknown>>>;
  readonly isExpected: (thrown: unknown) => thrown is Error;
}

const { config }: Schema = require("../../schema.json");

/** Calls a function in the program's own process. The provider's code is loaded on the first call. */
async function ask<Result>(name: string, args: object, settings: object): Promise<Result> {
  const { functions, isExpected }: Host = require("pulumi-dbplatform/dynamic-host");
  try {
    return (await functions[name]?.(args, settings)) as Result;
  } catch (thrown) {
    // Converts the error to a RunError, so that Pulumi shows the message without a stack trace.
    throw isExpected(thrown) ? new pulumi.RunError(thrown.message) : thrown;
  }
}

/**
 * Returns the settings of the provider, or the stack's settings if no provider is given. The settings are not marked as
 * secret, because secret settings would make the function's result secret too.
 */
function settingsOf({ provider }: FunctionOptions): pulumi.Output<object> {
  if (provider) return pulumi.unsecret(pulumi.output(provider.settings));
  const ofTheStack = new pulumi.Config("dbplatform");
  return pulumi.output(Object.fromEntries(Object.keys(config.variables).map((name) => [name, ofTheStack.get(name)])));
}

/** Members of Pulumi's outputs that are missing from Pulumi's type declarations. */
interface Inside<T> {
  /** Callers check this before `promise`, because in a preview the promise for an unknown value never resolves. */
  readonly isKnown: Promise<boolean>;
  promise(): Promise<T>;
  allResources(): Promise<ReadonlySet<pulumi.Resource>>;
}

const insideOf = <T>(output: pulumi.Output<T>): Inside<T> => output as unknown as Inside<T>;

/**
 * Returns an output that resolves once all resources that the arguments depend on have been created. Dynamic functions
 * wait for them, as the plugin's functions do.
 */
function madeBefore(args: pulumi.Output<object>): pulumi.Output<unknown> {
  const ids = insideOf(args)
    .allResources()
    .then((all) => [...all].filter(pulumi.CustomResource.isInstance).map(({ id }) => id));
  return pulumi.output(ids);
}

/** Returns a function that sends its request immediately and returns a promise. */
export const functionOf =
  <Args extends object, Result>(name: string) =>
  async (args?: Args, options: FunctionOptions = {}): Promise<Result> => {
    const settings = insideOf(settingsOf(options));
    if (await settings.isKnown) return ask(name, args ?? {}, await settings.promise());
    throw new pulumi.RunError(
      `The settings of provider "${options.provider?.name}" are not known yet: use ${name}Output.`,
    );
  };

/** Returns a function that sends its request once its arguments are known and their dependencies have been created. */
export const outputFunctionOf =
  <Args extends object, Result>(name: string) =>
  (args?: Args, options: FunctionOptions = {}): pulumi.Output<Result> => {
    const given = pulumi.output<object>(args ?? {});
    return pulumi
      .all([given, settingsOf(options), madeBefore(given)])
      .apply(([known, settings]) => ask<Result>(name, known, settings));
  };

export const functionWithoutArguments = <Result>(name: string) => {
  const asked = functionOf<object, Result>(name);
  return (options?: FunctionOptions): Promise<Result> => asked({}, options);
};

export const outputFunctionWithoutArguments = <Result>(name: string) => {
  const asked = outputFunctionOf<object, Result>(name);
  return (options?: FunctionOptions): pulumi.Output<Result> => asked({}, options);
};
