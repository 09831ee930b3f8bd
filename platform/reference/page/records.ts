import { html } from "hono/html";
import type { JournalEntry } from "../journal/journal";
import type { AuditLogRow } from "../store/schema";
import { counted, pageHref, shortTimeText } from "./elements";
import type { View } from "./view";

export const requestsSection = ({ journal: entries }: View) => html`
  <section id="journal" aria-labelledby="journal-title" data-live>
    <h2 id="journal-title">Requests</h2>
    <p class="lead">The latest requests to this process.</p>
    ${entries.length === 0 ? html`<p class="empty">No requests yet.</p>` : ""}
    <ol class="entries">${entries.slice(0, UNFOLDED).map(requestItem)}</ol>
    ${earlierRequests(entries.slice(UNFOLDED))}
  </section>`;

/** Number of requests that are shown at once. More would make the page long on a phone, and its columns uneven. */
const UNFOLDED = 8;

const earlierRequests = (entries: readonly JournalEntry[]) =>
  entries.length === 0
    ? ""
    : html`<details class="confirm"><summary>${counted(entries.length, "earlier request")}</summary><ol class="entries">${entries.map(requestItem)}</ol></details>`;

const requestItem = ({ time, method, path, operation, status, caller, fault }: JournalEntry) => html`
  <li>
    <span class="status ${statusClass(status)}">${status === 0 ? "cut" : status}</span>
    <div>
      <strong>${operation ?? "unknown route"}</strong>${fault ? html` <span class="chip warn">fault</span>` : ""}
      <code class="path">${method} ${path}</code>
      <span class="about">${shortTimeText(time)}${caller ? `, ${caller.user} with token ${caller.token.name}` : ""}</span>
    </div>
  </li>`;

const statusClass = (status: number): string =>
  status === 200 ? "good" : status >= 500 || status === 0 ? "bad" : "warn";

export const auditSection = ({ audit: { rows, page, pages }, wanted }: View) => html`
  <section id="audit" aria-labelledby="audit-title" data-live>
    <h2 id="audit-title">Audit log</h2>
    <p class="lead">Changes in this organization, with their authors.</p>
    ${rows.length === 0 ? html`<p class="empty">No changes yet.</p>` : ""}
    <ol class="entries">${rows.map((row) => auditItem(row, page === 1))}</ol>
    ${
      pages === 1
        ? ""
        : html`<p class="rest pages">
            ${page > 1 ? html`<a href="${pageHref(wanted, { log: String(page - 1) }, "audit")}">Later</a>` : ""}
            <span>${page} of ${pages}</span>
            ${page < pages ? html`<a href="${pageHref(wanted, { log: String(page + 1) }, "audit")}">Earlier</a>` : ""}
          </p>`
    }
  </section>`;

function auditItem({ number, code, author, origin, created_at, data }: AuditLogRow, isLatest: boolean) {
  const subject = auditSubject(JSON.parse(data));
  return html`
    <li id="change-${number}"${isLatest ? html` data-announced="${code} ${subject}, by ${author}."` : ""}>
      <span class="origin">${origin}</span>
      <div>
        <strong>${code}</strong> <span class="subject">${subject}</span>
        <span class="about">${shortTimeText(created_at)}, ${author}</span>
      </div>
    </li>`;
}

/** Returns the names of the objects that an audit-log entry concerns. */
const auditSubject = (data: Record<string, unknown>): string =>
  ["database", "group", "name", "location", "username", "organization"]
    .map((name) => data[name])
    .filter((value) => typeof value === "string")
    .join(", ");
