import { html } from "hono/html";
import { counted, type Part, type Report } from "./elements";
import type { ConsoleResult, RunStatement, SqlOutcome, SqlValue } from "./sql-console";

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
    others.length > 0 ? `${statements.length} statements, all successful.` : only?.result ? summaryOf(only.result) : "";
  return { message: isRolledBack ? `${message} ${ROLLED_BACK}` : message, isDone: true, once };
}

function sqlResults(statements: readonly RunStatement[]): Part {
  const left = statements.length - MOST_STATEMENTS;
  return html`
    ${statements.slice(0, MOST_STATEMENTS).map(({ statement, result, error }, index) => {
      const rows = result && result.cols.length > 0 ? rowsTable(result, index) : "";
      if (statements.length === 1) return rows;
      const state = error ? "Failed." : result ? summaryOf(result) : "Not run, because of the error before it.";
      return html`
        <div class="result">
          <code>${shortened(statement.replace(/\s+/g, " "), MOST_STATEMENT)}</code>
          ${rows}
          <p class="${error ? "failed" : "about"}">${state}</p>
        </div>`;
    })}
    ${left > 0 ? html`<p class="rest">${counted(left, "more statement")}.</p>` : ""}`;
}

function summaryOf({ cols, rows, affected_row_count, query_duration_ms }: ConsoleResult): string {
  const time = `${query_duration_ms.toFixed(1)} ms`;
  if (cols.length === 0) return `${counted(affected_row_count, "row")} changed, ${time}.`;
  const count = rows.length > MOST_ROWS ? `The first ${MOST_ROWS} of ${rows.length} rows` : counted(rows.length, "row");
  return `${count}, ${time}.`;
}

const rowsTable = ({ cols, rows }: ConsoleResult, index: number) => html`
  <div class="rows" role="region" aria-label="Rows of statement ${index + 1}" tabindex="0">
    <table>
      <thead><tr>${cols.map(({ name, decltype }) => html`<th scope="col">${name}${decltype ? html` <span class="type">${decltype}</span>` : ""}</th>`)}</tr></thead>
      <tbody>${rows.slice(0, MOST_ROWS).map((row) => html`<tr>${row.map(cellOf)}</tr>`)}</tbody>
    </table>
  </div>`;

const MOST_STATEMENT = 200;
const MOST_TEXT = 500;
/** Number of characters above which a text is broken into several lines. */
const LONG_TEXT = 40;
const MOST_BYTES = 32;

/** Renders a value so that its type can be seen: `NULL`, numbers on the right, bytes as SQL writes them. */
function cellOf(value: SqlValue) {
  switch (value.type) {
    case "null":
      return html`<td><span class="type">NULL</span></td>`;
    case "integer":
      return html`<td class="number">${value.value}</td>`;
    case "float":
      return html`<td class="number">${floatText(value.value)}</td>`;
    case "text":
      return html`<td${value.value.length > LONG_TEXT ? html` class="long"` : ""}>${shortened(value.value, MOST_TEXT)}</td>`;
    case "blob": {
      const bytes = Buffer.from(value.base64, "base64");
      const hex = bytes.subarray(0, MOST_BYTES).toString("hex");
      const more = bytes.length > MOST_BYTES ? "…" : "";
      return html`<td><code>x'${hex}${more}'</code> <span class="type">BLOB, ${counted(bytes.length, "byte")}</span></td>`;
    }
  }
}

/** Writes a float with a decimal point, as SQLite does. The protocol has `null` for infinity. */
function floatText(value: number | null): string {
  if (value === null) return "infinity";
  const text = Object.is(value, -0) ? "-0" : String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

const shortened = (text: string, most: number): Part =>
  text.length <= most ? text : html`${text.slice(0, most)}<span class="type">… ${text.length} characters</span>`;
