import { html } from "hono/html";
import { FREE_PLAN } from "../../contract/organization";
import type { Organization } from "../store/organizations";
import type { Token } from "../store/tokens";
import type { View } from "./view";

/** Maximum number of organizations that are shown as tabs. More tabs would fill a small screen. */
const MOST_TABS = 6;

export const organizationTabs = ({ organizations: { rows, more }, organization }: View) => {
  const all = rows.some(({ id }) => id === organization.id) ? rows : [...rows, organization];
  return html`
    <nav class="organizations" id="organizations" aria-label="Organizations" data-live>
      ${all.length > MOST_TABS ? organizationSelect(all, organization) : tabsOf(all, organization)}
      ${more ? html`<p class="rest">There are more. Open one with <code>/?organization=</code> and its name.</p>` : ""}
    </nav>`;
};

const tabsOf = (all: readonly Organization[], shown: Organization) => html`
  <ul>
    ${all.map(
      (each) => html`
        <li><a href="/?organization=${encodeURIComponent(each.slug)}"${each.id === shown.id ? html` aria-current="page"` : ""}>${each.slug} <span class="plan">${shownPlan(each)}</span></a></li>`,
    )}
  </ul>`;

const organizationSelect = (all: readonly Organization[], shown: Organization) => html`
  <form action="/" method="get">
    <label for="organization">Organization</label>
    <select id="organization" name="organization">
      ${all.map((each) => html`<option value="${each.slug}"${each.id === shown.id ? html` selected` : ""}>${each.slug} (${shownPlan(each)})</option>`)}
    </select>
    <button>Show</button>
  </form>`;

const shownPlan = ({ plan }: Organization): string => (plan === FREE_PLAN ? "free plan" : plan);

export const tokensSection = ({ tokens: { rows, more } }: View) => html`
  <section id="tokens" aria-labelledby="tokens-title" data-live>
    <h2 id="tokens-title">API tokens</h2>
    <p class="lead">Tokens with their scopes. A token itself is shown only once, when it is created.</p>
    ${rows.length === 0 ? html`<p class="empty">No tokens.</p>` : ""}
    <ul class="things">${rows.map(tokenItem)}</ul>
    ${more ? html`<p class="rest">There are more.</p>` : ""}
  </section>`;

const tokenItem = ({ name, username, group_name, scopes, created_at }: Token) => html`
  <li>
    <div class="what"><strong>${name}</strong> <span class="about">of ${username}, since ${created_at.slice(0, 10)}</span></div>
    <div class="scopes">
      ${group_name === null ? html`<span class="chip">whole organization</span>` : html`<span class="chip">group ${group_name}</span>`}
      ${(JSON.parse(scopes ?? "[]") as string[]).map((scope) => html`<code class="scope">${scope}</code> `)}
    </div>
  </li>`;

export const membersSection = ({ members: { rows, more } }: View) => html`
  <section id="members" aria-labelledby="members-title" data-live>
    <h2 id="members-title">Members</h2>
    <ul class="members">
      ${rows.map(({ username, role }) => html`<li><span>${username}</span> <span class="chip">${role}</span></li>`)}
    </ul>
    ${more ? html`<p class="rest">There are more.</p>` : ""}
  </section>`;
