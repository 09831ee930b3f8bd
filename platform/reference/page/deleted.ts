import { html } from "hono/html";
import { RECOVERY_WINDOW_MS } from "../../contract/recovery";
import type { DeletedDatabaseRow } from "../store/databases";
import type { DeletedGroupRow } from "../store/groups";
import { seenOf } from "./address";
import { type Problems, problemAt } from "./problems";
import type { View } from "./view";
import { counted, span } from "./words";

export function deleted(view: View, problems: Problems) {
  const { deletedGroups, deletedDatabases } = view;
  const none = deletedGroups.rows.length + deletedDatabases.rows.length === 0;
  return html`
    <section id="deleted" aria-labelledby="deleted-title" data-live>
      <h2 id="deleted-title">Deleted</h2>
      <p class="lead">What was deleted can be brought back, with its data, for five days.</p>
      ${problemAt(problems, "deleted")}
      ${none ? html`<p class="empty">Nothing was deleted within the last five days.</p>` : ""}
      <ul class="things">
        ${deletedGroups.rows.map((group) => deletedGroup(group, view, problems))}
        ${deletedDatabases.rows.map((database) => deletedDatabase(database, view, problems))}
      </ul>
      ${deletedGroups.more || deletedDatabases.more ? html`<p class="rest">There are more: find them by a part of their names.</p>` : ""}
    </section>`;
}

const deletedGroup = (group: DeletedGroupRow, view: View, problems: Problems) => html`
  <li id="deleted-${group.id}">
    <div class="what">
      <strong>${group.name}</strong> <span class="chip">group</span>
      <span class="about">deleted with ${counted(group.cascade_databases, "database")}</span>
    </div>
    ${timeLeft(group.deleted_at, view.now)}
    ${restoreForm({ id: group.id, name: `group ${group.name}`, operation: "restore-group" }, view)}
    ${problemAt(problems, group.id)}
  </li>`;

const deletedDatabase = (database: DeletedDatabaseRow, view: View, problems: Problems) => html`
  <li id="deleted-${database.id}">
    <div class="what">
      <strong>${database.name}</strong>
      <span class="about">${database.group_deleted_at ? "deleted with group" : "from group"} ${database.group_name}</span>
    </div>
    ${timeLeft(database.deleted_at, view.now)}
    ${restoreForm({ id: database.id, name: database.name, operation: "restore-database" }, view)}
    ${problemAt(problems, database.id)}
  </li>`;

function timeLeft(deletedAt: string, now: Date) {
  const left = Math.max(0, Date.parse(deletedAt) + RECOVERY_WINDOW_MS - now.getTime());
  const text = `${span(left)} left`;
  return html`
    <div class="left">
      <meter min="0" max="${RECOVERY_WINDOW_MS}" low="${RECOVERY_WINDOW_MS / 5}" optimum="${RECOVERY_WINDOW_MS}" value="${left}" aria-hidden="true"></meter>
      <span>${text}</span>
    </div>`;
}

function restoreForm(thing: { id: string; name: string; operation: string }, view: View) {
  return html`
    <form method="post" action="/page/${thing.operation}">
      ${seenOf(view).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
      <input type="hidden" name="id" value="${thing.id}">
      <button>Restore<span class="hidden"> ${thing.name}</span></button>
    </form>`;
}
