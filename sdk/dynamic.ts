import { throwUnlessNewEnough } from "./needed-node";

throwUnlessNewEnough("pulumi-dbplatform/dynamic");

import * as pulumi from "@pulumi/pulumi";
import type { Provider } from "./dynamic-provider";
import type * as plugin from "./nodejs";

export * from "./dynamic-functions";
export * from "./dynamic-provider";

interface Schema {
  readonly resources: Readonly<Record<string, { readonly properties: Readonly<Record<string, { secret?: boolean }>> }>>;
}

interface Host {
  readonly secretArguments: Readonly<Record<string, Readonly<Record<string, (value: unknown) => boolean>>>>;
}

const { resources }: Schema = require("../../schema.json");

/** Those arguments that may be secret by what they say, marked where they are. */
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

/** The options of the plugin's classes, with a `Provider` of this module. */
export type Options = Omit<pulumi.CustomResourceOptions, "provider"> & { provider?: Provider };

/** A class like the plugin's, served by Pulumi's own dynamic provider process. Nothing needs to be installed for it. */
type DynamicClass<Resource, Args> = new (
  name: string,
  args: Args,
  options?: Options,
) => Resource & pulumi.CustomResource;

function dynamicClass<Resource, Args extends object>(type: string): DynamicClass<Resource, Args> {
  const properties = resources[`dbplatform:index:${type}`]?.properties ?? {};
  const outputs = Object.fromEntries(Object.keys(properties).map((property) => [property, undefined]));
  const secret = Object.keys(properties).filter((property) => properties[property]?.secret);
  // By reference: what was serialized would go stale in the state.
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

// The same names, arguments and outputs as the plugin's classes; `import` in the options restores what is deleted.
export const Group = dynamicClass<plugin.Group, plugin.GroupArgs>("Group");
export type Group = plugin.Group;
export const Database = dynamicClass<plugin.Database, plugin.DatabaseArgs>("Database");
export type Database = plugin.Database;
export const DatabaseConfiguration = dynamicClass<plugin.DatabaseConfiguration, plugin.DatabaseConfigurationArgs>(
  "DatabaseConfiguration",
);
export type DatabaseConfiguration = plugin.DatabaseConfiguration;
export const ApiToken = dynamicClass<plugin.ApiToken, plugin.ApiTokenArgs>("ApiToken");
export type ApiToken = plugin.ApiToken;
export const DatabaseToken = dynamicClass<plugin.DatabaseToken, plugin.DatabaseTokenArgs>("DatabaseToken");
export type DatabaseToken = plugin.DatabaseToken;
export const GroupToken = dynamicClass<plugin.GroupToken, plugin.GroupTokenArgs>("GroupToken");
export type GroupToken = plugin.GroupToken;
export const SigningKeyRotation = dynamicClass<plugin.SigningKeyRotation, plugin.SigningKeyRotationArgs>(
  "SigningKeyRotation",
);
export type SigningKeyRotation = plugin.SigningKeyRotation;
