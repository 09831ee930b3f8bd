// @module-tag the-reference-api

import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { Seed } from "../../platform/reference/seed/seed";
import { NOON } from "../reference/world";
import { served } from "./served";

const uuid = (number: number): string => `00000000-0000-4000-8000-00000000000${number}`;

const place = {
  groups: [{ name: "default", uuid: uuid(3) }, { name: "shop" }],
  databases: [{ name: "a", uuid: uuid(4) }],
};
const seed: Seed = {
  users: ["ada", "max", "eve"].map((username) => ({ username })),
  organizations: [
    { slug: "ada", type: "personal", members: [{ username: "ada", role: "owner" }], ...place },
    {
      slug: "acme",
      id: uuid(1),
      members: [
        { username: "ada", role: "owner" },
        { username: "max", role: "member" },
      ],
      groups: [{ name: "default", uuid: uuid(5) }, { name: "shop" }],
      databases: [{ name: "a", uuid: uuid(6) }],
      tokens: [{ name: "ci", user: "ada" }],
    },
    { slug: "empty", members: [{ username: "ada", role: "owner" }] },
  ],
};

/**
 * Schemas for the structs into which the official CLI decodes responses. As in Go, the case of keys does not matter,
 * missing values are zero values, and wrong types are errors.
 */
const uint = z.int().min(0);
const Ignored = z.unknown();
const Parent = z.object({ dbid: z.string().optional(), id: z.string(), name: z.string() });
const Database = z.object({
  dbid: z.string(),
  name: z.string(),
  regions: z.array(z.string()),
  primaryregion: z.string(),
  hostname: z.string(),
  version: z.string(),
  group: z.string(),
  sleeping: z.boolean(),
  schema: z.string(),
  is_schema: z.boolean(),
  parent: Parent.nullable(),
  encryption_cipher: z.string().optional(),
});
const CreatedDatabase = z.object({
  database: z.object({ dbid: z.string(), name: z.string(), hostname: z.string() }),
  username: z.string().optional(),
});
const Pagination = z.object({ next: z.string().nullish() }).nullish();
const Group = z.object({
  uuid: z.string(),
  name: z.string(),
  locations: z.array(z.string()),
  primary: z.string(),
  archived: z.boolean(),
  version: z.string(),
  status: z.object({ locations: z.array(z.object({ name: z.string(), status: z.string() })) }).optional(),
});
const Configuration = z.object({
  allow_attach: z.boolean(),
  delete_protection: z.boolean(),
  allowed_ips: z.array(z.string()),
  allowed_aws_vpc_ids: z.array(z.string()),
});
const Usage = z.object({ rows_read: uint, rows_written: uint, storage_bytes: uint, bytes_synced: uint });
const DatabaseUsage = z.object({
  uuid: z.string(),
  instances: z.array(z.object({ uuid: z.string(), usage: Usage })),
  usage: Usage,
});
const OrganizationUsage = z.object({
  uuid: z.string(),
  usage: Usage.extend({ databases: uint, locations: uint, groups: uint }),
  databases: z.array(DatabaseUsage),
});
const Query = z.object({ query: z.string(), rows_read: z.int(), rows_written: z.int() });
const Instance = z.object({
  uuid: z.string(),
  name: z.string(),
  type: z.string(),
  region: z.string(),
  hostname: z.string(),
});
const Organization = z.object({
  id: z.string().optional(),
  name: z.string(),
  slug: z.string(),
  type: z.string(),
  stripe_id: z.string().optional(),
  overages: z.boolean(),
});
const ApiToken = z.object({
  id: z.string(),
  name: z.string(),
  organization: z.string().optional(),
  group: z.string().optional(),
  scopes: z.array(z.string()).optional(),
  created_at: z.string(),
});
const AuditLog = z.object({
  code: z.string(),
  message: z.string(),
  origin: z.string(),
  author: z.string(),
  created_at: z.string(),
  data: z.record(z.string(), z.unknown()),
});
const Plan = z.object({
  name: z.string(),
  price: z.string(),
  prices: z.array(z.object({ value: z.string(), timeline: z.string() })),
  quotas: z.object({
    rowsread: uint,
    rowswritten: uint,
    databases: uint.nullable(),
    locations: uint,
    storage: uint,
    groups: uint,
    bytessynced: uint,
  }),
});
const Jwt = z.object({ jwt: z.string() });

type Row = [what: string, request: string, answer: z.ZodType, body?: unknown];

