import { html } from "hono/html";
import { FREE_PLAN } from "../../contract/organization";
import type { Organization } from "../store/organizations";
import type { View } from "./view";

/** Maximum number of organizations that are shown as tabs. More tabs would fill a small screen. */
const MOST_TABS = 6;

export const organizations = ({ organizations: { rows, more }, organization }: View) => {
  const all = rows.some(({ id }) => id === organization.id) ? rows : [...rows, organization];
  return html`
    <nav class="organizations" id="organizations" aria-label="Organizations" data-live>
      ${all.length > MOST_TABS ? choice(all, organization) : tabs(all, organization)}
      ${more ? html`<p class="rest">There are more. Open one with <code>/?organization=</code> and its name.</p>` : ""}
    </nav>`;
};

const tabs = (all: readonly Organization[], shown: Organization) => html`
  <ul>
    ${all.map(
      (each) => html`
        <li><a href="/?organization=${encodeURIComponent(each.slug)}"${each.id === shown.id ? html` aria-current="page"` : ""}>${each.slug} <span class="plan">${planOf(each)}</span></a></li>`,
    )}
  </ul>`;

const choice = (all: readonly Organization[], shown: Organization) => html`
  <form action="/" method="get">
    <label for="organization">Organization</label>
    <select id="organization" name="organization">
      ${all.map((each) => html`<option value="${each.slug}"${each.id === shown.id ? html` selected` : ""}>${each.slug} (${planOf(each)})</option>`)}
    </select>
    <button>Show</button>
  </form>`;

const planOf = ({ plan }: Organization): string => (plan === FREE_PLAN ? "free plan" : plan);
