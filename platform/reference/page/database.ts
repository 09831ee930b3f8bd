import { randomBytes } from "node:crypto";
import { html } from "hono/html";
import { hostnameOf } from "../operations/names";
import type { Database } from "../store/databases";
import { deletedUndoField, deletedUndoText } from "./deleted";
import {
  confirmElement,
  copyable,
  counted,
  formElement,
  type Part,
  pageHref,
  type Report,
  type Reports,
  reportElement,
} from "./elements";
import { configurationChips, OPENED } from "./groups";
import type { RunStatement, SqlOutcome, SqlValue, StatementResult } from "./sql-console";
import type { View } from "./view";

/** Places of reports about the database that is open. */
export const SQL_PLACE = "sql";
export const TOKEN_PLACE = "token";

/** Renders the database that is open: an SQL box, what a client needs to connect, and the deletion. */
export const openedDatabaseSection = (view: View, reports: Reports) =>
  html`<div id="opened" data-live>${view.opened === undefined ? "" : openedDatabaseCard(view.opened, { view, reports })}</div>`;

interface Shown {
  readonly view: View;
  readonly reports: Reports;
}

const openedDatabaseCard = (database: Database, { view, reports }: Shown) => html`
  <section id="${OPENED}" class="card opened" aria-labelledby="database-title">
    <div class="title">
      <h2 id="database-title">${database.name}</h2>
      <a href="${pageHref(view.wanted, { database: undefined }, "groups")}">Close<span class="hidden"> ${database.name}</span></a>
    </div>
    <p class="lead">Database in group ${database.group_name} ${configurationChips(database)}</p>
    ${reportElement(reports, OPENED)}
    ${openedDatabaseSqlPart(database, { view, reports })}
    ${openedDatabaseConnectPart(database, { view, reports })}
    ${confirmElement(
      html`Delete…<span class="hidden"> database ${database.name}</span>`,
      formElement(
        "delete-database",
        view,
        html`
          ${openedDatabaseFields(database)}${deletedUndoField(view)}
          <p>Deletes database ${database.name} with its rows. ${deletedUndoText(view)}</p>
          <button class="danger">Delete database<span class="hidden"> ${database.name}</span></button>`,
      ),
      { id: `deletion-of-${database.id}` },
    )}
  </section>`;

const openedDatabaseFields = ({ id, name }: Database) =>
  html`<input type="hidden" name="id" value="${id}"><input type="hidden" name="of" value="${name}">`;

