import { api, type Operation } from "../../contract/api";
import type { Endpoint } from "../../contract/endpoint";
import { firstMemberWith, mintCredential } from "../credentials/credential";
import type { Organization } from "../credentials/membership";
import { type Outcome, perform } from "../requests/perform";
import type { Services } from "../services";
import { type SentRequest, shellLine } from "./shell-line";

/** The User-Agent of a browser, which makes the audit log record the origin `web`. */
const USER_AGENT = "Mozilla/5.0 (page of the reference API)";

/** A request to the platform. */
export interface PlatformRequest {
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** The outcome of a request, with the request as a line for a shell. */
interface CallResult extends Outcome {
  readonly request: string;
}

/**
 * Sends the page's requests through the platform's own operations, with a credential of an owner or admin. The
 * credential is kept only in memory. A new credential is minted if the old one has been revoked, or if
 * `firstMemberWith` selects another user.
 */
export class PlatformCaller {
  /** One entry for each organization in which somebody has changed something on the page. */
  readonly #credentials = new Map<string, { readonly userId: string; readonly token: string }>();

  readonly #parts: Services;

  constructor(parts: Services) {
    this.#parts = parts;
  }

  async call(organization: Organization, request: PlatformRequest): Promise<CallResult> {
    const began = performance.now();
    let outcome = await this.#attempt(organization, request);
    // A reset revokes the credential. The journal shows only the request with the new one.
    if (outcome.status === 401 && this.#credentials.delete(organization.id))
      outcome = await this.#attempt(organization, request);
    const sent = requestToSend(request);
    this.#parts.journal.record({
      time: outcome.time.toISOString(),
      operation: request.operation,
      method: sent.method,
      path: sent.path,
      status: outcome.status,
      caller: outcome.caller,
      began,
    });
    return { ...outcome, request: shellLine(sent) };
  }

  async #attempt(
    organization: Organization,
    { operation, params, query = {}, body }: PlatformRequest,
  ): Promise<Outcome> {
    return perform(
      operation,
      {
        authorization: `Bearer ${await this.#credentialFor(organization)}`,
        userAgent: USER_AGENT,
        address: this.#parts.api?.url ?? "",
        params,
        query,
        text: body === undefined ? "" : JSON.stringify(body),
      },
      this.#parts,
    );
  }

  async #credentialFor({ id, slug }: Organization): Promise<string> {
    const { store } = this.#parts;
    const chosen = await store.read((state) => firstMemberWith(["owner", "admin"], state, id));
    const known = this.#credentials.get(id);
    if (known !== undefined && known.userId === chosen?.id) return known.token;
    const token = await mintCredential(store, this.#parts, {
      organization: slug,
      ...(chosen && { user: chosen.username }),
    });
    if (chosen) this.#credentials.set(id, { userId: chosen.id, token });
    return token;
  }
}

function requestToSend({
  operation,
  params,
  query = {},
  body,
}: PlatformRequest): SentRequest & { readonly path: string } {
  const { method, paths }: Endpoint = api[operation];
  const path = paths[0].replace(/\{(\w+)\}/g, (_placeholder, name: string) => encodeURIComponent(params[name] ?? ""));
  return { method, path, query, body, authorization: "Bearer $DBPLATFORM_API_TOKEN" };
}

/** Returns the error message in the body of a response of the platform. */
export const errorIn = (body: unknown): string => String((body as { error?: unknown }).error);
