import { randomBytes } from "node:crypto";
import { html } from "hono/html";
import type { Database } from "../operations/database";
import { hostnameOf } from "../operations/hostnames";
import { undoField, undoNote } from "./deleted";
import { confirmElement, copyable, formElement, pageHref, type Reports, reportElement } from "./elements";
import { configurationChips, OPENED } from "./groups";
import type { View } from "./view";

/** Places of reports about the database that is open. */
export const SQL_PLACE = "sql";
export const TOKEN_PLACE = "token";

/** Renders the database that is open: an SQL box, what a client needs to connect, and the deletion. */
export const openedDatabaseSection = (view: View, reports: Reports) =>
  html`<div id="opened" data-live>${view.opened === undefined ? "" : databaseCard(view.opened, { view, reports })}</div>`;

interface ViewAndReports {
  readonly view: View;
  readonly reports: Reports;
}

const databaseCard = (database: Database, { view, reports }: ViewAndReports) => html`
  <section id="${OPENED}" class="card opened" aria-labelledby="database-title">
    <div class="title">
      <h2 id="database-title">${database.name}</h2>
      <a href="${pageHref(view.wanted, { database: undefined }, "groups")}">Close<span class="hidden"> ${database.name}</span></a>
    </div>
    <p class="lead">Database in group ${database.group_name} ${configurationChips(database)}</p>
    ${reportElement(reports, OPENED)}
    ${sqlPart(database, { view, reports })}
    ${connectPart(database, { view, reports })}
    ${confirmElement(
      html`Delete…<span class="hidden"> database ${database.name}</span>`,
      formElement(
        "delete-database",
        view,
        html`
          ${targetFields(database)}${undoField(view)}
          <p>Deletes database ${database.name} with its rows. ${undoNote(view)}</p>
          <button class="danger">Delete database<span class="hidden"> ${database.name}</span></button>`,
      ),
      { id: `deletion-of-${database.id}` },
    )}
  </section>`;

const targetFields = ({ id, name }: Database) =>
  html`<input type="hidden" name="object" value="${id}"><input type="hidden" name="of" value="${name}">`;

function sqlPart(database: Database, { view, reports }: ViewAndReports) {
  if (view.sql === undefined)
    return html`
      <h3>SQL</h3>
      <p class="about">This server stores no rows. Start it with <code>--sql</code> to run statements.</p>`;
  const typed = reports.get(SQL_PLACE)?.typed;
  return html`
    <h3 id="sql-title">SQL</h3>
    <div class="sql" id="sql-of-${database.id}">
      ${formElement(
        `sql#${OPENED}`,
        view,
        html`
          ${targetFields(database)}<input type="hidden" name="form" value="${randomBytes(6).toString("base64url")}">
          <label class="hidden" for="statement">Statements</label>
          <textarea id="statement" name="statement" rows="3" autocapitalize="none" autocomplete="off" spellcheck="false" placeholder="select * from sqlite_schema" required>
${typed?.statement ?? ""}</textarea>
          <button>Run<span class="hidden"> the statements</span></button>
          <label><input type="checkbox" name="writes" value="yes"${typed?.writes ? html` checked` : ""}> Allow changes</label>
          <span class="about">Otherwise, the token is read-only. <span class="keys">Ctrl+Enter runs the statements.</span></span>`,
      )}
    </div>
    ${reportElement(reports, SQL_PLACE, { isRepeated: true })}`;
}

function connectPart(database: Database, { view, reports }: ViewAndReports) {
  const { id, name, location } = database;
  const address = view.sql?.replace("{DbId}", id);
  return html`
    <h3>Connect</h3>
    <dl class="facts">
      ${address === undefined ? "" : html`<dt>Address</dt><dd>${copyable(address, `address of ${name}`)}</dd>`}
      <dt>Hostname</dt><dd>${copyable(hostnameOf(name, view.organization, location), `hostname of database ${name}`)}</dd>
    </dl>
    ${formElement(
      "create-token",
      view,
      html`
        ${targetFields(database)}
        <label for="access">Token</label>
        <select id="access" name="authorization">
          <option value="full-access">full access</option>
          <option value="read-only">read-only</option>
        </select>
        <label class="hidden" for="expiration">Expiration</label>
        <select id="expiration" name="expiration">
          <option value="1d">expires in a day</option>
          <option value="never">never expires</option>
        </select>
        <button>Create<span class="hidden"> token of ${name}</span></button>`,
    )}
    ${reportElement(reports, TOKEN_PLACE)}`;
}

/** Renders a new token. It is collapsed, so that nobody who looks at the screen sees it. */
export const tokenElement = (token: string) => html`
  <div class="new-token">
    <details class="token">
      <summary>Show the token</summary>
      <code id="new-token">${token}</code>
    </details>
    <button type="button" class="copy" data-copies="new-token" aria-label="Copy the token"></button>
  </div>`;