function openedDatabaseSqlPart(database: Database, { view, reports }: Shown) {
  if (view.sql === undefined)
    return html`
      <h3>SQL</h3>
      <p class="about">This server stores no rows. Start it with <code>--sql</code> to run statements: <code>npx pulumi-dbplatform api serve --sql</code></p>`;
  const typed = reports.get(SQL_PLACE)?.typed;
  return html`
    <h3 id="sql-title">SQL</h3>
    <div class="sql" id="sql-of-${database.id}">
      ${formElement(
        `sql#${OPENED}`,
        view,
        html`
          ${openedDatabaseFields(database)}<input type="hidden" name="form" value="${randomBytes(6).toString("base64url")}">
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

function openedDatabaseConnectPart(database: Database, { view, reports }: Shown) {
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
        ${openedDatabaseFields(database)}
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
export const openedDatabaseToken = (token: string) => html`
  <div class="new-token">
    <details class="token">
      <summary>Show the token</summary>
      <code id="new-token">${token}</code>
    </details>
    <button type="button" class="copy" data-copies="new-token" aria-label="Copy the token"></button>
  </div>`;

/** Maximum number of statements and, for each of them, of rows that are shown. */
const MOST_STATEMENTS = 20;
const MOST_ROWS = 100;

const ROLLED_BACK = "The transaction was not committed, so it was rolled back.";

/** Returns the report of statements that the server has answered. */
export function sqlResultsReport({
  statements,
  isRolledBack,
}: Pick<SqlOutcome, "statements" | "isRolledBack">): Pick<Report, "message" | "isDone" | "once"> {
  const once = sqlResults(statements);
  const failed = statements.find(({ error }) => error)?.error;
  if (failed) return { message: `${failed.message} (${failed.code})${isRolledBack ? `. ${ROLLED_BACK}` : ""}`, once };
  const [only, ...others] = statements;
  const message =
    others.length > 0
      ? `${statements.length} statements, all successful.`
      : only?.result
        ? sqlResultSummary(only.result)
        : "";
  return { message: isRolledBack ? `${message} ${ROLLED_BACK}` : message, isDone: true, once };
}

function sqlResults(statements: readonly RunStatement[]): Part {
  const left = statements.length - MOST_STATEMENTS;
  return html`
    ${statements.slice(0, MOST_STATEMENTS).map(({ statement, result, error }, index) => {
      const rows = result && result.cols.length > 0 ? sqlResultTable(result, index) : "";
      if (statements.length === 1) return rows;
      const state = error ? "Failed." : result ? sqlResultSummary(result) : "Not run, because of the error before it.";
      return html`
        <div class="result">
          <code>${sqlResultText(statement.replace(/\s+/g, " "), MOST_STATEMENT)}</code>
          ${rows}
          <p class="${error ? "failed" : "about"}">${state}</p>
        </div>`;
    })}
    ${left > 0 ? html`<p class="rest">${counted(left, "more statement")}.</p>` : ""}`;
}

function sqlResultSummary({ cols, rows, affected_row_count, query_duration_ms }: StatementResult): string {
  const time = `${query_duration_ms.toFixed(1)} ms`;
  if (cols.length === 0) return `${counted(affected_row_count, "row")} changed, ${time}.`;
  const count = rows.length > MOST_ROWS ? `The first ${MOST_ROWS} of ${rows.length} rows` : counted(rows.length, "row");
  return `${count}, ${time}.`;
}

const sqlResultTable = ({ cols, rows }: StatementResult, index: number) => html`
  <div class="rows" role="region" aria-label="Rows of statement ${index + 1}" tabindex="0">
    <table>
      <thead><tr>${cols.map(({ name, decltype }) => html`<th scope="col">${name}${decltype ? html` <span class="type">${decltype}</span>` : ""}</th>`)}</tr></thead>
      <tbody>${rows.slice(0, MOST_ROWS).map((row) => html`<tr>${row.map(sqlResultCell)}</tr>`)}</tbody>
    </table>
  </div>`;

const MOST_STATEMENT = 200;
const MOST_TEXT = 500;
/** Number of characters above which a text is broken into several lines. */
const LONG_TEXT = 40;
const MOST_BYTES = 32;

/** Renders a value so that its type can be seen: `NULL`, numbers on the right, bytes as SQL writes them. */
function sqlResultCell(value: SqlValue) {
  switch (value.type) {
    case "null":
      return html`<td><span class="type">NULL</span></td>`;
    case "integer":
      return html`<td class="number">${value.value}</td>`;
    case "float":
      return html`<td class="number">${sqlResultFloat(value.value)}</td>`;
    case "text":
      return html`<td${value.value.length > LONG_TEXT ? html` class="long"` : ""}>${sqlResultText(value.value, MOST_TEXT)}</td>`;
    case "blob": {
      const bytes = Buffer.from(value.base64, "base64");
      const hex = bytes.subarray(0, MOST_BYTES).toString("hex");
      const more = bytes.length > MOST_BYTES ? "…" : "";
      return html`<td><code>x'${hex}${more}'</code> <span class="type">BLOB, ${counted(bytes.length, "byte")}</span></td>`;
    }
  }
}

/** Writes a float with a decimal point, as SQLite does. The protocol has `null` for infinity. */
function sqlResultFloat(value: number | null): string {
  if (value === null) return "infinity";
  const text = Object.is(value, -0) ? "-0" : String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

const sqlResultText = (text: string, most: number): Part =>
  text.length <= most ? text : html`${text.slice(0, most)}<span class="type">… ${text.length} characters</span>`;
