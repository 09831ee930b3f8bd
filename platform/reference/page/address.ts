import { html } from "hono/html";
import type { View, Wanted } from "./view";

/** The address of this page with some of what it shows changed; what is `undefined` is left out. */
export function addressOf(wanted: Wanted, changes: Partial<Wanted> = {}, place = ""): string {
  const query = new URLSearchParams(
    Object.entries({ ...lasting(wanted), ...changes }).filter((entry): entry is [string, string] => Boolean(entry[1])),
  ).toString();
  return `/${query === "" ? "" : `?${query}`}${place && `#${place}`}`;
}

/** What is seen, as fields of a form, so that the page comes back to it. */
export const hiddenFields = ({ wanted, organization }: Pick<View, "wanted" | "organization">) =>
  Object.entries({ ...lasting(wanted), organization: organization.slug })
    .filter(([, value]) => Boolean(value))
    .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);

/** Without what is said once. */
function lasting({ restored: _restored, reset: _reset, ...rest }: Wanted): Wanted {
  return rest;
}
