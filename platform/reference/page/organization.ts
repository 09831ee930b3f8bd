import { html } from "hono/html";
import { FREE_PLAN, PlanId } from "../../contract/organization";
import type { Organization } from "../credentials/membership";
import type { Token } from "../credentials/tokens";
import { confirmElement, copyable, formElement, type Reports, reportElement } from "./elements";
import type { View } from "./view";

/** Maximum number of organizations that are shown as tabs. More tabs would fill a small screen. */
const MOST_TABS = 6;

export const organizationTabs = ({ organizations: { rows, more }, organization }: View) => {
  const all = rows.some(({ id }) => id === organization.id) ? rows : [...rows, organization];
  return html`
    <nav class="organizations" id="organizations" aria-label="Organizations" data-live>
      ${all.length > MOST_TABS ? organizationSelect(all, organization) : tabList(all, organization)}
      ${more ? html`<p class="rest">There are more. Open one with <code>/?organization=</code> and its name.</p>` : ""}
    </nav>`;
};

const tabList = (all: readonly Organization[], shown: Organization) => html`
  <ul>
    ${all.map(
      (each) => html`
        <li><a href="/?organization=${encodeURIComponent(each.slug)}"${each.id === shown.id ? html` aria-current="page"` : ""}>${each.slug} <span class="plan">${planLabel(each)}</span></a></li>`,
    )}
  </ul>`;

const organizationSelect = (all: readonly Organization[], shown: Organization) => html`
  <form action="/" method="get">
    <label for="organization">Organization</label>
    <select id="organization" name="organization">
      ${all.map((each) => html`<option value="${each.slug}"${each.id === shown.id ? html` selected` : ""}>${each.slug} (${planLabel(each)})</option>`)}
    </select>
    <button>Show</button>
  </form>`;

const planLabel = ({ plan }: Organization): string => (plan === FREE_PLAN ? "free plan" : plan);

/** The place of the error of a reset. */
export const RESET = "reset";

/** The place of reports about the plan and the recovery of the organization. */
export const SETTINGS = "about";

export function aboutOrganizationSection(view: View, reports: Reports) {
  const { slug, id, plan, restore_enabled } = view.organization;
  return html`
    <div class="about-organization" id="${SETTINGS}" data-live>
      <h1>${slug}</h1>
      <p>
        ${copyable(id, `UUID of organization ${slug}`)}
        ${plan === FREE_PLAN ? html`<span class="chip warn">free plan: nothing can be restored</span>` : ""}
        ${restore_enabled ? "" : html`<span class="chip warn">recovery is disabled</span>`}
      </p>
      <div class="settings">
        ${formElement(
          "set-plan",
          view,
          html`
            <label for="plan">Plan</label>
            <select id="plan" name="plan">${planOptions(plan)}</select>
            <button>Change<span class="hidden"> plan</span></button>`,
        )}
        ${
          restore_enabled
            ? confirmElement(
                "Disable recovery…",
                formElement(
                  "set-recovery",
                  view,
                  html`<p>Nothing that is deleted in ${slug} can be restored while recovery is disabled.</p><button name="restore_enabled" value="false">Disable recovery</button>`,
                ),
              )
            : formElement(
                "set-recovery",
                view,
                html`<button name="restore_enabled" value="true">Enable recovery</button>`,
              )
        }
      </div>
      ${reportElement(reports, SETTINGS)}
    </div>`;
}

/** Renders all plans, and the present one if a seed has given it another name. */
const planOptions = (plan: string) =>
  [...new Set([...PlanId().options, plan])].map(
    (each) => html`<option value="${each}"${each === plan ? html` selected` : ""}>${each}</option>`,
  );

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
    <div class="what"><strong>${name}</strong> <span class="about">by ${username}, ${created_at.slice(0, 10)}</span></div>
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
