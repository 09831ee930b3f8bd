import { html } from "hono/html";
import { clockSection } from "./clock";
import { deletedSection } from "./deleted";
import { confirmElement, formElement, type Part, pageHref, type Reports, reportElement } from "./elements";
import { groupsSection } from "./groups";
import { openedDatabaseSection } from "./opened-database";
import { aboutOrganizationSection, membersSection, organizationTabs, RESET, tokensSection } from "./organization";
import { auditSection, requestsSection } from "./records";
import { snapshotsSection } from "./snapshots";
import type { View } from "./view";

const NAME = "Reference API of the database platform";

export const overviewDocument = (view: View, reports: Reports) =>
  documentShell(
    html`
      ${clockSection(view, reports)}
      ${organizationTabs(view)}
      <main id="main">
        ${aboutOrganizationSection(view, reports)}
        <div class="columns">
          <div>${openedDatabaseSection(view, reports)} ${groupsSection(view, reports)} ${deletedSection(view, reports)} ${snapshotsSection(view, reports)} ${tokensSection(view)}</div>
          <div>${requestsSection(view)} ${auditSection(view)} ${membersSection(view)}</div>
        </div>
      </main>
      <p id="announcements" class="hidden" role="status"></p>
      <script type="module" src="/page/live.js" data-pulse="${view.pulse}" data-address="${pageHref({ ...view.wanted, organization: view.organization.slug })}"></script>`,
    { title: view.organization.slug, nav: resetForm(view, reports) },
  );

/** Renders the page that asks for the key. Only addresses other than loopback require a key. */
export const signInDocument = (wrong: boolean) =>
  documentShell(html`
    <main id="main" class="sign-in">
      <h1>Enter the key</h1>
      <p>Others can reach this server, so it asks for its key: the one that was set in <code>DBPLATFORM_REFERENCE_KEY</code>, or that it printed when it started.</p>
      <form method="post" action="/page/sign-in">
        <label for="key">Reference-Key</label>
        <input id="key" name="key" type="password" autocomplete="off" required autofocus>
        <button>Continue</button>
      </form>
      ${wrong ? html`<p class="refusal" role="alert">The key is wrong.</p>` : ""}
    </main>`);

export const errorDocument = (sentence: string) =>
  documentShell(
    html`<main id="main" class="sign-in"><h1>${sentence}</h1><p><a href="/">Back to the start page</a></p></main>`,
  );

const documentShell = (
  content: Part,
  { title = "", nav = "" }: { title?: string; nav?: Part } = {},
) => html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title === "" ? NAME : `${title} · ${NAME}`}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/page/page.css">
  </head>
  <body>
    <a class="skip" href="#main">Skip to the content</a>
    <header class="top">
      <p class="brand"><span class="mark" aria-hidden="true"></span>Database platform <span class="chip">reference API</span></p>
      <nav aria-label="Description"><a href="/docs">Operations</a> <a href="/openapi.json">OpenAPI</a></nav>
      ${nav}
    </header>
    ${content}
  </body>
</html>`;

const resetForm = (view: View, reports: Reports) => html`
  <div id="${RESET}" class="reset" data-live>
    ${confirmElement(
      "Reset…",
      html`
        ${formElement(
          "reset",
          view,
          html`
            <p>Restores the initial data: the records of the seed with their ids, the clock and the fault rules. Everything created or changed since, also before the latest start of the server, is lost${view.sql === undefined ? "" : " with its rows"}, unless a snapshot has it. This cannot be undone. Also clears the list of requests, and revokes all tokens except those of the seed and of each start.</p>
            <button class="danger">Reset everything</button>`,
        )}
        ${reportElement(reports, RESET)}`,
      { isOpen: reports.has(RESET) },
    )}
  </div>`;
