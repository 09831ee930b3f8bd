import { html } from "hono/html";
import { addressOf } from "./address";
import { clock } from "./clock";
import { deleted } from "./deleted";
import { groups } from "./groups";
import { members, tokens } from "./people";
import type { Problems } from "./problems";
import { audit, journal } from "./records";
import type { View } from "./view";

type Part = ReturnType<typeof html> | string;

const NAME = "Reference API of the database platform";

/** The whole page. */
export const overview = (view: View, problems: Problems) =>
  shell(
    html`
      ${clock(view, problems)}
      ${organizations(view)}
      <main id="main">
        ${about(view)}
        <div class="columns">
          <div>${groups(view)} ${deleted(view, problems)} ${tokens(view)}</div>
          <div>${journal(view)} ${audit(view)} ${members(view)}</div>
        </div>
      </main>
      <script src="/page/live.js" data-pulse="${view.pulse}" data-address="${addressOf({ ...view.wanted, organization: view.organization.slug })}" defer></script>`,
    view.organization.slug,
  );

/** Off loopback, before the key was given. */
export const signIn = (wrong: boolean) =>
  shell(html`
    <main id="main" class="sign-in">
      <h1>The key, please</h1>
      <p>Others can reach this server, so it asks for the key that it printed when it started.</p>
      <form method="post" action="/page/sign-in">
        <label for="key">Reference-Key</label>
        <input id="key" name="key" type="password" autocomplete="off" required autofocus>
        <button>Continue</button>
      </form>
      ${wrong ? html`<p class="refusal" role="alert">This is not the key.</p>` : ""}
    </main>`);

/** One sentence instead of the page. */
export const sorry = (sentence: string) =>
  shell(html`<main id="main" class="sign-in"><h1>${sentence}</h1><p><a href="/">To the beginning</a></p></main>`);

const shell = (content: Part, title = "") => html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title === "" ? NAME : `${title} · ${NAME}`}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/page/page.css">
  </head>
  <body>
    <a class="skip" href="#main">To the content</a>
    <header class="top">
      <p class="brand"><span class="mark" aria-hidden="true"></span>Database platform <span class="chip">reference API</span></p>
      <nav aria-label="Description"><a href="/docs">Operations</a> <a href="/openapi.json">OpenAPI</a></nav>
    </header>
    ${content}
  </body>
</html>`;

const organizations = ({ organizations: all, organization }: View) => html`
  <nav class="organizations" aria-label="Organizations">
    <ul>
      ${all.map(
        ({ id, slug, plan }) => html`
          <li><a href="/?organization=${encodeURIComponent(slug)}"${id === organization.id ? html` aria-current="page"` : ""}>${slug} <span class="plan">${plan === "starter" ? "free plan" : plan}</span></a></li>`,
      )}
    </ul>
  </nav>`;

const about = ({ organization: { slug, id, plan, restore_enabled } }: View) => html`
  <div class="about-organization">
    <h1>${slug}</h1>
    <p>
      <code>${id}</code>
      ${plan === "starter" ? html`<span class="chip warn">free plan: nothing can be restored</span>` : ""}
      ${restore_enabled ? "" : html`<span class="chip warn">recovery is disabled</span>`}
    </p>
  </div>`;
