import type { AnyResource } from "./definition";
import type { Properties } from "./lifecycle/properties";

export interface Titled {
  readonly type: string;
  readonly keyed?: { readonly by: string } | undefined;
}

const titleProperty = ({ keyed }: Titled): string => keyed?.by ?? "name";

/**
 * Returns the type and name for messages, such as `note "shopping"`. For an object without a name, returns only the
 * type.
 */
export function titleOf(resource: Titled, properties: Properties): string {
  const name = properties[titleProperty(resource)];
  return typeof name === "string" ? `${nounOf(resource)} "${name}"` : nounOf(resource);
}

/** The nouns of the types that have been asked for, at most as many as a provider has types. */
const nouns = new Map<string, string>();

/** Converts a resource type to a noun for use in sentences: `ApiKey` becomes "API key". */
export function nounOf({ type }: Pick<AnyResource, "type">): string {
  const noun = nouns.get(type) ?? nounFrom(type);
  nouns.set(type, noun);
  return noun;
}

const nounFrom = (type: string): string =>
  type
    .replace(/(?<=.)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^Api\b/, "API")
    .replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());

/**
 * Returns the phrase that names the resource within a sentence, for example `note "shopping"`, `this token`, or
 * `these settings`.
 */
export function titlePhrase(resource: AnyResource, state: Properties): string {
  if (typeof state[titleProperty(resource)] === "string") return titleOf(resource, state);
  const noun = nounOf(resource);
  return `${noun.endsWith("s") ? "these" : "this"} ${noun}`;
}

/** Returns the phrase that says what a deletion or a restoration takes with the object, or "". */
export const bringsOf = ({
  softDeleted,
}: {
  readonly softDeleted?: { readonly brings?: string } | undefined;
}): string => softDeleted?.brings ?? "";

/** Lists objects in the order of their names. */
export const namesAndIds = (objects: readonly { readonly name: string; readonly id: string }[]): string =>
  objects
    .map(({ name, id }) => `"${name}" (${id})`)
    .sort()
    .join(", ");

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns a clause that goes on with a colon or another sentence, without the full stop that its author may have written. */
export const clause = (text: string): string => text.replace(/(?<!\.)\.$/, "");
