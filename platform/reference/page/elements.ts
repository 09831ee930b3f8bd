import { html } from "hono/html";
import type { View, Wanted } from "./view";

/** Returns the address of this page with some parameters changed. The value `undefined` removes a parameter. */
export function addressOf(wanted: Wanted, changes: Partial<Wanted> = {}, place = ""): string {
  const query = new URLSearchParams(
    Object.entries({ ...lastingOptions(wanted), ...changes }).filter((entry): entry is [string, string] =>
      Boolean(entry[1]),
    ),
  ).toString();
  return `/${query === "" ? "" : `?${query}`}${place && `#${place}`}`;
}

/** Hidden form fields that hold the page's parameters, so that the page looks the same after the form is submitted. */
export const hiddenFields = ({ wanted, organization }: Pick<View, "wanted" | "organization">) =>
  Object.entries({ ...lastingOptions(wanted), organization: organization.slug })
    .filter(([, value]) => Boolean(value))
    .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);

/** Removes the query parameters that show a notice, so that links on the page do not show it again. */
function lastingOptions({ restored: _restored, reset: _reset, ...rest }: Wanted): Wanted {
  return rest;
}

export interface Problem {
  readonly message: string;
  readonly typed?: string;
}

export type Problems = ReadonlyMap<string, Problem>;

/**
 * Renders the error message for the section, database or group with this id, if there is one, and moves the focus to
 * the message.
 */
export const problemAt = (problems: Problems, id: string) => {
  const problem = problems.get(id);
  return problem === undefined
    ? ""
    : html`<p class="refusal" role="alert" tabindex="-1" autofocus>${problem.message}</p>`;
};

/** Renders text with a copy button, which is visible only if the page's script runs. */
export const copyable = (text: string, name: string) =>
  html`<span class="copyable"><code>${text}</code><button type="button" class="copy" aria-label="Copy the ${name}"></button></span>`;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Formats a duration in at most two units: "4 d 3 h", "12 min". */
export function durationText(milliseconds: number): string {
  const days = Math.floor(milliseconds / DAY);
  const hours = Math.floor((milliseconds % DAY) / HOUR);
  const minutes = Math.floor((milliseconds % HOUR) / MINUTE);
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`;
  if (hours > 0) return minutes > 0 ? `${hours} h ${minutes} min` : `${hours} h`;
  return minutes > 0 ? `${minutes} min` : "less than a minute";
}

/** Formats the date of an instant. The page's script formats date and time in the same way. */
export const dateOf = (instant: Date): string => instant.toUTCString().slice(0, 16);
export const timeOfDay = (instant: Date): string => instant.toUTCString().slice(17, 25);

export const shortTime = (text: string): string => {
  const instant = new Date(text);
  return `${instant.toUTCString().slice(5, 11)}, ${timeOfDay(instant)}`;
};

export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