/** Commands that use the selected organization, or the user's personal account if none is selected (wire-facts 0). */
const inOrganization: Row[] = [
  ["db list", "GET /databases?limit=1000", z.object({ databases: z.array(Database), pagination: Pagination })],
  ["db list --group", "GET /databases?group=default", z.object({ databases: z.array(Database) })],
  ["db create", "POST /databases", CreatedDatabase, { name: "b", location: "", group: "default" }],
  [
    "db create, without a group",
    "POST /databases",
    CreatedDatabase,
    { name: "b", location: "aws-us-east-1", image: "latest", extensions: "all" },
  ],
  [
    "db create --from-db",
    "POST /databases",
    CreatedDatabase,
    { name: "b", location: "", group: "default", seed: { type: "database", value: "a", timestamp: NOON } },
  ],
  [
    "db create --from-file",
    "POST /databases",
    CreatedDatabase,
    { name: "b", location: "", group: "default", seed: { type: "database_upload" } },
  ],
  [
    "db create, encrypted",
    "POST /databases",
    CreatedDatabase,
    {
      name: "b",
      location: "",
      group: "default",
      remote_encryption: {
        encryption_key: Buffer.alloc(32).toString("base64"),
        encryption_cipher: "aes256gcm",
      },
    },
  ],
  ["db destroy", "DELETE /databases/a", Ignored],
  ["db show", "GET /databases/a", z.object({ database: Database })],
  ["db config", "GET /databases/a/configuration", Configuration],
  [
    "db config attach allow",
    "PATCH /databases/a/configuration",
    Configuration,
    { allow_attach: true, delete_protection: null },
  ],
  [
    "db config allowed-ips clear",
    "PATCH /databases/a/configuration",
    Configuration,
    { allow_attach: null, delete_protection: null, allowed_ips: null },
  ],
  ["db usage", "GET /databases/a/usage", z.object({ database: DatabaseUsage })],
  ["db inspect --queries", "GET /databases/a/usage/queries?from=2026-02-28T12:00:00Z", z.array(Query)],
  ["db tokens create", "POST /databases/a/auth/tokens?expiration=never", Jwt, {}],
  [
    "db tokens create, attaching",
    "POST /databases/a/auth/tokens?expiration=7d&authorization=read-only",
    Jwt,
    { permissions: { read_attach: { databases: ["a"] } } },
  ],
  [
    "db tokens create, fine-grained",
    "POST /databases/a/auth/tokens?expiration=none",
    Jwt,
    {
      fine_grained_permissions: [
        { t: ["users"], a: ["data_read", "data_add"] },
        { t: null, a: ["data_read"] },
      ],
    },
  ],
  ["db tokens create --expiration default", "POST /databases/a/auth/tokens?expiration=default", Jwt, {}],
  ["db tokens invalidate", "POST /databases/a/auth/rotate", Ignored],
  ["db wakeup", "POST /databases/a/wakeup", Ignored],
  ["db instances", "GET /databases/a/instances", z.object({ instances: z.array(Instance) })],
  ["db replicate", "POST /databases/a/instances", z.object({ instance: Instance }), { Location: "aws-eu-west-1" }],
  ["db replicate --wait", "GET /databases/a/instances/aws-us-east-1/wait", Ignored],
  ["group list", "GET /groups", z.object({ groups: z.array(Group) })],
  ["group show", "GET /groups/default", z.object({ group: Group })],
  ["group create", "POST /groups", Ignored, { Name: "new", Location: "aws-eu-west-1", Version: "latest" }],
  ["group create --version", "POST /groups", Ignored, { Name: "new", Location: "aws-eu-west-1", Version: "vector" }],
  ["group destroy", "DELETE /groups/shop", Ignored],
  ["group rename", "POST /groups/shop/rename", Ignored, { Name: "new" }],
  ["group unarchive", "POST /groups/default/unarchive", Ignored],
  ["group locations add", "POST /groups/default/locations/aws-eu-west-1", Ignored],
  ["group locations remove", "DELETE /groups/default/locations/aws-eu-west-1", Ignored],
  ["group locations add --wait", "GET /groups/default/locations/aws-us-east-1/wait", Ignored],
  ["group tokens create", "POST /groups/default/auth/tokens?expiration=never&authorization=read-only", Jwt, {}],
  ["group tokens invalidate", "POST /groups/default/auth/rotate", Ignored],
  [
    "group aws-migration info",
    "GET /groups/default/aws/migration/info",
    z.object({ status: z.string(), comment: z.string() }),
  ],
  ["org usage", "GET /usage", z.object({ organization: OrganizationUsage })],
  [
    "plan show",
    "GET /subscription",
    z.object({
      subscription: z.object({
        name: z.string().optional(),
        plan: z.string(),
        timeline: z.string(),
        overages: z.boolean(),
      }),
    }),
  ],
  ["invoices", "GET /invoices?type=all", z.object({ invoices: z.array(Ignored) })],
  ["billing, payment method", "GET /billing/payment-methods", z.object({ exists: z.boolean() })],
];

