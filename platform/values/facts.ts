/**
 * The facts of a message, and those that may be absent: a name that begins with `is` or `can` is a boolean, any other a
 * string. Facts of other types stand with their type at the message.
 */
export type Facts<Name extends string, Optional extends string = never> = {
  readonly [Fact in Name]: FactOf<Fact>;
} & { readonly [Fact in Optional]?: FactOf<Fact> | undefined };

type FactOf<Name> = Name extends `${"is" | "can"}${Capitalize<string>}` ? boolean : string;

/** A saved state of a server. */
export interface SavedSnapshot {
  readonly name: string;
  /** RFC 3339 */
  readonly savedAt: string;
  readonly databases: number;
  readonly rows: boolean;
}

/** The addresses and credentials with which clients reach a server. */
export interface StartedServer {
  readonly url: string;
  readonly organization: string;
  readonly organizationId: string;
  readonly apiToken: string;
  readonly unrestrictedToken: string;
  readonly sql?: string | undefined;
  /** The tokens that the seed declares, by name. */
  readonly tokens: Readonly<Record<string, string>>;
  readonly key?: string | undefined;
}
