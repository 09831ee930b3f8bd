import { html } from "hono/html";

/** Renders text with a copy button, which is visible only if the page's script runs. */
export const copyable = (text: string, name: string) =>
  html`<span class="copyable"><code>${text}</code><button type="button" class="copy" aria-label="Copy the ${name}"></button></span>`;
