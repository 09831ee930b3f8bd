import * as z from "zod";
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiOverride,
  type ZodOpenApiPathsObject,
} from "#zod-openapi";
import { api, type Operation } from "../../contract/api";
import type { Endpoint } from "../../contract/endpoint";
import { areas } from "./area";
import type { Examples } from "./examples";
import { describedOperation, type OperationAtPath } from "./operation";

/** The version of the API (§9), which is independent of this package's version. */
const VERSION = "0.1.0";

const ABOUT = `The control plane of a database platform: organizations, groups of databases, databases, their \
configuration, API tokens, locations, audit logs, and the recovery of deleted databases and groups.

Every response is JSON. A successful response always has status 200; an error has \`error\`, and also \`code\` if a paid \
plan would allow the request. Responses may have more fields than are described here. Keys of request bodies are not \
case-sensitive, and unknown keys are ignored.

Paths under \`/v1\` identify an organization by its slug and a database by its name; paths under \`/v3\` identify both by \
UUID. A \`/v1\` path without an organization means the organization that the credential is restricted to, or else the \
caller's personal account.`;

const CREDENTIAL = `An API token (a JWT). It is organization-scoped (restricted to one organization), group-scoped (pinned \
to one group, with a set of scopes) or unrestricted. **Unrestricted tokens are deprecated** and will be removed in a \
future release.`;

/**
 * Returns the OpenAPI 3.1 description of the platform's API, derived from the contract.
 *
 * @param shown Examples to include in the description.
 */
export function openApiDocument(shown: Examples = {}) {
  return createDocument(
    {
      openapi: "3.1.1",
      info: {
        title: "Database Platform Management API",
        version: VERSION,
        description: ABOUT,
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: [{ url: "/", description: "The host that serves this document." }],
      security: [{ ApiToken: [] }],
      tags: areas,
      paths: pathItems(shown),
      components: {
        securitySchemes: {
          ApiToken: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: CREDENTIAL },
        },
      },
    },
    { override: asSent },
  );
}

/** Returns the OpenAPI description of every path and method. */
function pathItems(shown: Examples): ZodOpenApiPathsObject {
  const routes = new Map<string, [OperationAtPath, ...OperationAtPath[]]>();
  for (const [name, endpoint] of Object.entries(api) as [Operation, Endpoint][])
    for (const path of endpoint.paths) {
      const route = `${endpoint.method} ${path}`;
      const place: OperationAtPath = { name, path, endpoint, example: shown[name] };
      routes.set(route, [...(routes.get(route) ?? []), place] as [OperationAtPath, ...OperationAtPath[]]);
    }
  const all: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const places of routes.values()) {
    const [{ path, endpoint }] = places;
    all[path] = { ...all[path], [endpoint.method.toLowerCase()]: describedOperation(places) };
  }
  return all;
}

/**
 * Adapts a schema for the OpenAPI document: removes the patterns of known formats, allows additional fields in
 * responses, and describes numeric query parameters as numbers although they are sent as strings.
 */
const asSent: ZodOpenApiOverride = ({ zodSchema, jsonSchema, io }) => {
  const { def } = zodSchema._zod;
  if (jsonSchema.format === "uuid" || jsonSchema.format === "date-time") delete jsonSchema.pattern;
  if (def.type === "object" && io === "output" && jsonSchema.additionalProperties === false)
    delete jsonSchema.additionalProperties;
  if (def.type !== "pipe" || io !== "input" || def.out._zod.def.type !== "number") return;
  const { description } = jsonSchema;
  for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
  const { $schema: _dialect, ...number } = z.toJSONSchema(def.out as z.ZodType, { io: "input" });
  Object.assign(jsonSchema, number, description !== undefined && { description });
};
