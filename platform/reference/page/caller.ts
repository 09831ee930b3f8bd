import { api } from "../../contract/api";
import { credential, firstWith } from "../credentials/credential";
import { type Outcome, perform } from "../requests/perform";
import type { Services } from "../services";
import type { Organization } from "../store/organizations";

/** The User-Agent of a browser, which makes the audit log record the origin `web`. */
const USER_AGENT = "Mozilla/5.0 (page of the reference API)";

type Restoring =
  | { readonly operation: "restoreDatabase"; readonly databaseId: string; readonly name?: string }
  | { readonly operation: "restoreGroup"; readonly groupId: string };

/**
 * Restores databases and groups through the platform's own operations, with a credential of an owner or admin. The
 * credential is kept only in memory. A new credential is minted if the old one has been revoked, or if `firstWith`
 * selects another user.
 */
export class Restorer {
  /** One entry for each organization in which somebody has restored something on the page. */
  readonly #credentials = new Map<string, { readonly userId: string; readonly token: string }>();

  readonly #parts: Services;

  constructor(parts: Services) {
    this.#parts = parts;
  }

  async restore(organization: Organization, wanted: Restoring): Promise<Outcome> {
    const began = performance.now();
    let outcome = await this.#attempt(organization, wanted);
    // A reset revokes the credential. The journal shows only the request with the new one.
    if (outcome.status === 401 && this.#credentials.delete(organization.id))
      outcome = await this.#attempt(organization, wanted);
    const { method, paths } = api[wanted.operation];
    const params = restoreParams(organization, wanted);
    this.#parts.journal.record({
      time: outcome.time.toISOString(),
      operation: wanted.operation,
      method,
      path: paths[0].replace(/\{(\w+)\}/g, (_placeholder, name: string) => params[name] ?? ""),
      status: outcome.status,
      caller: outcome.caller,
      began,
    });
    return outcome;
  }

  async #attempt(organization: Organization, wanted: Restoring): Promise<Outcome> {
    const name = wanted.operation === "restoreDatabase" ? wanted.name : undefined;
    return perform(
      wanted.operation,
      {
        authorization: `Bearer ${await this.#credentialFor(organization)}`,
        userAgent: USER_AGENT,
        address: this.#parts.api?.url ?? "",
        params: restoreParams(organization, wanted),
        query: {},
        text: name === undefined ? "" : JSON.stringify({ name }),
      },
      this.#parts,
    );
  }

  async #credentialFor({ id, slug }: Organization): Promise<string> {
    const { store } = this.#parts;
    const chosen = await store.read((state) => firstWith(["owner", "admin"], state, id));
    const known = this.#credentials.get(id);
    if (known !== undefined && known.userId === chosen?.id) return known.token;
    const token = await credential(store, this.#parts, {
      organization: slug,
      ...(chosen && { user: chosen.username }),
    });
    if (chosen) this.#credentials.set(id, { userId: chosen.id, token });
    return token;
  }
}

const restoreParams = (organization: Organization, wanted: Restoring): Record<string, string> => ({
  organizationId: organization.id,
  ...(wanted.operation === "restoreDatabase" ? { databaseId: wanted.databaseId } : { groupId: wanted.groupId }),
});
