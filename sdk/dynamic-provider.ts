import type * as plugin from "./nodejs";

/** One organization, for what is not in that of the stack's configuration: `{ provider }` in the options. */
export class Provider {
  constructor(
    readonly name: string,
    readonly settings: plugin.ProviderArgs,
  ) {}
}
