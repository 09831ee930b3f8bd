import { Pool } from "undici";

/**
 * Sends the requests that create, configure, read and delete databases, and at most one list request to find out their
 * names. There are no checks, retries or comparisons, so that only the cost of the requests is measured.
 */
export class Requests {
  readonly #pool: Pool;
  readonly #databases: string;
  readonly #headers: Record<string, string>;
  readonly #names = new Map<string, string>();
  #listed: Promise<void> | undefined;

  constructor({ DBPLATFORM_BASE_URL, DBPLATFORM_ORGANIZATION, DBPLATFORM_API_TOKEN }: NodeJS.ProcessEnv) {
    this.#pool = new Pool(DBPLATFORM_BASE_URL ?? "");
    this.#databases = `/v1/organizations/${DBPLATFORM_ORGANIZATION}/databases`;
    this.#headers = { authorization: `Bearer ${DBPLATFORM_API_TOKEN}`, "content-type": "application/json" };
  }

  async createDatabase(name: string): Promise<string> {
    const { database } = (await this.#send("POST", "", { name, group: "default" })) as { database: { DbId: string } };
    this.#names.set(database.DbId, name);
    return database.DbId;
  }

  async configure(databaseId: string): Promise<void> {
    await this.#send("PATCH", await this.#configurationOf(databaseId), {
      size_limit: "1gb",
      allowed_ips: ["10.0.0.0/8"],
    });
  }

  async readConfiguration(databaseId: string): Promise<void> {
    await this.#send("GET", await this.#configurationOf(databaseId));
  }

  async deleteDatabase(name: string): Promise<void> {
    await this.#send("DELETE", `/${name}`);
  }

  async #configurationOf(databaseId: string): Promise<string> {
    if (!this.#names.has(databaseId)) {
      this.#listed ??= this.#list();
      await this.#listed;
    }
    return `/${this.#names.get(databaseId)}/configuration`;
  }

  async #list(): Promise<void> {
    const { databases } = (await this.#send("GET", "")) as { databases: { DbId: string; Name: string }[] };
    for (const { DbId, Name } of databases) this.#names.set(DbId, Name);
  }

  async #send(method: "GET" | "POST" | "PATCH" | "DELETE", path: string, content?: object): Promise<unknown> {
    const { statusCode, body } = await this.#pool.request({
      method,
      path: this.#databases + path,
      headers: this.#headers,
      ...(content && { body: JSON.stringify(content) }),
    });
    if (statusCode !== 200) throw new Error(`${method} ${path}: ${statusCode} ${await body.text()}`);
    return body.json();
  }
}
