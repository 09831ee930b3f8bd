import { subscribe } from "node:diagnostics_channel";
import { setTimeout as wait } from "node:timers/promises";
import { createClient } from "@tursodatabase/api";

export interface PlatformSettings {
  /** Address of the platform, for example "https://api.turso.tech". */
  readonly url: string;
  readonly organization: string;
  readonly organizationId: string;
  /** An API token for the group, with the scopes `read`, `db:create` and `db:mint-token`. */
  readonly apiToken: string;
  /** Name of the group that contains the databases of tenants, and nothing else. */
  readonly group: string;
  /** How long to repeat requests that the platform does not answer, in milliseconds. Default: 30 seconds. */
  readonly patience?: number;
}

/** A database of the platform. */
export interface Found {
  readonly id: string;
  readonly hostname: string;
}

/** A database that the platform keeps for five days. */
export interface Deleted {
  readonly id: string;
  readonly deletedAt: Date;
}

/** An error that another attempt does not change. */
export class PermanentError extends Error {}

const REQUEST_MS = 10_000;
const PATIENCE_MS = 30_000;
const FIRST_WAIT_MS = 200;

/** The requests that databases of tenants need. Each is sent once, and is safe to send again. */
export class Platform {
  readonly #settings: PlatformSettings;
  readonly #official: ReturnType<typeof createClient>;
  /** When the platform accepts requests again, by the header `Retry-After`. */
  #resume = 0;

  constructor(settings: PlatformSettings) {
    const { url, organization: org, apiToken: token } = settings;
    this.#settings = settings;
    this.#official = createClient({ org, token, baseUrl: new URL("/v1/", url).href });
    this.#readRetryAfter(new URL(url).origin);
  }

  /**
   * Repeats an attempt while its failure is transient, and waits longer each time.
   *
   * @throws The last failure, when the patience is at its end.
   */
  async persistently<Result>(attempt: () => Promise<Result>): Promise<Result> {
    const end = performance.now() + (this.#settings.patience ?? PATIENCE_MS);
    for (let longest = FIRST_WAIT_MS; ; longest *= 2) {
      try {
        return await attempt();
      } catch (failure) {
        // Without chance, requests that were refused together would be repeated together.
        const pause = Math.random() * longest + Math.max(0, this.#resume - performance.now());
        if (!isTransient(failure) || performance.now() + pause > end) throw failure;
        await wait(pause);
      }
    }
  }

  /** Returns the database with this name, or `undefined` if there is none. */
  async find(name: string): Promise<Found | undefined> {
    const found = await answered(this.#official.databases.get(name)).catch((failure) => {
      if (statusOf(failure) === 404) return undefined;
      throw failure;
    });
    const { group } = this.#settings;
    if (found && found.group !== group)
      throw new PermanentError(
        `Database "${name}" is in group "${found.group}" and not in "${group}", so it is not used.`,
      );
    return found && complete(found);
  }

  /** Creates a database. Fails if its name is in use, which another attempt may have caused whose response was lost. */
  async create(name: string): Promise<Found> {
    return complete(await answered(this.#official.databases.create(name, { group: this.#settings.group })));
  }

  /** Returns the databases with this name that were deleted and can still be restored, in the order of deletion. */
  async listDeleted(name: string): Promise<Deleted[]> {
    const found: Deleted[] = [];
    const query = new URLSearchParams({ deleted: "true", search: name });
    for (;;) {
      const { databases, pagination } = await this.#send<DeletedPage>("GET", `databases?${query}`);
      for (const { Name, DbId, deleted_at } of databases)
        if (Name === name) found.push({ id: DbId, deletedAt: new Date(deleted_at) });
      if (!pagination?.next) break;
      query.set("cursor", pagination.next);
    }
    return found.sort((one, other) => one.deletedAt.getTime() - other.deletedAt.getTime());
  }

  /**
   * Creates a token for one database.
   *
   * @param expiration For example "1h".
   */
  async createToken(id: string, expiration: string): Promise<string> {
    // The official client sends `permissions`, which the platform rejects for databases on AWS.
    return (await this.#send<{ jwt: string }>("POST", `databases/${id}/auth/tokens?expiration=${expiration}`)).jwt;
  }

  /** The official client hides headers, so this reads them where Node.js shows the responses of `fetch`. */
  #readRetryAfter(origin: string): void {
    subscribe("undici:request:headers", (message) => {
      const { request, response } = message as Received;
      if (new URL(request.origin).origin !== origin || ![429, 503].includes(response.statusCode)) return;
      const texts = response.headers.map(String);
      const index = texts.findIndex((text, index) => index % 2 === 0 && /^retry-after$/i.test(text));
      const seconds = Number(texts[index + 1]);
      if (index >= 0 && seconds > 0) this.#resume = Math.max(this.#resume, performance.now() + seconds * 1000);
    });
  }

  /** Sends what the official client cannot: requests by UUID for deleted databases and tokens. */
  async #send<Answer>(method: string, path: string): Promise<Answer> {
    const { url, organizationId, apiToken } = this.#settings;
    const response = await fetch(new URL(`/v3/organizations/${organizationId}/${path}`, url), {
      method,
      headers: { Authorization: `Bearer ${apiToken}` },
      signal: AbortSignal.timeout(REQUEST_MS),
    });
    if (response.ok) return response.json() as Promise<Answer>;
    const { error } = (await response.json().catch(() => ({}))) as { error?: string };
    throw Object.assign(new Error(error ?? `The platform answered with HTTP ${response.status}.`), {
      status: response.status,
    });
  }
}

/** A message of the channel `undici:request:headers`. Names and values of headers alternate. */
interface Received {
  readonly request: { readonly origin: string | URL };
  readonly response: { readonly statusCode: number; readonly headers: readonly Buffer[] };
}

interface DeletedPage {
  readonly databases: readonly { readonly Name: string; readonly DbId: string; readonly deleted_at: string }[];
  readonly pagination?: { readonly next?: string };
}

function complete({ id, hostname }: Found): Found {
  if (!id || !hostname) throw new Error("The platform's response lacks the id or the hostname of the database.");
  return { id, hostname };
}

/** Fails if a request takes too long, because the official client has no time limit. */
function answered<Answer>(request: Promise<Answer>): Promise<Answer> {
  const tooLong = wait(REQUEST_MS, undefined, { ref: false }).then(() => {
    throw new Error(`The platform did not answer within ${REQUEST_MS / 1000} seconds.`);
  });
  return Promise.race([request, tooLong]);
}

/** Returns the HTTP status of a refusal, also if its body was not JSON; `undefined` if there was no response. */
export function statusOf(failure: unknown): number | undefined {
  const { status, message = "" } = failure as { status?: number; message?: string };
  return status ?? (Number(/^Something went wrong! Status (\d+)$/.exec(message)?.[1]) || undefined);
}

/** Whether a creation was refused because the name is in use: 409 by the documentation, 400 by the service. */
export const isNameInUse = (failure: unknown): boolean =>
  statusOf(failure) === 409 || (statusOf(failure) === 400 && /already exists/.test(String(failure)));

/** Whether the same request may succeed later: its response was lost, or the platform was busy. */
function isTransient(failure: unknown): boolean {
  const status = statusOf(failure);
  const { code = "" } = failure as { code?: unknown };
  if (failure instanceof PermanentError || /^SQL(?!ITE_BUSY)/.test(String(code))) return false;
  return status === undefined || [408, 409, 429].includes(status) || status >= 500;
}
