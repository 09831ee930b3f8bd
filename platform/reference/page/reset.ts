import { html } from "hono/html";
import { hiddenFields } from "./address";
import { type Problems, problemAt } from "./problems";
import type { View } from "./view";

/** Asks before it does anything, also where there is no script. */
export const reset = (view: View, problems: Problems) => html`
  <details class="reset" id="reset"${problems.has("reset") ? html` open` : ""}>
    <summary>Reset…</summary>
    <form method="post" action="/page/reset">
      ${hiddenFields(view)}
      <p>Puts everything back as it was after the start: all records with their ids, the clock and the faults. The requests are cleared, and later tokens end.</p>
      <button>Reset everything</button>
      ${problemAt(problems, "reset")}
    </form>
  </details>`;
