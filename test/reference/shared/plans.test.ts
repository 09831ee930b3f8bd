import { CompiledQuery, createQueryId, type KyselyPlugin, type RootOperationNode, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, api as contract, type Operation } from "../../../platform/contract/api";
import type { Endpoint, Request } from "../../../platform/contract/endpoint";
import { Signer } from "../../../platform/reference/credentials/signer";
import { randomIds } from "../../../platform/reference/ids";
import { NEW_DATABASE } from "../../../platform/reference/operations/database";
import { NEW_GROUP } from "../../../platform/reference/operations/group";
import { perform } from "../../../platform/reference/requests/perform";
import { insertRows, noRows } from "../../../platform/reference/seed/store-rows";
import type { OpenReferenceApi } from "../../../platform/reference/server";
import type { State } from "../../../platform/reference/store/schema";
import type { Store } from "../../../platform/reference/store/store";
import { engine } from "../data";
import { startServers } from "../servers";
import { NOON } from "../world";

const GROUPS = 100;
const DATABASES = 10_000;
const TOKENS = 2_000;
const AUDIT_LOGS = 5_000;

const id = (kind: string, number: number): string =>
  `${kind.repeat(8)}-0000-4000-8000-${String(number).padStart(12, "0")}`;

let api: OpenReferenceApi;
let signer: Signer;

beforeAll(async () => {
  const members = [{ username: "ada", role: "owner" as const }];
  api = await startServers({
    now: NOON,
    seed: {
      users: [{ username: "ada" }],
      organizations: [
        { slug: "acme", members },
        { slug: "shop", members },
      ],
    },
  });
  signer = await Signer.of(api.store, randomIds);
  await api.store.transaction("all", fill);
});

afterAll(() => api.close());

/**
 * Fills two organizations with the same data, so that a query for one organization must skip the rows of the other
 * organization. One in ten groups and databases is deleted.
 */
async function fill(state: State): Promise<void> {
  const rows = noRows();
  const organizations = await state.selectFrom("organizations").select("id").orderBy("number").execute();
  const { id: ada } = await state.selectFrom("users").select("id").executeTakeFirstOrThrow();
  for (const [place, { id: organization_id }] of organizations.entries()) {
    const own = (number: number) => number * 2 + place;
    const deletedAt = (number: number) =>
      number % 10 === 0 ? new Date(Date.parse(NOON) - number).toISOString() : null;
    for (let number = 1; number <= GROUPS; number += 1)
      rows.groups.push({
        ...NEW_GROUP,
        id: id("a", own(number)),
        organization_id,
        name: `group-${number}`,
        location: "aws-us-east-1",
        deleted_at: deletedAt(number),
      });
    for (let number = 1; number <= DATABASES; number += 1)
      rows.databases.push({
        ...NEW_DATABASE,
        id: id("d", own(number)),
        organization_id,
        group_id: id("a", own(1 + (number % (GROUPS - 1)))),
        name: `database-${number}`,
        parent_id: number % 50 === 1 ? id("d", own(1)) : null,
        deleted_at: deletedAt(number),
      });
    for (let number = 1; number <= TOKENS; number += 1)
      rows.tokens.push({
        id: `token-${own(number)}`,
        name: `token-${own(number)}`,
        user_id: ada,
        organization_id,
        group_id: number % 2 ? id("a", own(1 + (number % (GROUPS - 1)))) : null,
        scopes: number % 2 ? '["read"]' : null,
        jti_hash: `hash-${own(number)}`,
        created_at: NOON,
      });
    for (let number = 1; number <= AUDIT_LOGS; number += 1)
      rows.audit_logs.push({
        organization_id,
        number,
        code: "db-create",
        message: "",
        origin: "api",
        author: "ada",
        created_at: NOON,
        data: "{}",
      });
    rows.counters.push({ name: `audit-logs of ${organization_id}`, value: AUDIT_LOGS });
  }
  // Removes the audit log entries that earlier requests added.
  await state.deleteFrom("audit_logs").execute();
  await state.deleteFrom("counters").where("name", "like", "audit-logs of %").execute();
  await insertRows(state, rows);
  // Gathers statistics now, because PostgreSQL otherwise updates its statistics only from time to time. SQLite plans
  // queries without statistics.
  if (engine === "postgres") await sql`analyze`.execute(state);
}

