import { setTimeout as wait } from "node:timers/promises";

/** The platform's address, our organization, and our API token. */
export interface Platform {
  readonly url: string;
  readonly organization: string;
  readonly organizationId: string;
  readonly apiToken: string;
}

interface Database {
  readonly Name: string;
  readonly DbId: string;
}

/** Manages one database for each tenant. */
export class Tenants {
  constructor(private readonly platform: Platform) {}

  async names(): Promise<string[]> {
    return (await this.#list()).map(({ Name }) => Name);
  }

  /** Adds a tenant. Changes nothing if the tenant already exists. */
  async add(name: string): Promise<void> {
    await this.#send("POST", this.#v1, { name, group: "tenants" }).catch(async (failure) => {
      if (!(await this.names()).includes(name)) throw failure;
    });
  }

  async remove(name: string): Promise<void> {
    await this.#send("DELETE", `${this.#v1}/${name}`);
  }

  /** Restores a removed tenant with all its data. This works for five days after the removal. */
  async bringBack(name: string): Promise<void> {
    const { databases } = (await this.#send("GET", `${this.#v3}?deleted=true`)) as { databases: Database[] };
    const removed = databases.find(({ Name }) => Name === name);
    if (!removed) throw new Error(`${name} cannot be brought back`);
    await this.#send("POST", `${this.#v3}/${removed.DbId}/restore`);
  }

  async #list(): Promise<Database[]> {
    return ((await this.#send("GET", this.#v1)) as { databases: Database[] }).databases;
  }

  get #v1(): string {
    return `/v1/organizations/${this.platform.organization}/databases`;
  }

  get #v3(): string {
    return `/v3/organizations/${this.platform.organizationId}/databases`;
  }

  /** Sends a request, and retries while the platform is busy. */
  async #send(method: string, path: string, body?: object, attempts = 3): Promise<unknown> {
    const { url, apiToken } = this.platform;
    const headers = { Authorization: `Bearer ${apiToken}` };
    const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (answer.ok) return answer.json();
    if (answer.status !== 503 || attempts === 1) throw new Error(`${method} ${path}: ${answer.status}`);
    await wait(Number(answer.headers.get("Retry-After") ?? 1) * 1000);
    return this.#send(method, path, body, attempts - 1);
  }
}
