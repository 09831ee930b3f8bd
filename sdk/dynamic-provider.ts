import type * as plugin from "./nodejs";

/**
 * The settings for an organization other than the stack's. To use these settings for a resource or function, pass `{
 * provider }` in its options.
 */
export class Provider {
  constructor(
    readonly name: string,
    readonly settings: plugin.ProviderArgs,
  ) {}
}