/** Records the queries that the store sends. */
class Recorder implements KyselyPlugin {
  readonly nodes: RootOperationNode[] = [];

  transformQuery: KyselyPlugin["transformQuery"] = ({ node }) => {
    this.nodes.push(node);
    return node;
  };

  transformResult: KyselyPlugin["transformResult"] = async ({ result }) => result;
}

async function queriesOf<Name extends Operation>(operation: Name, request: Request<Api[Name]>) {
  const recorder = new Recorder();
  const { store } = api;
  const recording: Store = {
    ...store,
    read: (work) => store.read((state) => work(state.withPlugin(recorder))),
    transaction: (organizations, work) => store.transaction(organizations, (state) => work(state.withPlugin(recorder))),
  };
  const endpoint: Endpoint = contract[operation];
  const { body, query = {}, ...params } = request as { body?: unknown; query?: object };
  const texts = Object.entries(query).map(([name, value]) => [name, String(value)]);
  const arrived = {
    authorization: `Bearer ${api.apiToken}`,
    userAgent: undefined,
    address: api.url,
    params: params as Record<string, string>,
    query: Object.fromEntries(texts),
    text: body === undefined ? "" : JSON.stringify(body),
  };
  const outcome = await perform(operation, arrived, { store: recording, signer, ids: randomIds });
  expect([endpoint.method, outcome.status, outcome.status === 200 || outcome.body]).toEqual([
    endpoint.method,
    200,
    true,
  ]);
  return store.read(async (state) => {
    const executor = state.getExecutor();
    return recorder.nodes.map((node) => executor.compileQuery(node, createQueryId()));
  });
}

const LARGE = ["databases", "groups", "tokens", "signing_keys", "audit_logs"];

interface Plan {
  readonly text: string;
  /** Large tables that the plan scans completely. */
  readonly passes: readonly string[];
}

const explain: (state: State, query: CompiledQuery) => Promise<Plan> =
  engine === "postgres" ? explainInPostgres : explainInSqlite;

async function explainInSqlite(state: State, { sql: text, parameters }: CompiledQuery): Promise<Plan> {
  const explained = CompiledQuery.raw(`explain query plan ${text}`, [...parameters]);
  const { rows } = await state.executeQuery<{ detail: string }>(explained);
  const details = rows.map(({ detail }) => detail);
  return {
    text: details.join("\n"),
    passes: LARGE.filter((table) => details.some((line) => line.startsWith(`SCAN ${table}`))),
  };
}

interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly Plans?: readonly PlanNode[];
}

async function explainInPostgres(state: State, { sql: text, parameters }: CompiledQuery): Promise<Plan> {
  // Makes sequential scans expensive, because PostgreSQL scans small tables even if there is an index. If there is no
  // index, the plan still contains the scan.
  await sql`set local enable_seqscan = off`.execute(state);
  const explained = CompiledQuery.raw(`explain (format json) ${text}`, [...parameters]);
  const { rows } = await state.executeQuery<{ "QUERY PLAN": { Plan: PlanNode }[] }>(explained);
  const below = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(below)];
  const nodes = rows.flatMap((row) => row["QUERY PLAN"]).flatMap((each) => below(each.Plan));
  const passes = nodes.filter((node) => node["Node Type"] === "Seq Scan").map((node) => node["Relation Name"] ?? "");
  return { text: JSON.stringify(rows), passes: passes.filter((table) => LARGE.includes(table)) };
}

const acme = { organizationSlug: "acme" };
const later = (...key: string[]) => Buffer.from(JSON.stringify(key)).toString("base64url");
const ago = (number: number) => new Date(Date.parse(NOON) - number).toISOString();

const acmeId = () => ({ organizationId: api.organizationId });
/**
 * Requests, each with the index that its queries must use. With another index, a query would return the same result
 * but scan more rows.
 */
