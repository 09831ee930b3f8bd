import * as pulumi from "@pulumi/pulumi";
import type { Provider } from "./dynamic-provider";

interface Schema {
  readonly resources: Readonly<Record<string, { readonly properties: Readonly<Record<string, { secret?: boolean }>> }>>;
}

interface Host {
  readonly secretArguments: Readonly<Record<string, Readonly<Record<string, (value: unknown) => boolean>>>>;
}

const { resources }: Schema = require("../../schema.json");

/** Returns only the arguments that may contain secrets. Each is marked as secret if its value contains a secret. */
function guarded(type: string, args: object): object {
  const { secretArguments }: Host = require("pulumi-dbplatform/dynamic-host");
  const tests = secretArguments[type] ?? {};
  return Object.fromEntries(
    Object.entries<object>({ ...args })
      .filter(([name]) => name in tests)
      .map(([name, given]) => [name, pulumi.output(given).apply((value) => guardedBy(tests[name], value))]),
  );
}

const guardedBy = (isSecret: ((value: unknown) => boolean) | undefined, value: object) =>
  isSecret?.(value) ? pulumi.secret(value) : pulumi.output(value);

/** The resource options of the plugin's classes, except that `provider` must be a `Provider` from this module. */
export type Options = Omit<pulumi.CustomResourceOptions, "provider"> & { provider?: Provider };

/**
 * A resource class with the same interface as the plugin's class. Pulumi's dynamic provider process manages the
 * resources, so that no plugin has to be installed.
 */
export type DynamicClass<Resource, Args> = new (
  name: string,
  args: Args,
  options?: Options,
) => Resource & pulumi.CustomResource;

/**
 * Returns a resource class with the name, arguments and outputs of the plugin's class. The option `import` imports an
 * object, and restores the object if it is deleted.
 */
export function dynamicClass<Resource, Args extends object>(type: string): DynamicClass<Resource, Args> {
  const properties = resources[`dbplatform:index:${type}`]?.properties ?? {};
  const outputs = Object.fromEntries(Object.keys(properties).map((property) => [property, undefined]));
  const secret = Object.keys(properties).filter((property) => properties[property]?.secret);
  // The state contains only a reference to the provider, because serialized provider code would become outdated.
  const reference = `exports.handler = () => require("pulumi-dbplatform/dynamic-host").providers.${type};`;

  class Dynamic extends pulumi.CustomResource {
    constructor(name: string, args: Args, { import: id, provider, ...options }: Options = {}) {
      const hidden = {
        __provider: reference,
        __logicalName: name,
        ...(id === undefined ? {} : { __import: id }),
        ...(provider === undefined ? {} : { __settings: pulumi.secret(provider.settings) }),
      };
      const additionalSecretOutputs = [...secret, "__inputs", "__settings"];
      const merged = pulumi.mergeOptions({ additionalSecretOutputs }, options);
      super(
        `pulumi-nodejs:dynamic/dbplatform:${type}`,
        name,
        { ...outputs, ...args, ...guarded(type, args), ...hidden },
        merged,
      );
    }
  }
  return Dynamic as unknown as DynamicClass<Resource, Args>;
}
