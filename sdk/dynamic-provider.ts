import {
  type DynamicFunctionOptions,
  type DynamicOptions,
  type DynamicPackage,
  ExplicitProvider,
} from "../kit/dynamic/sdk";
import type * as plugin from "./nodejs";

/**
 * Settings for an organization other than the stack's. To use them, pass this provider in the `provider` option of a
 * resource or function. A component cannot have it.
 */
export class Provider extends ExplicitProvider<plugin.ProviderArgs> {}

/** The resource options of the plugin's classes, except that `provider` must be a `Provider` from this module. */
export type Options = DynamicOptions<Provider>;
export type FunctionOptions = DynamicFunctionOptions<Provider>;

export const THIS_PACKAGE: DynamicPackage = {
  name: "dbplatform",
  hostModule: "pulumi-dbplatform/dynamic-host",
  host: () => require("pulumi-dbplatform/dynamic-host"),
  schema: require("../../schema.json"),
};
