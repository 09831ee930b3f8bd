import { html } from "hono/html";
import { hiddenFields } from "./address";
import { type Problems, problemAt } from "./problems";
import type { View } from "./view";

/** Renders the reset form in a collapsed section, so that a reset takes two clicks even without JavaScript. */
export const reset = (view: View, problems: Problems) => html`
  <details class="reset" id="reset"${problems.has("reset") ? html` open` : ""}>
    <summary>Reset…</summary>
    <form method="post" action="/page/reset">
      ${hiddenFields(view)}
      <p>Restores the state after the start: all records with their ids, the clock and the fault rules. Clears the list of requests, and revokes all tokens created since then.</p>
      <button>Reset everything</button>
      ${problemAt(problems, "reset")}
    </form>
  </details>`;
