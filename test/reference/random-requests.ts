import fc from "fast-check";
import { api as contract, type Operation } from "../../platform/contract/api";
import type { Endpoint } from "../../platform/contract/endpoint";
import type { Seed } from "../../platform/reference/seed/seed";
import { PRESETS, SCOPES } from "../../platform/values/scope";
import { arbitraryOf } from "./arbitrary";
import { NOON } from "./world";

/**
 * A generated request. Before the request is sent, each placeholder `~kind number~` is replaced by a value from earlier
 * responses.
 */
export interface RandomRequest {
  readonly operation: Operation | undefined;
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly credential: string;
  /** Seconds by which the clock advances before the request is sent. */
  readonly later: number;
}

const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/**
 * Two organizations on different plans, and a personal account. They have live and deleted groups and databases, and
 * tokens of all kinds.
 */
export const seed: Seed = {
  users: ["ada", "adam", "mira", "vera", "stan"].map((username) => ({ username })),
  organizations: [
    {
      slug: "acme",
      id: uuid(1),
      members: [
        { username: "ada", role: "owner" },
        { username: "adam", role: "admin" },
        { username: "mira", role: "member" },
        { username: "vera", role: "viewer" },
      ],
      groups: [
        { name: "default", uuid: uuid(11) },
        { name: "shop", uuid: uuid(12) },
        { name: "gone", uuid: uuid(13), deleted_at: NOON },
      ],
      databases: [
        { name: "a", uuid: uuid(21) },
        { name: "b", uuid: uuid(22), group: "shop" },
        { name: "c", uuid: uuid(23), group: "gone" },
        { name: "d", uuid: uuid(24), deleted_at: NOON },
      ],
      tokens: [
        { name: "adam", user: "adam" },
        { name: "mira", user: "mira" },
        { name: "vera", user: "vera" },
        { name: "all", user: "ada", group: "default", scopes: ["full-access"] },
        { name: "read", user: "adam", group: "shop", scopes: ["read"] },
        { name: "write", user: "adam", group: "shop", scopes: ["db:create", "db:delete", "db:mint-token"] },
      ],
    },
    {
      slug: "globex",
      id: uuid(2),
      plan: "starter",
      members: [
        { username: "ada", role: "owner" },
        { username: "stan", role: "owner" },
      ],
      groups: [{ name: "default", uuid: uuid(14) }],
      databases: [{ name: "a", uuid: uuid(25) }],
      tokens: [{ name: "stan", user: "stan" }],
    },
    { slug: "ada", type: "personal", members: [{ username: "ada", role: "owner" }], groups: [{ name: "default" }] },
  ],
};

const FILLED = ["uuid", "id", "token", "jwt", "cursor", "url"] as const;
const filled = (kinds: readonly string[]) =>
  fc.tuple(fc.constantFrom(...kinds), fc.nat(30)).map(([kind, index]) => `~${kind}${index}~`);

const names = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("a", "b", "c", "d", "e", "f", "default", "shop", "gone", "new") },
  { weight: 1, arbitrary: fc.constantFrom("", "A", "-", "a".repeat(60), "toString", "__proto__", "%", "a/b", "\0") },
  { weight: 1, arbitrary: filled(FILLED) },
  { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
);
const uuids = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...[11, 12, 13, 14, 21, 22, 23, 24, 25].map(uuid)) },
  { weight: 3, arbitrary: filled(["uuid"]) },
  { weight: 1, arbitrary: fc.oneof(fc.uuid(), names) },
);
const groups = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("default", "shop", "shop") },
  { weight: 1, arbitrary: names },
);
const databases = fc.oneof({ weight: 3, arbitrary: fc.constantFrom("a", "b", "e") }, { weight: 1, arbitrary: names });
const organizations = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom("acme", "acme", "globex") },
  { weight: 1, arbitrary: fc.constantFrom("ada", "nowhere", "", "ACME") },
);
const locations = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("aws-us-east-1", "aws-eu-west-1", "aws-ap-south-1") },
  { weight: 1, arbitrary: fc.oneof(fc.constantFrom("ams", "lhr", "nowhere", ""), names) },
);
const instants = fc.constantFrom("2026-02-27T12:00:00Z", NOON, "2026-03-09T00:00:00+02:00", "yesterday", "");
const numbers = fc.oneof(
  fc.nat(5).map(String),
  fc.constantFrom("-1", "1e3", "1.5", "", "999999999999", "1000", "1001"),
);

