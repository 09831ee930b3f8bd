import type * as plugin from "./nodejs";

/**
 * Settings for an organization other than the stack's. Resources and functions use these settings if their options
 * contain the provider.
 */
export class Provider {
  constructor(
    readonly name: string,
    readonly settings: plugin.ProviderArgs,
  ) {}
}
