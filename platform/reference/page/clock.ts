import { html } from "hono/html";
import { refuse } from "../messages";
import { Instant } from "../time/instant";
import { dateText, formElement, type Reports, reportElement, timeText } from "./elements";
import type { View } from "./view";

/** The place of reports about the clock. */
export const CLOCK = "clock";

const STEPS: readonly [label: string, spoken: string, seconds: number][] = [
  ["+1 h", "one hour", 3600],
  ["+6 h", "six hours", 6 * 3600],
  ["+1 d", "one day", 24 * 3600],
  ["+5 d", "five days", 5 * 24 * 3600],
];

export const clockSection = (view: View, reports: Reports) => html`
  <section id="${CLOCK}" class="clock" aria-labelledby="clock-title" data-live>
    <h2 id="clock-title" class="hidden">Clock</h2>
    <p class="time" id="time" data-announced="${clockAnnouncement(view)}">
      <time id="now" datetime="${view.now.toISOString()}"${view.stands ? "" : html` data-runs`}>
        <span class="hour">${timeText(view.now)}</span> <span class="day">${dateText(view.now)} UTC</span>
      </time>
      <span class="state">${view.stands ? "The clock is stopped." : "The clock is running."}</span>
    </p>
    <div class="controls">
      ${formElement(
        "clock",
        view,
        html`
          ${STEPS.map(
            ([label, spoken, seconds]) =>
              html`<button name="advance" value="${seconds}">${label}<span class="hidden">: advance by ${spoken}</span></button> `,
          )}
          <button name="do" value="${view.stands ? "run" : "freeze"}">${view.stands ? "Start the clock" : "Stop the clock"}</button>`,
      )}
      ${formElement(
        "clock",
        view,
        html`
          <label for="instant">Set to (UTC)</label>
          <input id="instant" type="datetime-local" name="set" step="1" min="0001-01-01T00:00:00" max="9999-12-31T23:59:59" value="${reports.get(CLOCK)?.typed?.set ?? inClockField(view.now)}" required>
          <button>Set<span class="hidden"> the clock</span></button>`,
      )}
    </div>
    ${reportElement(reports, CLOCK, { isRepeated: true })}
  </section>`;

/**
 * Returns the sentence that screen readers announce. The sentence omits the time while the clock is running, because a
 * new time would be announced every second.
 */
const clockAnnouncement = ({ now, stands }: View): string =>
  stands ? `The clock is stopped at ${timeText(now)}, ${dateText(now)} UTC.` : "The clock is running.";

/** Formats an instant for a `datetime-local` input. */
const inClockField = (instant: Date): string => instant.toISOString().slice(0, 19);

/**
 * Parses the value of a `datetime-local` field. The value is in UTC but has no offset, and omits the seconds if they
 * are zero.
 */
export function parseClockField(text: string): Date {
  const [, minute = "", rest = text] = /^(\d+-\d\d-\d\dT\d\d:\d\d)(.*)$/.exec(text) ?? [];
  const { data } = Instant.safeParse(rest === "" ? `${minute}:00Z` : /Z|[+-]/.test(rest) ? text : `${text}Z`);
  if (!data) throw refuse.invalidInstant({ text });
  return data;
}
