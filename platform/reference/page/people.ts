import { html } from "hono/html";
import type { Token } from "../store/tokens";
import type { View } from "./view";

export const tokens = ({ tokens: { rows, more } }: View) => html`
  <section id="tokens" aria-labelledby="tokens-title" data-live>
    <h2 id="tokens-title">API tokens</h2>
    <p class="lead">Tokens with their scopes. A token itself is shown only once, when it is created.</p>
    ${rows.length === 0 ? html`<p class="empty">No tokens.</p>` : ""}
    <ul class="things">${rows.map(token)}</ul>
    ${more ? html`<p class="rest">There are more.</p>` : ""}
  </section>`;

const token = ({ name, username, group_name, scopes, created_at }: Token) => html`
  <li>
    <div class="what"><strong>${name}</strong> <span class="about">of ${username}, since ${created_at.slice(0, 10)}</span></div>
    <div class="scopes">
      ${group_name === null ? html`<span class="chip">whole organization</span>` : html`<span class="chip">group ${group_name}</span>`}
      ${(JSON.parse(scopes ?? "[]") as string[]).map((scope) => html`<code class="scope">${scope}</code> `)}
    </div>
  </li>`;

export const members = ({ members: { rows, more } }: View) => html`
  <section id="members" aria-labelledby="members-title" data-live>
    <h2 id="members-title">Members</h2>
    <ul class="members">
      ${rows.map(({ username, role }) => html`<li><span>${username}</span> <span class="chip">${role}</span></li>`)}
    </ul>
    ${more ? html`<p class="rest">There are more.</p>` : ""}
  </section>`;
