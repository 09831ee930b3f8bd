import { html } from "hono/html";
import { CONFIGURATION, CONFIGURATION_FIELDS } from "../../contract/configuration-fields";
import { configurationOf } from "../operations/configuration";
import { locationsOf } from "../operations/group";
import { hostnameOf } from "../operations/hostnames";
import type { DatabaseRow } from "../store/schema";
import { undoField, undoNote } from "./deleted";
import {
  confirmElement,
  copyable,
  counted,
  formElement,
  nameField,
  pageHref,
  type Reports,
  reportElement,
} from "./elements";
import type { GroupOverview } from "./overview";
import type { View } from "./view";

/** The id of the section about the database that is open. */
export const OPENED = "database";

export const groupsSection = (view: View, reports: Reports) => html`
  <section id="groups" aria-labelledby="groups-title" data-live>
    <div class="title">
      <h2 id="groups-title">Groups and databases</h2>
      ${searchForm(view)}
    </div>
    <p class="lead">A group exists in one or more locations; every database belongs to one.</p>
    ${reportElement(reports, "groups")}
    ${view.groups.length === 0 ? html`<p class="empty">${noGroups(view)}</p>` : ""}
    ${view.groups.map((each) => groupCard(each, { view, reports }))}
    ${moreGroups(view)}
    ${newGroupForm(view, reports)}
  </section>`;

const searchForm = ({ wanted, organization }: View) => html`
  <form class="search" role="search" action="/" method="get">
    <input type="hidden" name="organization" value="${organization.slug}">
    <label class="hidden" for="search">Part of a name</label>
    <input id="search" type="search" name="search" value="${wanted.search ?? ""}" placeholder="Part of a name">
    <button>Find</button>
  </form>`;

const noGroups = ({ wanted }: View): string =>
  wanted.search ? `No group or database has “${wanted.search}” in its name.` : "There are no groups yet.";

/** The place of errors of the form that creates a group. */
export const NEW_GROUP_PLACE = "new-group";

function newGroupForm(view: View, reports: Reports) {
  const report = reports.get(NEW_GROUP_PLACE);
  return html`
    <div class="new">
      ${confirmElement(
        "New group…",
        html`
          ${formElement(
            "create-group",
            view,
            html`
              <label for="new-group">Name</label> ${nameField(NEW_GROUP_PLACE, report?.typed?.name)}
              <span class="field"><label for="new-location">Location</label>
              <select id="new-location" name="location">
                ${Object.entries(view.locations).map(([code, description]) => html`<option value="${code}"${code === report?.typed?.location ? html` selected` : ""}>${description}</option>`)}
              </select></span>
              <button>Create<span class="hidden"> group</span></button>`,
          )}
          ${reportElement(reports, NEW_GROUP_PLACE)}`,
        { isOpen: report !== undefined },
      )}
    </div>`;
}

/** The place of errors of the form that creates a database in this group. */
export const newDatabaseIn = (group: string): string => `new-database-in-${group}`;

/** The place of errors of the form that deletes this group. */
export const deleteGroupFormPlace = (group: string): string => `deletion-of-${group}`;

interface ViewAndReports {
  readonly view: View;
  readonly reports: Reports;
}

/** Says what deleting a group does, or why the platform refuses it. */
function groupDeletionText({ group, protectedDatabase }: GroupOverview, view: View): string {
  const { name, delete_protection } = group;
  if (delete_protection) return `The platform refuses to delete group ${name}, because the group is protected.`;
  if (protectedDatabase !== undefined)
    return `The platform refuses to delete group ${name}, because its database ${protectedDatabase} is protected.`;
  return `Deletes group ${name} with its databases. ${undoNote(view)}`;
}

function groupActions(overview: GroupOverview, { view, reports }: ViewAndReports) {
  const { id, name } = overview.group;
  const [creation, deletion] = [newDatabaseIn(name), deleteGroupFormPlace(name)];
  const report = reports.get(creation);
  return html`
    <div class="group-actions">
      ${confirmElement(
        html`New database…<span class="hidden"> in ${name}</span>`,
        html`
          ${formElement(
            "create-database",
            view,
            html`<input type="hidden" name="in" value="${name}"><label for="new-in-${id}">Name</label> ${nameField(`new-in-${id}`, report?.typed?.name)}
              <button>Create<span class="hidden"> database in ${name}</span></button>`,
          )}
          ${reportElement(reports, creation)}`,
        { isOpen: report !== undefined },
      )}
      ${confirmElement(
        html`Delete…<span class="hidden"> group ${name}</span>`,
        html`
          ${formElement("delete-group", view, html`<input type="hidden" name="object" value="${id}"><input type="hidden" name="of" value="${name}">${undoField(view)}<p>${groupDeletionText(overview, view)}</p><button class="danger">Delete group<span class="hidden"> ${name}</span></button>`)}
          ${reportElement(reports, deletion)}`,
        { isOpen: reports.has(deletion) },
      )}
    </div>`;
}

