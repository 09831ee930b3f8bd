import { html } from "hono/html";
import type { View, Wanted } from "./view";

/** Returns the address of this page with some parameters changed. The value `undefined` removes a parameter. */
export function addressOf(wanted: Wanted, changes: Partial<Wanted> = {}, place = ""): string {
  const query = new URLSearchParams(
    Object.entries({ ...lasting(wanted), ...changes }).filter((entry): entry is [string, string] => Boolean(entry[1])),
  ).toString();
  return `/${query === "" ? "" : `?${query}`}${place && `#${place}`}`;
}

/** Hidden form fields that hold the page's parameters, so that the page looks the same after the form is submitted. */
export const hiddenFields = ({ wanted, organization }: Pick<View, "wanted" | "organization">) =>
  Object.entries({ ...lasting(wanted), organization: organization.slug })
    .filter(([, value]) => Boolean(value))
    .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);

/** Removes the query parameters that show a notice, so that links on the page do not show it again. */
function lasting({ restored: _restored, reset: _reset, ...rest }: Wanted): Wanted {
  return rest;
}
