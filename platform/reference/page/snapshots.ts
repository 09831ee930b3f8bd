import { html } from "hono/html";
import type { Snapshot } from "../snapshots/snapshots";
import {
  confirmElement,
  counted,
  formElement,
  nameField,
  type Reports,
  reportElement,
  shortTimeText,
} from "./elements";
import type { View } from "./view";

/** The place of reports about snapshots. */
export const SNAPSHOTS = "snapshots";

/** The place of errors of a snapshot. */
export const snapshotItemPlace = (name: string): string => `snapshot-${name}`;

export const snapshotsSection = (view: View, reports: Reports) => html`
  <section id="${SNAPSHOTS}" aria-labelledby="snapshots-title" data-live>
    <h2 id="snapshots-title">Snapshots</h2>
    <p class="lead">Saved states of the whole server: all records, the clock${view.sql === undefined ? "" : " and the rows"}.</p>
    ${reportElement(reports, SNAPSHOTS)}
    <ul class="things">${view.snapshots.map((snapshot) => snapshotItem(snapshot, { view, reports }))}</ul>
    <div class="new">
      ${formElement(
        "save-snapshot",
        view,
        html`
          <label for="new-snapshot">Name</label> ${nameField("new-snapshot", reports.get(SNAPSHOTS)?.typed?.name)}
          <button>Save<span class="hidden"> snapshot</span></button>`,
      )}
    </div>
  </section>`;

interface ViewAndReports {
  readonly view: View;
  readonly reports: Reports;
}

const snapshotItem = ({ name, savedAt, now, databases, rows }: Snapshot, { view, reports }: ViewAndReports) => html`
  <li id="${snapshotItemPlace(name)}">
    <div class="what">
      <strong>${name}</strong>
      <span class="about">saved ${shortTimeText(savedAt)}, with ${counted(databases, "database")} ${rows ? "and their rows" : "without rows"}; clock at ${shortTimeText(now)}</span>
    </div>
    ${confirmElement(
      html`Load…<span class="hidden"> snapshot ${name}</span>`,
      formElement(
        "load-snapshot",
        view,
        html`<input type="hidden" name="of" value="${name}"><p>Replaces everything in this server by ${name}. What no snapshot has is lost.</p><button class="danger">Load<span class="hidden"> snapshot ${name}</span></button>`,
      ),
    )}
    ${confirmElement(
      html`Delete…<span class="hidden"> snapshot ${name}</span>`,
      formElement(
        "delete-snapshot",
        view,
        html`<input type="hidden" name="of" value="${name}"><p>Deletes ${name}. This cannot be undone.</p><button class="danger">Delete<span class="hidden"> snapshot ${name}</span></button>`,
      ),
    )}
    ${reportElement(reports, snapshotItemPlace(name))}
  </li>`;
