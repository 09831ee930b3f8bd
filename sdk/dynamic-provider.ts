import type * as plugin from "./nodejs";

/**
 * Settings for an organization other than the stack's. To use them, pass this provider in the `provider` option of a
 * resource or function.
 */
export class Provider {
  constructor(
    readonly name: string,
    readonly settings: plugin.ProviderArgs,
  ) {}
}
