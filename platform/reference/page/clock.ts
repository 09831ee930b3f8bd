import { html } from "hono/html";
import { seenOf } from "./address";
import { type Problems, problemAt } from "./problems";
import type { View } from "./view";
import { dateOf, timeOf } from "./words";

const STEPS: readonly [label: string, spoken: string, seconds: number][] = [
  ["+1 h", "one hour", 3600],
  ["+6 h", "six hours", 6 * 3600],
  ["+1 d", "one day", 24 * 3600],
  ["+5 d", "five days", 5 * 24 * 3600],
];

export const clock = (view: View, problems: Problems) => html`
  <section id="clock" class="clock" aria-labelledby="clock-title" data-live>
    <h2 id="clock-title" class="hidden">Clock</h2>
    <p class="time">
      <time id="now" datetime="${view.now.toISOString()}"${view.stands ? "" : html` data-runs`}>
        <span class="hour">${timeOf(view.now)}</span> <span class="day">${dateOf(view.now)} UTC</span>
      </time>
      <span class="state">${view.stands ? "The clock stands still." : "The clock runs."}</span>
    </p>
    <form method="post" action="/page/clock" aria-labelledby="clock-title">
      ${seenOf(view).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
      ${STEPS.map(
        ([label, spoken, seconds]) =>
          html`<button name="advance" value="${seconds}" aria-label="Advance by ${spoken}">${label}</button> `,
      )}
      <button name="do" value="${view.stands ? "run" : "freeze"}">${view.stands ? "Let it run" : "Stand still"}</button>
    </form>
    ${problemAt(problems, "clock")}
  </section>`;
