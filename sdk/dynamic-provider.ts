import type * as plugin from "./nodejs";

/**
 * One organization, for resources and functions outside the stack's configured organization: pass `{ provider }` in the
 * options.
 */
export class Provider {
  constructor(
    readonly name: string,
    readonly settings: plugin.ProviderArgs,
  ) {}
}
