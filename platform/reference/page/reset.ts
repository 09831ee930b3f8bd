import { html } from "hono/html";
import { hiddenFields } from "./address";
import { type Problems, problemAt } from "./problems";
import type { View } from "./view";

/** Asks for confirmation, even without a script. */
export const reset = (view: View, problems: Problems) => html`
  <details class="reset" id="reset"${problems.has("reset") ? html` open` : ""}>
    <summary>Reset…</summary>
    <form method="post" action="/page/reset">
      ${hiddenFields(view)}
      <p>Puts everything back as it was after the start: records with their ids, clock and faults. Clears the requests, and ends the tokens that were made since.</p>
      <button>Reset everything</button>
      ${problemAt(problems, "reset")}
    </form>
  </details>`;
