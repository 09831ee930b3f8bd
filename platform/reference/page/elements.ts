import { html } from "hono/html";
import type { View, ViewOptions } from "./view";

export type Part = ReturnType<typeof html> | string;

/** Returns the address of this page with some parameters changed. The value `undefined` removes a parameter. */
export function pageHref(wanted: ViewOptions, changes: Partial<ViewOptions> = {}, place = ""): string {
  const query = new URLSearchParams(
    Object.entries({ ...lastingOptions(wanted), ...changes }).filter((entry): entry is [string, string] =>
      Boolean(entry[1]),
    ),
  ).toString();
  return `/${query === "" ? "" : `?${query}`}${place && `#${encodeURIComponent(place)}`}`;
}

/** Hidden form fields that hold the page's parameters, so that the page looks the same after the form is submitted. */
const hiddenFields = ({ wanted, organization }: Pick<View, "wanted" | "organization">) =>
  Object.entries({ ...lastingOptions(wanted), organization: organization.slug })
    .filter(([, value]) => Boolean(value))
    .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);

/** Removes the query parameter that shows a report, so that links on the page do not show it again. */
function lastingOptions({ done: _done, ...rest }: ViewOptions): ViewOptions {
  return rest;
}

/** Renders a form for one of the page's actions. No field is named `id`, because a script would find it as `form.id`. */
export const formElement = (action: string, view: Pick<View, "wanted" | "organization">, content: Part) =>
  html`<form method="post" action="/page/${action}">${hiddenFields(view)}${content}</form>`;

/** The result of an action. The page shows it next to the object that the action was about. */
export interface Report {
  /** Empty if the page shows the result in another way. */
  readonly message: string;
  /** The request of the action, as a line for a shell. */
  readonly request?: string;
  /** The fields of the form, so that a rejected form can be corrected. */
  readonly typed?: SubmittedForm;
  readonly isDone?: true;
  /** Content that is shown only in this response. */
  readonly once?: Part;
}

/** Reports by place. A place is the id of an element, or the name of a form. */
export type Reports = ReadonlyMap<string, Report>;

export type SubmittedForm = Readonly<Record<string, string>>;

/**
 * Renders the report at this place, if there is one, and moves the focus to it. The report of an action that people
 * repeat, such as moving the clock, leaves the focus where it is, and is announced. Without an id, an update of the page
 * could make the report into another element.
 */
export function reportElement(reports: Reports, place: string, { isRepeated = false } = {}) {
  const report = reports.get(place);
  if (report === undefined) return "";
  const { message, request, isDone, once = "" } = report;
  const role = isDone ? "status" : "alert";
  const attributes =
    isRepeated && isDone
      ? html`data-announced="${message}"`
      : html`role="${role}"${isRepeated ? "" : html` tabindex="-1" autofocus`}`;
  return html`
    <div class="report" id="report-${place}" data-kept>
      ${message === "" ? "" : html`<p class="${isDone ? "notice" : "refusal"}" ${attributes}>${message}</p>`}
      ${once}
      ${request === undefined ? "" : requestElement(request)}
    </div>`;
}

/** Renders a request as a line to copy. */
const requestElement = (line: string) =>
  html`<p class="request"><span class="hidden">The same request in a shell: </span>${copyable(line, "request")}</p>`;

/** Renders a form in a collapsed section, so that what it does takes two clicks even without JavaScript. */
export const confirmElement = (
  summary: Part,
  form: Part,
  { isOpen = false, id }: { readonly isOpen?: boolean; readonly id?: string } = {},
) =>
  html`<details class="confirm"${id === undefined ? "" : html` id="${id}"`}${isOpen ? html` open` : ""}><summary>${summary}</summary>${form}</details>`;

/** Renders a field for the name of a new object. */
export const nameField = (id: string, typed = "") =>
  html`<input id="${id}" name="name" value="${typed}" autocomplete="off" autocapitalize="none" spellcheck="false" required>`;

/** Renders text with a copy button, which is visible only if the page's script runs. */
export const copyable = (text: string, name: string) =>
  html`<span class="copyable"><code>${text}</code><button type="button" class="copy" aria-label="Copy the ${name}"></button></span>`;

/** Formats the date of an instant. The page's script formats date and time in the same way. */
export const dateText = (instant: Date): string => instant.toUTCString().slice(0, 16);
export const timeText = (instant: Date): string => instant.toUTCString().slice(17, 25);

export const shortTimeText = (text: string): string => {
  const instant = new Date(text);
  return `${instant.toUTCString().slice(5, 11)}, ${timeText(instant)}`;
};

export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