/** Commands whose requests do not depend on the selected organization. */
const elsewhere: Row[] = [
  ["the login check that every command performs first", "GET /v1/auth/validate", z.object({ exp: z.int() })],
  ["auth logout --all", "POST /v1/auth/invalidate", z.object({ validfrom: z.int() })],
  ["auth whoami", "GET /v1/current-user", z.object({ user: z.object({ username: z.string(), plan: z.string() }) })],
  ["auth api-tokens list", "GET /v1/auth/api-tokens", z.object({ tokens: z.array(ApiToken) })],
  [
    "auth api-tokens mint",
    "POST /v2/auth/api-tokens/new",
    z.object({ token: z.object({ name: z.string(), id: z.string(), value: z.string() }) }),
  ],
  [
    "auth api-tokens mint --org --group",
    "POST /v2/auth/api-tokens/new",
    z.object({ token: z.object({ name: z.string(), id: z.string(), value: z.string() }) }),
    { organization: "acme", group: "default", scopes: ["read-only", "db:create"] },
  ],
  ["auth api-tokens revoke", "DELETE /v1/auth/api-tokens/ci", Ignored],
  ["org list", "GET /v2/organizations", z.object({ organizations: z.array(Organization.required({ id: true })) })],
  ["org create --dry-run", "POST /v1/organizations?dry_run=true", z.object({ org: Organization }), { name: "new" }],
  ["org create", "POST /v1/organizations?dry_run=false", z.object({ org: Organization }), { name: "new" }],
  ["org destroy", "DELETE /v1/organizations/empty", Ignored],
  ["plan overages enable", "PATCH /v1/organizations/acme", Ignored, { overages: true }],
  [
    "org members list",
    "GET /v1/organizations/acme/members",
    z.object({ members: z.array(z.object({ username: z.string(), role: z.string() })) }),
  ],
  ["org members add", "POST /v1/organizations/acme/members", Ignored, { username: "eve", role: "member" }],
  ["org members rm", "DELETE /v1/organizations/acme/members/max", Ignored],
  ["org members invite", "POST /v1/organizations/acme/invite", Ignored, { email: "n@users.example", role: "member" }],
  [
    "org members invite --list",
    "GET /v1/organizations/acme/invites",
    z.object({ invites: z.array(z.object({ email: z.string(), role: z.string(), accepted: z.boolean() })) }),
  ],
  [
    "org audit-logs",
    "GET /v1/organizations/acme/audit-logs?page=1&page_size=25",
    z.object({
      audit_logs: z.array(AuditLog),
      pagination: z.object({ page: z.int(), page_size: z.int(), total_pages: z.int(), total_rows: z.int() }),
    }),
  ],
  ["group transfer", "POST /v1/organizations/acme/groups/shop/transfer", Ignored, { organization: "empty" }],
  ["plan list", "GET /v1/plans", z.object({ plans: z.array(Plan) })],
  ["db locations", "GET /v1/locations", z.object({ locations: z.record(z.string(), z.string()) })],
  [
    "db locations, by platform",
    "GET /v2/locations",
    z.object({ locations: z.record(z.string(), z.record(z.string(), z.string())) }),
  ],
  [
    "group locations list",
    "GET /v2/organizations/acme/locations",
    z.object({ locations: z.record(z.string(), z.record(z.string(), z.string())) }),
  ],
  [
    "the location lookup in db create",
    "GET /v1/locations/aws-us-east-1",
    z.object({
      location: z.object({
        code: z.string(),
        description: z.string(),
        closest: z.array(z.object({ code: z.string(), description: z.string() })),
      }),
    }),
  ],
  ["--v3-api group list", `GET /v3/organizations/${uuid(1)}/groups`, z.object({ groups: z.array(Group) })],
  ["--v3-api group show", `GET /v3/organizations/${uuid(1)}/groups/${uuid(5)}`, z.object({ group: Group })],
  ["--v3-api group tokens", `POST /v3/organizations/${uuid(1)}/groups/${uuid(5)}/auth/tokens?expiration=1d`, Jwt, {}],
  [
    "--v3-api db list",
    `GET /v3/organizations/${uuid(1)}/databases?group_id=${uuid(5)}&limit=100`,
    z.object({ databases: z.array(Database), pagination: Pagination }),
  ],
  ["--v3-api db show", `GET /v3/organizations/${uuid(1)}/databases/${uuid(6)}`, z.object({ database: Database })],
  [
    "--v3-api db config",
    `GET /v3/organizations/${uuid(1)}/databases/${uuid(6)}`,
    z.object({
      database: z.object({
        delete_protection: z.boolean(),
        allow_rules_config: z.object({
          allowed_ips: z.array(z.string()),
          allowed_aws_vpc_ids: z.array(z.string()),
        }),
      }),
    }),
  ],
  [
    "--v3-api db create",
    `POST /v3/organizations/${uuid(1)}/databases`,
    z.object({ database: z.object({ dbid: z.string(), name: z.string(), hostname: z.string() }) }),
    { name: "b", group_id: uuid(5), seed: { type: "database", value: "a" }, use_tursodb: false },
  ],
  ["--v3-api db destroy", `DELETE /v3/organizations/${uuid(1)}/databases/${uuid(6)}`, Ignored],
  ["--v3-api db tokens", `POST /v3/organizations/${uuid(1)}/databases/${uuid(6)}/auth/tokens?expiration=1d`, Jwt, {}],
];

