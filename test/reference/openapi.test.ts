import { beforeAll, expect, test } from "vitest";
import { api, type Operation } from "../../platform/contract/api";
import { openApiDocument } from "../../platform/reference/openapi/document";
import { type Examples, examples } from "../../platform/reference/openapi/examples";
import { calling, raw } from "./calling";
import { undescribed } from "./described";
import { world } from "./world";

interface Linter {
  createConfig(config: object): Promise<object>;
  lintFromString(options: { source: string; config: object }): Promise<readonly Finding[]>;
}

interface Finding {
  readonly ruleId: string;
  readonly message: string;
  readonly location: readonly { readonly pointer?: string }[];
}

// Not imported, because the compiler would take a tenth of its time for the declarations of the package.
const { createConfig, lintFromString }: Linter = require("@redocly/openapi-core");

let shown: Examples;
let document: ReturnType<typeof openApiDocument>;

beforeAll(async () => {
  shown = await examples();
  document = openApiDocument(shown);
});

const operations = () => Object.values(document.paths ?? {}).flatMap((item) => Object.values(item));

const RULES = {
  "parameter-description": "error",
  // Allows additional fields, because a response may contain fields that the contract does not name.
  "no-invalid-media-type-examples": { severity: "error", allowAdditionalProperties: true },
} as const;

test("§9 serves an OpenAPI document with version 0.1.0 that passes the linter", async () => {
  expect(document.info.version).toBe("0.1.0");
  const config = await createConfig({ extends: ["recommended"], rules: RULES });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  expect(problems.map(({ ruleId, message, location: [at] }) => `${ruleId}: ${message} ${at?.pointer}`)).toEqual([]);
});

test("serves an OpenAPI document that lists every operation at each of its paths", async () => {
  const { api: running } = await world();
  const served = await (await raw(`${running.url}/openapi.json`)).json();
  expect(served).toEqual(document);
  const placed = Object.entries(api).flatMap(([name, { paths }]) => paths.map(() => name));
  const named = operations().flatMap((operation) =>
    (operation["x-operations"] ?? [{ name: operation.operationId }]).map(({ name }: { name: string }) => name),
  );
  expect(named.map((name) => name.replace(/(V\d)?(OfOwnOrganization|Also)?\d?$/, "")).sort()).toEqual(placed.sort());
});

test("§5 documents the scope, role and plan that an operation requires", () => {
  const { restoreDatabase } = Object.fromEntries(operations().map((each) => [each.operationId, each]));
  expect(restoreDatabase).toMatchObject({ "x-scope": "db:create", "x-role": "admin", "x-plan": "paid" });
  expect(Object.keys(restoreDatabase.responses)).toEqual(["200", "400", "401", "403", "404", "413", "503"]);
  expect(document.components?.securitySchemes?.ApiToken).toMatchObject({ type: "http", scheme: "bearer" });
});

test("documents a body as required only for operations that need a body", () => {
  const required = Object.fromEntries(operations().map((each) => [each.operationId, each.requestBody?.required]));
  expect(required).toMatchObject({
    createDatabase: true,
    restoreDatabase: false,
    updateDatabaseConfiguration: false,
    updateGroupConfiguration: false,
    updateOrganization: false,
    updateMember: true,
  });
});

test("§9 documents unrestricted tokens as deprecated", () => {
  const { createApiToken } = Object.fromEntries(operations().map((each) => [each.operationId, each]));
  expect(createApiToken.description).toMatch(/unrestricted.*deprecated/);
});

test("uses real responses as examples, but never shows a valid token", async () => {
  expect(shown.restoreDatabase).toMatchObject({
    body: { name: "newsletter-restored" },
    answer: { database: { Name: "newsletter-restored", group: "default" } },
  });
  for (const [name, { answer: body }] of Object.entries(shown))
    expect(undescribed(name as Operation, { status: 200, body })).toBeUndefined();
  const { api: deterministic } = await world({ deterministic: true });
  const created = shown.createApiToken?.answer as { token: string } | undefined;
  expect(await calling(deterministic, created?.token).status("validateApiToken", {})).toBe(401);
  expect(await examples()).toEqual(shown);
});

test("documents an example response for every operation, and an example of every request body", () => {
  const shownIn = (content: object): unknown[] =>
    Object.values(content).flatMap(({ example, examples = {} }) =>
      example === undefined ? Object.values(examples) : [example],
    );
  const bare = operations().flatMap(({ operationId, requestBody, responses }) => [
    ...(requestBody && !shownIn(requestBody.content).some((body) => Object.keys(body as object).length > 0)
      ? [`${operationId}: body`]
      : []),
    ...(shownIn(responses["200"].content).length === 0 ? [`${operationId}: answer`] : []),
  ]);
  expect(bare).toEqual([]);
});

test("detects a response whose status or shape does not match the OpenAPI document", () => {
  const right = { tokens: [{ id: "x", name: "ci", added: "later" }] };
  expect(undescribed("listApiTokens", { status: 200, body: right })).toBeUndefined();
  expect(undescribed("listApiTokens", { status: 200, body: { tokens: [{ id: "x" }] } })).toMatch("required");
  expect(undescribed("listApiTokens", { status: 409, body: { error: "taken" } })).toMatch("refusals");
});
