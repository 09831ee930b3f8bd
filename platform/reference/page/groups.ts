import { html } from "hono/html";
import { type Configuration, type ConfigurationField, UNCONFIGURED } from "../../contract/configuration";
import { locationsOf } from "../operations/location";
import { hostnameOf } from "../operations/names";
import { configurationOf } from "../store/configuration";
import type { GroupOverview } from "../store/overview";
import type { DatabaseRow } from "../store/schema";
import { addressOf, copyable, counted } from "./elements";
import type { View } from "./view";

export const groupsSection = (view: View) => html`
  <section id="groups" aria-labelledby="groups-title" data-live>
    <div class="title">
      <h2 id="groups-title">Groups and databases</h2>
      ${groupSearch(view)}
    </div>
    <p class="lead">A group exists in one or more locations; every database belongs to one.</p>
    ${restoredNotice(view)}
    ${view.groups.length === 0 ? html`<p class="empty">${noGroups(view)}</p>` : ""}
    ${view.groups.map((each) => groupCard(each, view))}
    ${moreGroups(view)}
  </section>`;

const groupSearch = ({ wanted, organization }: View) => html`
  <form class="search" role="search" action="/" method="get">
    <input type="hidden" name="organization" value="${organization.slug}">
    <label class="hidden" for="search">Part of a name</label>
    <input id="search" type="search" name="search" value="${wanted.search ?? ""}" placeholder="Part of a name">
    <button>Find</button>
  </form>`;

const noGroups = ({ wanted }: View): string =>
  wanted.search ? `No group or database has “${wanted.search}” in its name.` : "There are no groups yet.";

const restoredNotice = ({ restored }: View) =>
  restored
    ? html`<p class="notice" role="status">${restored.name} was restored in group ${restored.group_name}.</p>`
    : "";

function groupCard(overview: GroupOverview, view: View) {
  const { group, found, total } = overview;
  const { restored, organization } = view;
  const isAdded = restored?.group_id === group.id && !overview.databases.some(({ id }) => id === restored.id);
  const databases = isAdded ? [restored, ...overview.databases] : overview.databases;
  const isFound = found === total || restored?.name.includes(view.wanted.search?.toLowerCase() ?? "");
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
      ${databases.length === 0 ? html`<p class="empty">No databases.</p>` : databaseTable(databases, hostOf)}
      ${left > 0 ? moreDatabases(left, group.name, view) : ""}
    </article>`;
}

const locationChip = (code: string, primary: boolean) =>
  html`<code class="place">${code}</code>${primary ? html`<span class="hidden"> (primary)</span>` : ""} `;

const chip = (text: string, kind = "") => html`<span class="chip ${kind}">${text}</span> `;

const databaseTable = (databases: readonly DatabaseRow[], hostOf: (database: DatabaseRow) => string) => html`
  <table>
    <caption class="hidden">Databases with their configuration and addresses</caption>
    <tbody>
      ${databases.map(
        (database) => html`
          <tr id="database-${database.id}">
            <th scope="row">${database.name}</th>
            <td>${configurationChips(database)}</td>
            <td class="addresses">
              ${copyable(database.id, `DbId of ${database.name}`)}
              ${copyable(hostOf(database), `hostname of ${database.name}`)}
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`;

const ADDRESSES_SHOWN = 3;

type Setting = Exclude<ConfigurationField, "allowed_ips" | "allowed_aws_vpc_ids">;

/**
 * Functions that render the settings of a database, by setting. Only settings that differ from their defaults are
 * shown.
 */
const CHIPS: { readonly [Name in Setting]: (value: Configuration[Name]) => ReturnType<typeof chip> } = {
  delete_protection: () => chip("protected"),
  size_limit: (most) => chip(`at most ${most}`),
  allow_attach: () => chip("attachable"),
  block_reads: () => chip("reads blocked", "warn"),
  block_writes: () => chip("writes blocked", "warn"),
};

/** Renders the settings of a database that differ from their defaults. */
function configurationChips(database: DatabaseRow) {
  const { allowed_ips, allowed_aws_vpc_ids, ...settings } = configurationOf(database);
  const changed = (Object.keys(CHIPS) as Setting[]).filter((name) => settings[name] !== UNCONFIGURED[name]);
  const addresses = [...allowed_ips, ...allowed_aws_vpc_ids];
  const chips = [
    ...changed.map((name) => CHIPS[name](settings[name] as never)),
    ...addresses.slice(0, ADDRESSES_SHOWN).map((address) => chip(`only ${address}`)),
    ...(addresses.length > ADDRESSES_SHOWN ? [chip(`and ${addresses.length - ADDRESSES_SHOWN} more`)] : []),
  ];
  return chips.length === 0 ? html`<span class="plain">as created</span>` : chips;
}

function moreDatabases(left: number, name: string, { wanted }: View) {
  const text = `${left} more`;
  if (wanted.group === name) return html`<p class="rest">${text}. Search for a part of their names to find them.</p>`;
  return html`<p class="rest"><a href="${addressOf(wanted, { group: name, after: undefined }, "groups")}">${text}<span class="hidden"> in ${name}</span></a></p>`;
}

const moreGroups = ({ wanted, nextGroup }: View) => html`
  ${wanted.group || wanted.search || wanted.after ? html`<p class="rest"><a href="${addressOf(wanted, { group: undefined, search: undefined, after: undefined }, "groups")}">All groups</a></p>` : ""}
  ${nextGroup ? html`<p class="rest"><a href="${addressOf(wanted, { after: nextGroup }, "groups")}">More groups</a></p>` : ""}`;
