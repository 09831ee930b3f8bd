import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, onTestFinished } from "vitest";
import { type ReferenceApi, type ReferenceApiOptions, startReferenceApi } from "../../../platform/reference/server";
import { type ApiCaller, calling } from "../calling";

const NOON = "2026-03-01T12:00:00.000Z";

const running: ReferenceApi[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((api) => api.close()));
});

interface Wanted {
  readonly authorization?: "full-access" | "read-only";
  readonly expiration?: string;
}

/** Starts a reference API that serves SQL, with the clock stopped at noon. The API stops when the test ends. */
export async function sqlWorld(options: ReferenceApiOptions = {}) {
  const api = await startReferenceApi({ now: NOON, sql: true, ...options });
  running.push(api);
  return { api, ...databasesOn(api) };
}

/** Returns the path of a data file in a new folder. The folder is removed when the test ends. */
export function dataFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "sql-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return join(folder, "shop.db");
}

/** Returns the folder with the rows that belong to the records in a data file. */
export function rowsOf(data: string): string {
  const store = new DatabaseSync(data, { readOnly: true });
  try {
    const named = store.prepare("select value from settings where name = 'rows'").get()?.value ?? "first";
    return join(`${data}-sql`, "rows", String(named));
  } finally {
    store.close();
  }
}

/** Returns functions that create databases and tokens on a server with SQL. */
export function databasesOn(api: ReferenceApi) {
  const owner: ApiCaller = calling(api);
  const slug = { organizationSlug: api.organization };
  const token = async (databaseName: string, query: Wanted = {}, body: object = {}): Promise<string> =>
    (await owner.ok("createDatabaseToken", { ...slug, databaseName, query, body } as never)).jwt;
  const url = (id: string): string => (api.sql ?? "").replace("{DbId}", id);
  return {
    owner,
    slug,
    token,
    url,
    /** Creates a database, and returns what a client needs to connect to it. */
    async database(name: string, body: object = {}) {
      const { database } = await owner.ok("createDatabase", { ...slug, body: { name, group: "default", ...body } });
      const id = database.DbId;
      return { id, host: database.Hostname, url: url(id), token: await token(name) };
    },
  };
}

/** A query that never ends by itself. */
export const ENDLESS = "with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c";

/** A query that takes a fraction of a second. */
export const SLOW = ENDLESS.replace("from c)", "from c limit 1000000)");

/** Starts further processes, so that what runs in them later need not wait for their start on a busy machine. */
export async function startProcesses(place: Place): Promise<void> {
  // On a busy machine, a slow statement may be stopped.
  await Promise.allSettled([SLOW, SLOW, "select 1"].map((sql) => execute(place, sql)));
}

export const CLOSE = { type: "close" };
export const stmt = (sql: string, rest: object = {}) => ({ type: "execute", stmt: { sql, ...rest } });

export interface Place {
  readonly url: string;
  readonly token: string;
}

interface Result {
  readonly cols: { readonly name: string; readonly decltype: string | null }[];
  readonly rows: Record<string, unknown>[][];
  readonly affected_row_count: number;
  readonly last_insert_rowid: string | null;
}

export const post = ({ url, token }: Place, path: string, body: unknown, headers: object = {}): Promise<Response> =>
  fetch(url + path, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

/** Sends statements to libSQL's first HTTP API: `POST` at the address of the database. */
export async function sendStatements(place: Place, body: unknown): Promise<[status: number, text: string]> {
  const answer = await post(place, "", body);
  return [answer.status, await answer.text()];
}

/**
 * Sends requests on one stream and returns the response.
 *
 * @throws Error if the status is not 200.
 */
export async function pipeline(place: Place, requests: object[], baton: string | null = null) {
  const answer = await post(place, "v3/pipeline", { baton, requests });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${answer.status} ${text}`);
  return JSON.parse(text) as {
    baton: string | null;
    results: { type: string; response?: { type: string; result: Result }; error?: { message: string; code: string } }[];
  };
}

/** Executes one statement on a new stream. */
export async function execute(place: Place, sql: string, args: object[] = []): Promise<Result> {
  const { results } = await pipeline(place, [stmt(sql, { args }), CLOSE]);
  const [first] = results;
  if (!first?.response) throw new Error(`${first?.error?.code}: ${first?.error?.message}`);
  return first.response.result;
}

/** Executes a query and returns the values of its first column. */
export const column = async (place: Place, sql: string): Promise<unknown[]> =>
  (await execute(place, sql)).rows.map(([cell]) => cell?.value ?? cell?.base64 ?? null);
