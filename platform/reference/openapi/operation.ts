import * as z from "zod";
import type { ZodOpenApiOperationObject } from "#zod-openapi";
import type { Access, Endpoint } from "../../contract/endpoint";
import { ErrorBody, PLAN_REFUSAL } from "../../contract/schemas";
import { largestBody } from "../requests/body";
import { areaOf } from "./area";
import type { Example } from "./examples";

export interface OperationAtPath {
  readonly name: string;
  readonly path: string;
  readonly endpoint: Endpoint;
  readonly example?: Example;
}

/**
 * Builds the OpenAPI operation for one method and path. Operations of the API that differ only in a query parameter share
 * one OpenAPI operation.
 */
export function describedOperation(
  places: readonly [OperationAtPath, ...OperationAtPath[]],
): ZodOpenApiOperationObject {
  const [first, ...others] = places;
  if (others.length === 0) return singleOperation(first);
  const main = places.find(({ endpoint }) => endpoint.queryFlag === undefined) ?? first;
  const all = places.map((place) => ({ place, operation: singleOperation(place) }));
  return {
    ...singleOperation(main),
    summary: all.map(({ operation }) => operation.summary).join(" Or: "),
    description: all.map(({ place, operation }) => `**${labelOf(place)}** ${operation.description}`).join("\n\n"),
    requestParams: {
      path: pathParams(main),
      query: z.object(Object.assign({}, ...places.map((place) => queryBeside(place, main)))),
    },
    responses: {
      ...Object.assign({}, ...all.map(({ operation }) => operation.responses)),
      "200": responseOf(z.union(places.map(({ endpoint }) => endpoint.result)), {
        examples: Object.fromEntries(
          places.flatMap(({ name, example }) => (example ? [[name, { value: example.answer }]] : [])),
        ),
      }),
    },
    "x-operations": places.map(({ name, endpoint }) => ({
      name,
      ...(endpoint.queryFlag && { queryFlag: endpoint.queryFlag }),
      ...accessExtensions(endpoint),
    })),
  };
}

function singleOperation(place: OperationAtPath): ZodOpenApiOperationObject {
  const { endpoint, path } = place;
  const { summary, method, body, consumes, result } = endpoint;
  const isOptional = body.safeParse(method === "PATCH" ? {} : undefined).success;
  const mediaType = consumes === "multipart" ? "multipart/form-data" : "application/json";
  const sent = place.example?.body === undefined ? {} : { example: place.example.body };
  const refusals = [...refusalsOf(endpoint)].map(([status, sentences]) => [status, refusalResponse(sentences)]);
  return {
    operationId: operationIdOf(place),
    summary,
    description: [endpoint.deprecated, endpoint.description, requiredAccess(endpoint)].filter(Boolean).join("\n\n"),
    tags: [areaOf(path, endpoint.queryFlag)],
    ...(endpoint.deprecated !== undefined && { deprecated: true }),
    requestParams: { path: pathParams(place), query: endpoint.query },
    ...(takesBody(endpoint) && {
      requestBody: {
        required: !isOptional,
        // Accepts `null`, which counts as no body (wire-facts 0).
        content: { [mediaType]: { schema: isOptional ? body.nullable() : body, ...sent } },
      },
    }),
    responses: {
      "200": responseOf(result, place.example && { example: place.example.answer }),
      ...Object.fromEntries(refusals),
    },
    ...accessExtensions(endpoint),
  };
}

const responseOf = (schema: z.ZodType, shown: object = {}) => ({
  description: "Success.",
  content: { "application/json": { schema, ...shown } },
});

/** Returns whether an operation takes a body. If an operation takes none, its body in the contract is `unknown`. */
const takesBody = ({ body }: Endpoint): boolean =>
  !(body instanceof z.ZodOptional && body.unwrap() instanceof z.ZodUnknown);

/** Returns the parameters that occur in this path. An operation's other paths may have different parameters. */
const pathParams = ({ path, endpoint, example }: OperationAtPath): z.ZodObject =>
  z.object(
    Object.fromEntries(
      Object.entries(endpoint.params.shape as Record<string, z.ZodType>)
        .filter(([name]) => path.includes(`{${name}}`))
        .map(([name, part]) => {
          const param = example && { example: example.params[name] };
          return [name, part.meta({ description: paramDescription(name), ...part.meta(), ...(param && { param }) })];
        }),
    ),
  );

/** Derives the description of a parameter from its name: `instanceName` becomes "Instance name." */
const paramDescription = (name: string): string =>
  `${name.charAt(0).toUpperCase()}${name.slice(1).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}.`;

/**
 * Returns the query parameters of an operation that has the same method and path as `main`. If the operation is not
 * `main` itself, its parameters become optional, because requests for `main` do not send them.
 */
const queryBeside = ({ endpoint }: OperationAtPath, main: OperationAtPath): Record<string, z.ZodType> =>
  Object.fromEntries(
    Object.entries(endpoint.query.shape as Record<string, z.ZodType>).map(([name, part]) => [
      name,
      endpoint === main.endpoint ? part : part.optional().meta({ ...part.meta() }),
    ]),
  );

