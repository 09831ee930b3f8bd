import type { core, ZodObject, ZodType } from "zod";

// Declares what is used of zod-openapi. The package's own declarations add members to the metadata of every schema, and
// thereby double the work of the compiler wherever it compares two schemas.

type Extensions = { readonly [extension: `x-${string}`]: unknown };

interface Content {
  readonly [mediaType: string]: { readonly schema: ZodType; readonly example?: unknown; readonly examples?: object };
}

export interface ZodOpenApiOperationObject extends Extensions {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  readonly requestParams: { readonly path: ZodObject; readonly query: ZodObject };
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content: Content }>>;
}

export type ZodOpenApiPathsObject = Readonly<Record<string, Readonly<Record<string, ZodOpenApiOperationObject>>>>;

/** Changes the JSON schema that describes a schema. */
export type ZodOpenApiOverride = (context: {
  zodSchema: core.$ZodTypes;
  jsonSchema: core.JSONSchema.BaseSchema;
  io: "input" | "output";
}) => void;

interface About {
  readonly openapi: string;
  readonly info: { readonly version: string; readonly [member: string]: unknown };
  readonly servers: readonly object[];
  readonly security: readonly object[];
  readonly tags: readonly object[];
  readonly components: { readonly securitySchemes: Readonly<Record<string, object>> };
}

/** An operation in the document, as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: the members of an OpenAPI operation
type Written = any;

export function createDocument(
  document: About & { readonly paths: ZodOpenApiPathsObject },
  options: { readonly override: ZodOpenApiOverride },
): About & { readonly paths: Readonly<Record<string, Readonly<Record<string, Written>>>> };
