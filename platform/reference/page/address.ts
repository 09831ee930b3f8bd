import type { View, Wanted } from "./view";

/** The address of this page with some of what it shows changed; what is `undefined` is left out. */
export function addressOf(wanted: Wanted, changes: Partial<Wanted> = {}, place = ""): string {
  const { restored: _once, ...kept } = wanted;
  const query = new URLSearchParams(
    Object.entries({ ...kept, ...changes }).filter((entry): entry is [string, string] => Boolean(entry[1])),
  ).toString();
  return `/${query === "" ? "" : `?${query}`}${place && `#${place}`}`;
}

/** What is seen, as fields of a form, so that the page comes back to it. */
export const seenOf = ({ wanted, organization }: Pick<View, "wanted" | "organization">): [string, string][] =>
  Object.entries({ ...wanted, organization: organization.slug, restored: undefined }).filter(
    (entry): entry is [string, string] => Boolean(entry[1]),
  );
