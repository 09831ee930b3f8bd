import type * as plugin from "./nodejs";

/**
 * The settings for another organization than that of the stack. To use the settings for a resource or function, pass `{
 * provider }` in its options.
 */
export class Provider {
  constructor(
    readonly name: string,
    readonly settings: plugin.ProviderArgs,
  ) {}
}