/** Returns the operation's name, followed by a suffix such as `V2` if the path is not the operation's first path. */
function operationIdOf({ name, path, endpoint }: OperationAtPath): string {
  const index = endpoint.paths.indexOf(path);
  if (index === 0) return name;
  const before = endpoint.paths.slice(0, index);
  const suffix = operationIdSuffix(path, endpoint);
  const same = before.slice(1).filter((other) => operationIdSuffix(other, endpoint) === suffix).length;
  return `${name}${suffix}${same === 0 ? "" : same + 1}`;
}

function operationIdSuffix(path: string, { paths }: Endpoint): string {
  const version = /^\/v(\d+)\//.exec(path)?.[1];
  const named = "{organizationSlug}";
  const of = paths[0].includes(named) && !path.includes(named) ? "OfOwnOrganization" : "";
  return `${version && version !== "1" ? `V${version}` : ""}${of}` || "Also";
}

function accessExtensions({ access }: Endpoint) {
  return {
    "x-level": access.level,
    ...(access.scope && { "x-scope": access.scope }),
    ...(access.role && { "x-role": access.role }),
    ...(access.groupRole && { "x-group-role": access.groupRole }),
    ...(access.orSelf && { "x-or-self": true }),
    ...(access.unrestricted && { "x-unrestricted": true }),
    ...(access.plan && { "x-plan": access.plan }),
  };
}

const LEVELS = {
  any: "Any credential.",
  user: "Acts for the caller; group-scoped credentials are refused.",
  organization: "Concerns the whole organization; group-scoped credentials are refused.",
  group: "Concerns a group or its databases.",
} as const;

/** Describes who may call the operation. */
function requiredAccess({ access }: Endpoint): string {
  const { level, scope, role, groupRole, orSelf, unrestricted, plan } = access;
  return [
    LEVELS[level],
    scope && `A group-scoped credential requires the scope \`${scope}\`.`,
    role && `Required role: ${role}${orSelf ? ", unless the operation is about the caller" : ""}.`,
    groupRole && `Required role if a group is named: ${groupRole}.`,
    unrestricted && "Requires an unrestricted credential.",
    plan && "Requires a paid plan.",
  ]
    .filter(Boolean)
    .join(" ");
}

const labelOf = ({ endpoint: { queryFlag }, name }: OperationAtPath): string =>
  queryFlag === undefined ? `\`${name}\`:` : `With \`${queryFlag}\`, \`${name}\`:`;

/**
 * Returns the statuses other than 200 that the operation can return, each with the conditions under which it occurs.
 */
function refusalsOf(endpoint: Endpoint): ReadonlyMap<number, string> {
  const all = new Map<number, string>();
  if (canBeMalformed(endpoint)) all.set(400, "The request is invalid.");
  all.set(401, "The credential is missing, malformed, unknown or revoked.");
  if (endpoint.access.level !== "any") all.set(403, forbiddenReasons(endpoint.access));
  if (namesObject(endpoint)) all.set(404, "The organization, or an object that the path names, does not exist.");
  if (mayHaveBody(endpoint)) all.set(413, `The body is larger than ${largestBody(endpoint)} bytes.`);
  for (const [status, sentence] of Object.entries(endpoint.refusals ?? {}))
    all.set(Number(status), [all.get(Number(status)), sentence].filter(Boolean).join(" "));
  all.set(503, "The data is currently unavailable, or its disk is full; nothing was changed.");
  return all;
}

const mayHaveBody = ({ method }: Endpoint): boolean => method !== "GET" && method !== "DELETE";

/**
 * Returns whether the request can be malformed: its body might not be JSON, a UUID might be invalid, or a name or query
 * parameter might hold text that cannot be stored.
 */
const canBeMalformed = (endpoint: Endpoint): boolean =>
  mayHaveBody(endpoint) || Object.keys({ ...endpoint.params.shape, ...endpoint.query.shape }).length > 0;

const namesObject = ({ params, access }: Endpoint): boolean =>
  Object.keys(params.shape).length > 0 || access.names === "body";

function forbiddenReasons({ level, scope, role, groupRole, unrestricted, plan }: Access): string {
  const reasons = [
    level === "group"
      ? `a group-scoped credential lacks the scope${scope ? ` \`${scope}\`` : ""}`
      : "the credential is group-scoped",
    ...(role ? [`the caller's role is lower than ${role}`] : []),
    ...(groupRole ? [`a group is named and the caller's role is lower than ${groupRole}`] : []),
    ...(unrestricted ? ["the credential is restricted to one organization"] : []),
    ...(plan ? [`the organization is on the free plan (\`code\` is then \`${PLAN_REFUSAL}\`)`] : []),
  ];
  const text = reasons.length > 1 ? `${reasons.slice(0, -1).join(", ")}, or ${reasons.at(-1)}` : reasons.join();
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

const refusalResponse = (description: string) => ({
  description,
  content: { "application/json": { schema: ErrorBody } },
});