function groupCard(overview: GroupOverview, { view, reports }: ViewAndReports) {
  const { group, found, total } = overview;
  const { opened, organization } = view;
  const isAdded = opened?.group_id === group.id && !overview.databases.some(({ id }) => id === opened.id);
  const databases = isAdded ? [opened, ...overview.databases] : overview.databases;
  const isFound = found === total || opened?.name.includes(view.wanted.search?.toLowerCase() ?? "");
  const left = found - overview.databases.length - (isAdded && isFound ? 1 : 0);
  const hostOf = ({ name }: DatabaseRow) => hostnameOf(name, organization, group.location);
  return html`
    <article class="card" id="group-${group.id}" aria-labelledby="name-${group.id}">
      <header>
        <h3 id="name-${group.id}">${group.name}</h3>
        <span class="places">${locationsOf(group).map((code, index) => locationChip(code, index === 0))}</span>
        ${group.delete_protection ? chip("protected") : ""}${group.archived ? chip("archived") : ""}
        ${copyable(group.id, `UUID of group ${group.name}`)}
        <span class="count">${found === total ? "" : `${found} of `}${counted(total, "database")}</span>
      </header>
      ${reportElement(reports, `group-${group.id}`)}
      ${databases.length === 0 ? html`<p class="empty">No databases.</p>` : databaseTable(databases, { view, hostOf })}
      ${left > 0 ? moreDatabases(left, group.name, view) : ""}
      ${groupActions(overview, { view, reports })}
    </article>`;
}

const locationChip = (code: string, primary: boolean) =>
  html`<code class="place">${code}</code>${primary ? html`<span class="hidden"> (primary)</span>` : ""} `;

const chip = (text: string, kind = "") => html`<span class="chip ${kind}">${text}</span> `;

interface Rows {
  readonly view: View;
  readonly hostOf: (database: DatabaseRow) => string;
}

const databaseTable = (databases: readonly DatabaseRow[], { view, hostOf }: Rows) => html`
  <table class="databases">
    <caption class="hidden">Databases with their configuration and addresses</caption>
    <tbody>
      ${databases.map((database) => databaseRow(database, { view, hostOf }))}
    </tbody>
  </table>`;

/** Renders a row without spaces between its parts, because there can be hundreds of rows. */
function databaseRow(database: DatabaseRow, { view, hostOf }: Rows) {
  const { id, name } = database;
  const address = pageHref(view.wanted, { organization: view.organization.slug, database: id }, OPENED);
  const link = html`<a href="${address}"${id === view.opened?.id ? html` aria-current="true"` : ""}>${name}</a>`;
  const copies = html`${copyable(id, `DbId of ${name}`)}${copyable(hostOf(database), `hostname of ${name}`)}`;
  return html`<tr id="database-${id}"><th scope="row">${link}</th><td>${configurationList(database)}</td><td class="addresses">${copies}</td></tr>`;
}

const ENTRIES_SHOWN = 3;

const configurationList = (database: DatabaseRow) => {
  const chips = configurationChips(database);
  return chips.length === 0 ? html`<span class="plain">as created</span>` : chips;
};

/** Renders the settings of a database that differ from their defaults, and an engine that it does not really have. */
export function configurationChips(database: DatabaseRow) {
  const configuration = configurationOf(database);
  const settings = database.engine === "tursodb" ? [chip("tursodb, run on SQLite")] : [];
  const entries = [];
  for (const name of CONFIGURATION_FIELDS) {
    const field = CONFIGURATION[name];
    const value = configuration[name];
    if (Array.isArray(value)) entries.push(...value.map((entry) => chip(`${field.chip} ${entry}`)));
    else if (field.kind === "flag" && value) settings.push(chip(field.chip, field.warns && "warn"));
    else if (value) settings.push(chip(`${field.chip} ${value}`));
  }
  const left = entries.length - ENTRIES_SHOWN;
  return [...settings, ...entries.slice(0, ENTRIES_SHOWN), ...(left > 0 ? [chip(`and ${left} more`)] : [])];
}

function moreDatabases(left: number, name: string, { wanted }: View) {
  const text = `${left} more`;
  if (wanted.group === name) return html`<p class="rest">${text}. Search for a part of their names to find them.</p>`;
  return html`<p class="rest"><a href="${pageHref(wanted, { group: name, after: undefined }, "groups")}">${text}<span class="hidden"> in ${name}</span></a></p>`;
}

const moreGroups = ({ wanted, nextGroup }: View) => html`
  ${wanted.group || wanted.search || wanted.after ? html`<p class="rest"><a href="${pageHref(wanted, { group: undefined, search: undefined, after: undefined }, "groups")}">All groups</a></p>` : ""}
  ${nextGroup ? html`<p class="rest"><a href="${pageHref(wanted, { after: nextGroup }, "groups")}">More groups</a></p>` : ""}`;
