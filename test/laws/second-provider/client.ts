import { Refusal } from "../../../kit/refusal";

/** A database as Cloudflare's API shows it. */
export interface Database {
  readonly uuid: string;
  readonly name: string;
  readonly created_at: string;
  readonly jurisdiction?: string;
  readonly read_replication: { readonly mode: "auto" | "disabled" };
  readonly deleted_at?: string;
}

interface Access {
  readonly account: string;
  readonly apiToken: string;
  readonly baseUrl: string;
}

/** Sends the requests. Says of each failure what kind it is, and whether the request may have had an effect. */
export class D1 {
  constructor(
    private readonly access: Access,
    private readonly signal: AbortSignal,
  ) {}

  find = (id: string) => this.#send<Database>("GET", `/${id}`);
  all = (query: Record<string, string>) =>
    this.#send<Database[]>("GET", `?${new URLSearchParams({ per_page: "10000", ...query })}`);
  create = (body: Pick<Database, "name" | "jurisdiction">) => this.#send<Database>("POST", "", body);
  replicate = (id: string, mode: string) => this.#send<Database>("PATCH", `/${id}`, { read_replication: { mode } });
  undelete = (id: string, new_name: string) => this.#send<Database>("POST", `/${id}/undelete`, { new_name });
  remove = (id: string) => this.#send<void>("DELETE", `/${id}`);

  async #send<T>(method: string, path: string, body?: object): Promise<T> {
    const { account, apiToken, baseUrl } = this.access;
    const tried = `could not ${method} d1/database${path.split("?")[0]}`;
    const writes = method !== "GET";
    const response = await fetch(`${baseUrl}/accounts/${account}/d1/database${path}`, {
      method,
      signal: this.signal,
      headers: { authorization: `Bearer ${apiToken}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    }).catch((cause) => {
      throw new Refusal("unavailable", { tried, answer: "no response", uncertain: writes, cause });
    });
    const { status } = response;
    const answer = (await response.json().catch(() => ({}))) as {
      result?: T;
      errors?: { code: number; message: string }[];
    };
    if (response.ok && answer.result !== undefined) return answer.result;
    if (response.ok) throw new Refusal("unreadable", { tried, answer: "no result", status, uncertain: writes });
    const [error = { code: 0, message: `status ${status}` }] = answer.errors ?? [];
    const kinds = { 401: "unauthenticated", 403: "forbidden", 404: "absent", 429: "throttled" } as const;
    const failure = status >= 500 ? "unavailable" : (kinds[status as keyof typeof kinds] ?? "invalid");
    const kind = error.code === 7502 ? "taken" : failure;
    throw new Refusal(kind, { tried, answer: error.message, status, uncertain: writes && status >= 500 });
  }
}