const cases: [what: string, index: string, queries: () => Promise<readonly CompiledQuery[]>][] = [
  [
    "reading a database by name",
    "databases_live_name",
    () => queriesOf("retrieveDatabase", { ...acme, databaseName: "database-4321" }),
  ],
  ["reading a database by UUID", "", () => queriesOf("retrieveDatabaseById", { ...acmeId(), databaseId: id("d", 2) })],
  ["reading a group by name", "groups_live_name", () => queriesOf("retrieveGroup", { ...acme, groupName: "group-42" })],
  ["reading all databases", "", () => queriesOf("listDatabases", acme)],
  [
    "reading a page of databases",
    "databases_live_name",
    () => queriesOf("listDatabases", { ...acme, query: { limit: 100 } }),
  ],
  [
    "reading a later page of databases",
    "databases_live_name",
    () => queriesOf("listDatabases", { ...acme, query: { limit: 100, cursor: later("database-5") } }),
  ],
  [
    "reading the databases of a group",
    "databases_live_group",
    () => queriesOf("listDatabases", { ...acme, query: { group: "group-42" } }),
  ],
  [
    "reading the copies of a database",
    "databases_live_parent",
    () => queriesOf("listDatabases", { ...acme, query: { parent: id("d", 2) } }),
  ],
  ["reading all groups", "groups_live_name", () => queriesOf("listGroups", acme)],
  [
    "reading the deleted databases",
    "databases_deleted",
    () => queriesOf("listDeletedDatabases", { ...acmeId(), query: { deleted: "true" } }),
  ],
  [
    "reading a later page of deleted databases",
    "databases_deleted",
    () =>
      queriesOf("listDeletedDatabases", {
        ...acmeId(),
        query: { deleted: "true", cursor: later(ago(500), id("d", 1000)) },
      }),
  ],
  ["reading the deleted groups", "groups_deleted", () => queriesOf("listDeletedGroups", acmeId())],
  [
    "reading a later page of deleted groups",
    "groups_deleted",
    () => queriesOf("listDeletedGroups", { ...acmeId(), query: { cursor: later(ago(50), id("a", 100)) } }),
  ],
  ["reading the tokens of the organization", "tokens_organization", () => queriesOf("listApiTokens", acme)],
  ["reading the tokens of a user", "tokens_organization", () => queriesOf("listOwnApiTokens", {})],
  ["reading the audit log", "audit_logs_", () => queriesOf("listAuditLogs", { ...acme, query: { page: 7 } })],
  ["creating a database", "", () => queriesOf("createDatabase", { ...acme, body: { name: "new", group: "group-42" } })],
  ["deleting a database", "", () => queriesOf("deleteDatabase", { ...acme, databaseName: "database-4321" })],
  ["restoring a database", "", () => queriesOf("restoreDatabase", { ...acmeId(), databaseId: id("d", 2 * 4310) })],
  ["creating a token", "", () => queriesOf("createApiToken", { tokenName: "new", body: { organization: "acme" } })],
  ["revoking a token", "", () => queriesOf("revokeApiToken", { ...acme, tokenId: "token-42" })],
  ["creating a SQL-engine token", "", () => queriesOf("createDatabaseToken", { ...acme, databaseName: "database-42" })],
  [
    "rotating the key of a database",
    "signing_keys_owner",
    () => queriesOf("rotateDatabaseTokens", { ...acme, databaseName: "database-42" }),
  ],
  ["rotating the key of a group", "", () => queriesOf("rotateGroupTokens", { ...acme, groupName: "group-42" })],
  ["deleting a group", "tokens_group", () => queriesOf("deleteGroup", { ...acme, groupName: "group-43" })],
  ["restoring a group", "", () => queriesOf("restoreGroup", { ...acmeId(), groupId: id("a", 2 * 43) })],
];

test.each(cases)("§4 %s uses an index and does not scan a table", async (_what, index, queries) => {
  const texts: string[] = [];
  for (const query of new Map((await queries()).map((each) => [each.sql, each])).values()) {
    const { text, passes } = await api.store.read((state) => explain(state, query));
    expect({ query: query.sql, passes }).toEqual({ query: query.sql, passes: [] });
    texts.push(text);
  }
  expect(texts.join("\n")).toContain(index);
});