const server = served(seed);

const HEADERS = { "User-Agent": "turso-cli/v1.0.12 (linux/amd64)", TursoCliVersion: "v1.0.12" };

/** Sends a request as the official CLI does, with a Content-Type even if there is no body. */
async function ask(request: string, body?: unknown) {
  const { url, unrestrictedToken: token } = server();
  const [method = "", path = ""] = request.split(" ");
  const answer = await fetch(url + path, {
    method,
    headers: { ...HEADERS, Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { url, token, status: answer.status, answer: lowered(await answer.json()) };
}

function lowered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowered);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key.toLowerCase(), lowered(each)]));
}

async function check(request: string, shape: z.ZodType, body?: unknown): Promise<void> {
  const { status, answer } = await ask(request, body);
  expect(status, JSON.stringify(answer)).toBe(200);
  shape.parse(answer);
}

describe.each([
  ["a selected organization", "/v1/organizations/acme"],
  ["no organization selected", "/v1"],
])("wire-facts 11.2 with %s", (_which, prefix) => {
  test.each(inOrganization)("serves the command `%s`", (_command, request, shape, body) =>
    check(request.replace(" ", ` ${prefix}`), shape, body),
  );
});

describe("wire-facts 11.2 regardless of the selected organization", () => {
  test.each(elsewhere)("serves the request for %s", (_command, request, shape, body) => check(request, shape, body));
});

/** Commands of the official CLI that this server does not support; docs/reference-api-rules.md says why. */
test.each([
  ["org jwks list", "GET /v2/organizations/acme/jwks"],
  ["org jwks save", "PUT /v2/organizations/acme/jwks/clerk"],
  ["org jwks remove", "DELETE /v2/organizations/acme/jwks/clerk"],
  ["org jwks template", "GET /v2/organizations/acme/jwks-template"],
  ["group aws-migration start", "POST /v1/organizations/acme/groups/default/aws/migration/start"],
])("returns a plain-text 404 for an unsupported command: %s", async (_command, request) => {
  const { url, unrestrictedToken } = server();
  const [method = "", path = ""] = request.split(" ");
  const headers = { ...HEADERS, Authorization: `Bearer ${unrestrictedToken}` };
  const answer = await fetch(url + path, { method, headers });
  expect([answer.status, await answer.text()]).toEqual([404, "404 page not found"]);
});

describe("wire-facts 3.2 a dump", () => {
  test.each(["/v1/organizations/acme", "/v1"])("can be uploaded to %s and used to seed a database", async (prefix) => {
    const { url: address, unrestrictedToken } = server();
    const headers = { ...HEADERS, Authorization: `Bearer ${unrestrictedToken}` };
    const form = new FormData();
    form.append("file", new Blob(["create table users (id integer);"]), "dump.sql");
    const url = `${address}${prefix}/databases/dumps`;
    const uploaded = await fetch(url, { method: "POST", headers, body: form });
    const { dump_url } = z.object({ dump_url: z.url() }).parse(await uploaded.json());
    const body = JSON.stringify({ name: "b", location: "", group: "default", seed: { type: "dump", url: dump_url } });
    const created = await fetch(`${address}${prefix}/databases`, { method: "POST", headers, body });
    expect(created.status).toBe(200);
    CreatedDatabase.parse(lowered(await created.json()));
  });
});

test("wire-facts 0 the audit log shows the origin `cli` for changes made by the official CLI", async () => {
  const { url, token } = await ask("POST /v1/organizations/acme/groups", {
    Name: "new",
    Location: "aws-us-east-1",
    Version: "latest",
  });
  const headers = { Authorization: `Bearer ${token}` };
  const logs = await fetch(`${url}/v1/organizations/acme/audit-logs`, { headers });
  expect((await logs.json()).audit_logs[0]).toMatchObject({ code: "group-create", origin: "cli", author: "ada" });
});
