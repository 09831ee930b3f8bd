import type * as z from "zod";
import { type Api, api, type Operation } from "../../platform/contract/api";
import type { Endpoint, Request } from "../../platform/contract/endpoint";
import { fieldOf } from "../../provider/client/http/request";
import { callPlatform } from "../platform-call";
import type { ReadyMessage } from "../reference";

/** How a response compares with the contract. The texts contain names of fields, and never their values. */
export interface ReadResult {
  readonly operation: Operation;
  readonly status?: number;
  readonly differences: readonly string[];
  /** What the contract allows, but the reader of a report should know. */
  readonly remarks: readonly string[];
  readonly milliseconds: number;
}

/** Values of path parameters and of required query parameters, by name. */
export type KnownValues = Readonly<Record<string, string | undefined>>;

/** The operations of the contract that only read. */
export const READS = (Object.keys(api) as Operation[]).filter((operation) => api[operation].method === "GET");

/** Calls an operation and compares the response with the contract. */
export async function compareRead(
  platform: ReadyMessage,
  operation: Operation,
  known: KnownValues,
  signal: AbortSignal,
): Promise<ReadResult> {
  const endpoint: Endpoint = api[operation];
  const started = performance.now();
  const result = (differences: readonly string[], more: Partial<ReadResult> = {}): ReadResult => {
    const milliseconds = Math.round(performance.now() - started);
    return { operation, differences, remarks: [], milliseconds, ...more };
  };
  const [params, query] = [requiredIn(endpoint.params), requiredIn(endpoint.query)];
  const unknown = [...params, ...query].filter((name) => !known[name]);
  if (unknown.length > 0) return result([`not sent, because the run has no ${unknown.join(" and no ")}`]);

  const valuesOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, known[name]]));
  const request = { ...valuesOf(params), ...(query.length > 0 && { query: valuesOf(query) }) };
  const answer = await callPlatform(platform, operation, request as Request<Api[typeof operation]>, signal).catch(() =>
    signal.throwIfAborted(),
  );
  if (!answer) return result(["no response"]);
  const { status, json } = answer;
  if (status !== 200) return result(["refused"], { status });
  if (json === undefined) return result(["the body is not JSON"], { status });
  const { data, error } = endpoint.result.safeParse(json);
  const wrong = (error?.issues ?? []).map((issue) => wrongField(json, issue));
  const differences = [...new Set([...wrong, ...repeatedWrongly(endpoint, request, json)])];
  const beyond = error ? [] : [...new Set(fieldsBeyond(data, json))];
  const remarks = [
    ...emptyLists(json).map((path) => `${path} is empty`),
    ...(beyond.length > 0 ? [`also has ${beyond.join(", ")}`] : []),
  ];
  return result(differences, { status, remarks });
}

const requiredIn = ({ shape }: z.ZodObject): string[] =>
  Object.entries(shape)
    .filter(([, schema]) => !(schema as z.ZodType).safeParse(undefined).success)
    .map(([name]) => name);

function wrongField(json: unknown, { path, code, ...issue }: z.core.$ZodIssue): string {
  if (fieldOf(json, path.join(".")) === undefined) return `${shownPath(path)} is missing`;
  return `${shownPath(path)} is wrong (${"expected" in issue ? `expected ${issue.expected}` : code})`;
}

/** Returns the fields that should repeat what the request says, and say something else. */
const repeatedWrongly = ({ repeats = {} }: Endpoint, request: object, json: unknown): string[] =>
  Object.entries(repeats)
    .map(([asked, answered]) => ({ answered, values: [fieldOf(request, asked), fieldOf(json, answered)] }))
    .filter(({ values: [wanted, given] }) => String(wanted).toLowerCase() !== String(given).toLowerCase())
    .map(({ answered }) => `\`${answered}\` is not as in the request`);

/** Returns the paths of fields that the response has, but not its part that the contract knows. */
function fieldsBeyond(expected: unknown, json: unknown, path: readonly PropertyKey[] = []): string[] {
  if (typeof expected !== "object" || expected === null || typeof json !== "object" || json === null) return [];
  return Object.entries(json).flatMap(([name, value]) => {
    const inner = [...path, Array.isArray(json) ? Number(name) : name];
    return name in expected ? fieldsBeyond(expected[name as keyof typeof expected], value, inner) : [shownPath(inner)];
  });
}

/** Writes a path without the positions in lists. A name that could be a value, such as an email address, is left out. */
function shownPath(path: readonly PropertyKey[]): string {
  const parts = path.map((part) =>
    typeof part === "number" ? "[]" : `.${/^[\w-]{1,40}$/.test(String(part)) ? String(part) : "…"}`,
  );
  return parts.length === 0 ? "the body" : `\`${parts.join("").replace(/^\./, "")}\``;
}

/** Returns the lists of a response that prove nothing about their entries. */
const emptyLists = (json: unknown): string[] =>
  [[[], json] as const, ...Object.entries(json ?? {}).map(([name, value]) => [[name], value] as const)]
    .filter(([, value]) => Array.isArray(value) && value.length === 0)
    .map(([path]) => shownPath(path));
