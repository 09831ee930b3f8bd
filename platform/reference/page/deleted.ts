import { html } from "hono/html";
import { FREE_PLAN } from "../../contract/organization";
import { RECOVERY_WINDOW_MS } from "../../contract/recovery";
import type { Organization } from "../credentials/membership";
import { refuse } from "../messages";
import type { DeletedDatabaseRow, DeletedGroupRow } from "../operations/recovery";
import {
  copyable,
  counted,
  dateText,
  formElement,
  type Report,
  type Reports,
  reportElement,
  type SubmittedForm,
  timeText,
} from "./elements";
import type { View } from "./view";

interface ViewAndReports {
  readonly view: View;
  readonly reports: Reports;
}

export function deletedSection(view: View, reports: Reports) {
  const { deletedGroups, deletedDatabases } = view;
  const none = deletedGroups.rows.length + deletedDatabases.rows.length === 0;
  const obstacle = restoreObstacle(view.organization);
  return html`
    <section id="deleted" aria-labelledby="deleted-title" data-live>
      <h2 id="deleted-title">Deleted</h2>
      ${obstacle ? html`<p class="notice warn">${obstacle}</p>` : html`<p class="lead">Deleted groups and databases can be restored with their data for five days.</p>`}
      ${reportElement(reports, "deleted")}
      ${none ? html`<p class="empty">${nothingDeletedText(view)}</p>` : ""}
      <ul class="things">
        ${deletedGroups.rows.map((group) => deletedGroupItem(group, { view, reports }))}
        ${deletedDatabases.rows.map((database) => deletedDatabaseItem(database, { view, reports }))}
      </ul>
      ${deletedGroups.more || deletedDatabases.more ? html`<p class="rest">There are more. Search for a part of their names to find them.</p>` : ""}
    </section>`;
}

/** Returns why nothing in the organization can be restored, or `undefined` if restoring is possible. */
function restoreObstacle({ plan, restore_enabled }: Organization): string | undefined {
  if (plan === FREE_PLAN)
    return "Nothing can be restored on the free plan. After an upgrade, objects can be restored until five days after their deletion.";
  if (!restore_enabled)
    return "Recovery is disabled for this organization. Nothing can be restored until it is enabled (restore_enabled).";
  return undefined;
}

/** Says whether what is deleted at this instant can be restored, and until when. */
export function undoNote({ organization: { plan, restore_enabled }, now }: Pick<View, "organization" | "now">): string {
  if (plan === FREE_PLAN) return "It cannot be restored on the free plan.";
  if (!restore_enabled) return "It cannot be restored while recovery is disabled.";
  const until = new Date(now.getTime() + RECOVERY_WINDOW_MS);
  return `It can be restored until ${dateText(until)}, ${timeText(until).slice(0, 5)} UTC.`;
}

/** The field of a deletion that tells the server what the page says about its undoing. */
export const undoField = ({ organization }: View) =>
  restoreObstacle(organization) ? "" : html`<input type="hidden" name="undo" value="yes">`;

/** Returns whether what the page said about the undoing of a deletion still holds. */
export const undoNoteStillHolds = ({ undo }: SubmittedForm, organization: Organization): boolean =>
  undo === undefined || restoreObstacle(organization) === undefined;

const nothingDeletedText = ({ wanted }: View): string =>
  wanted.search
    ? `Nothing deleted within the last five days has “${wanted.search}” in its name.`
    : "Nothing was deleted within the last five days.";

const deletedGroupItem = (
  { id, name, deleted_at, cascade_databases }: DeletedGroupRow,
  { view, reports }: ViewAndReports,
) => html`
  <li id="deleted-${id}" class="restorable">
    ${reportElement(reports, `deleted-${id}`)}
    <div class="what">
      <strong>${name}</strong> <span class="chip">group</span>
      <span class="about">deleted with ${counted(cascade_databases, "database")}</span>
      ${copyable(id, `UUID of group ${name}`)}
    </div>
    ${timeLeftToRestore(deleted_at, view.now)}
    ${restoreObstacle(view.organization) ? "" : restoreForm({ id, name: `group ${name}`, operation: "restore-group" }, view)}
  </li>`;

const deletedDatabaseItem = (database: DeletedDatabaseRow, { view, reports }: ViewAndReports) => html`
  <li id="deleted-${database.id}" class="restorable">
    ${reportElement(reports, `deleted-${database.id}`)}
    <div class="what">
      <strong>${database.name}</strong>
      <span class="about">${database.group_deleted_at ? "deleted with group" : "from group"} ${database.group_name}</span>
      ${copyable(database.id, `DbId of ${database.name}`)}
    </div>
    ${timeLeftToRestore(database.deleted_at, view.now)}
    ${
      restoreObstacle(view.organization)
        ? ""
        : html`
          ${restoreForm({ id: database.id, name: database.name, operation: "restore-database" }, view)}
          ${restoreUnderNewNameForm(database, { view, reports })}`
    }
  </li>`;

function timeLeftToRestore(deletedAt: string, now: Date) {
  const left = Math.max(0, Date.parse(deletedAt) + RECOVERY_WINDOW_MS - now.getTime());
  const text = `${timeLeftText(left)} left`;
  return html`
    <div class="left">
      <meter min="0" max="${RECOVERY_WINDOW_MS}" low="${RECOVERY_WINDOW_MS / 5}" optimum="${RECOVERY_WINDOW_MS}" value="${left}" aria-hidden="true"></meter>
      <span>${text}</span>
    </div>`;
}

const isRestoreNameFormOpen = (name: string, report: Report | undefined): boolean =>
  report?.typed?.name !== undefined || report?.message === refuse.restoredNameTaken({ kind: "database", name }).message;

const restoreForm = (thing: { id: string; name: string; operation: string }, view: View) => html`
  <div class="restore">
    ${formElement(
      thing.operation,
      view,
      html`<input type="hidden" name="object" value="${thing.id}"><button>Restore<span class="hidden"> ${thing.name}</span></button>`,
    )}
  </div>`;

/**
 * Renders the form for restoring under another name. The form is open if the old name is taken or a new name was
 * rejected.
 */
function restoreUnderNewNameForm({ id, name }: DeletedDatabaseRow, { view, reports }: ViewAndReports) {
  const report = reports.get(`deleted-${id}`);
  return html`
    <details class="rename"${isRestoreNameFormOpen(name, report) ? html` open` : ""}>
      <summary>Restore under another name<span class="hidden"> than ${name}</span></summary>
      ${formElement(
        "restore-database",
        view,
        html`
          <input type="hidden" name="object" value="${id}">
          <label for="name-of-${id}">New name</label>
          <input id="name-of-${id}" name="name" value="${report?.typed?.name ?? ""}" autocomplete="off" autocapitalize="none" spellcheck="false" required>
          <button>Restore<span class="hidden"> ${name} under the new name</span></button>`,
      )}
    </details>`;
}

const MINUTE = 60000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Formats a duration in at most two units: "4 d 3 h", "12 min". */
function timeLeftText(milliseconds: number): string {
  const days = Math.floor(milliseconds / DAY);
  const hours = Math.floor((milliseconds % DAY) / HOUR);
  const minutes = Math.floor((milliseconds % HOUR) / MINUTE);
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`;
  if (hours > 0) return minutes > 0 ? `${hours} h ${minutes} min` : `${hours} h`;
  return minutes > 0 ? `${minutes} min` : "less than a minute";
}