const POOLS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  organizationSlug: organizations,
  organization: organizations,
  org: organizations,
  organizationId: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(uuid(1), uuid(1), uuid(2)) },
    { weight: 1, arbitrary: uuids },
  ),
  groupName: groups,
  group: groups,
  databaseName: databases,
  databaseId: uuids,
  groupId: uuids,
  group_id: uuids,
  parent: uuids,
  parent_db_id: uuids,
  tokenName: fc.constantFrom("adam", "mira", "all", "read", "a", "b"),
  tokenId: fc.oneof(filled(["id"]), names),
  cursor: fc.oneof(filled(["cursor"]), names),
  url: fc.oneof(filled(["url"]), fc.webUrl(), names),
  location: locations,
  locationCode: locations,
  instanceName: locations,
  username: fc.oneof(fc.constantFrom("ada", "adam", "mira", "vera", "stan", "nobody"), names),
  email: fc.oneof({ weight: 4, arbitrary: fc.constantFrom("new@users.example") }, { weight: 1, arbitrary: names }),
  code: locations,
  scopes: fc.oneof(fc.constantFrom(...SCOPES, ...Object.keys(PRESETS)), names),
  size_limit: fc.constantFrom("1mb", "256mb", "1gb", "1024", "", "lots", "-1", "9".repeat(40)),
  allowed_ips: fc.constantFrom("10.0.0.0/8", "::1", "10.0.0.1", "10.0.0.256", ""),
  allowed_aws_vpc_ids: fc.constantFrom("vpce-0123456789abcdef0", "vpc-1", ""),
  timestamp: instants,
  from: instants,
  to: instants,
  expiration: fc.constantFrom("never", "none", "default", "2w1d30m", "52w", "3d", "1", "", "-1d", "9".repeat(30)),
  authorization: fc.constantFrom("full-access", "read-only", "nonsense"),
  limit: numbers,
  page: numbers,
  page_size: numbers,
  deleted: fc.constantFrom("true", "true", "true", "false"),
};
const pool = (key: string): fc.Arbitrary<unknown> => POOLS[key] ?? names;

const credentials = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom("owner", "unrestricted") },
  { weight: 3, arbitrary: fc.constantFrom("adam", "mira", "vera") },
  { weight: 3, arbitrary: fc.constantFrom("all", "read", "write", "stan") },
  { weight: 1, arbitrary: filled(["token", "jwt"]) },
);
const authorizations = fc.oneof(
  { weight: 14, arbitrary: credentials.map((name) => `Bearer ${name.startsWith("~") ? name : `~as ${name}~`}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("", "Bearer", "Bearer a.b.c", "Basic YTpi", "Bearer ~as owner~x", "~as owner~"),
  },
);

export const operations = Object.keys(contract) as Operation[];

const DUMP = [
  "--x",
  'Content-Disposition: form-data; name="file"; filename="dump.sql"',
  "",
  "create table users (id integer);",
  "--x--",
  "",
].join("\r\n");

const sensible: fc.Arbitrary<RandomRequest> = fc.constantFrom(...operations).chain((operation) => {
  const { method, paths, params, query, body, consumes }: Endpoint = contract[operation];
  const sent =
    consumes === "multipart" ? fc.constant(DUMP) : arbitraryOf(body, "", pool).map((value) => JSON.stringify(value));
  return fc
    .record({
      template: fc.constantFrom(...paths),
      params: fc.record(Object.fromEntries(Object.keys(params.shape).map((name) => [name, pool(name)]))),
      query: arbitraryOf(query, "", pool),
      body: fc.option(sent, { freq: 10, nil: undefined }),
      headers: fc.record(
        { "User-Agent": fc.constantFrom("turso-cli/v1 (linux/amd64)", "Mozilla/5.0", "x") },
        { requiredKeys: [] },
      ),
      credential: authorizations,
      later: fc.oneof(
        { weight: 30, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.constantFrom(1, 86_400, 432_000) },
      ),
    })
    .map(({ template, params, query, body, headers, ...rest }) => ({
      ...rest,
      operation,
      method,
      path: template.replace(/\{(\w+)\}/g, (_all, name) => escaped(String(params[name]))) + searchOf(query as object),
      headers: { ...headers, ...(consumes === "multipart" && { "Content-Type": "multipart/form-data; boundary=x" }) },
      body: method === "GET" || method === "DELETE" ? undefined : body,
    }));
});

const escaped = (text: string): string => encodeURIComponent(text);

function searchOf(query: object): string {
  const pairs = Object.entries(query).map(([name, value]) => `${escaped(name)}=${escaped(String(value))}`);
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

const nonsense = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    '{"',
    "[".repeat(5_000),
    '{"__proto__":{"name":"a"}}',
    '{"name":1e999}',
    '{"name":"\\u0000"}',
    "null",
    "[]",
  ),
);
const crooked = fc.constantFrom(
  "%zz",
  "%00",
  "//",
  "/..",
  "/.",
  "%2f",
  "?",
  "&",
  "=",
  "%ff",
  "?limit=0",
  "/x",
  ";",
  "#",
  "\u00ff",
);

const broken: fc.Arbitrary<RandomRequest> = fc
  .tuple(
    sensible,
    fc.oneof(
      fc.record({ method: fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE") }),
      fc.record({ body: nonsense }),
      fc.record({ crook: crooked, at: fc.nat(80) }),
      fc.record({
        headers: fc.constantFrom(
          { "Content-Type": "multipart/form-data; boundary=x" },
          { "Content-Type": "" },
          { Accept: "text/html" },
          { Range: "bytes=0-1" },
          { "Content-Encoding": "gzip" },
        ),
      }),
    ),
  )
  .map(([asked, change]): RandomRequest => {
    if (!("crook" in change))
      return { ...asked, ...change, operation: "method" in change ? undefined : asked.operation } as RandomRequest;
    const at = 1 + (change.at % asked.path.length);
    return { ...asked, operation: undefined, path: asked.path.slice(0, at) + change.crook + asked.path.slice(at) };
  });

export const requests = fc.oneof({ weight: 4, arbitrary: sensible }, { weight: 1, arbitrary: broken });
