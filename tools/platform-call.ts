import { type Api, api, type Operation } from "../platform/contract/api";
import type { Endpoint, Request, Result } from "../platform/contract/endpoint";
import { textWithoutTokens } from "../provider/client/http/answer";
import { queryString, requestPath } from "../provider/client/http/request";
import type { ReadyMessage } from "./reference";

type Caller = Pick<ReadyMessage, "url" | "apiToken">;

/** Something that is not as expected. The message contains no name and nothing that the platform sent. */
export class Unexpected extends Error {
  /** @param status Status of the response, if the platform refused something. */
  constructor(
    message: string,
    readonly status?: number,
  ) {
    super(message);
  }
}

interface Answer<Name extends Operation> {
  readonly status: number;
  /** The body as it came, not checked against the contract. `undefined`: it is no JSON. */
  readonly json: Result<Api[Name]> | undefined;
}

interface Parts {
  readonly query?: object;
  readonly body?: unknown;
}

/** Milliseconds after which a call fails. */
const TIME_LIMIT = 60_000;

/** Returns the path and the query of an operation. */
export function pathOf<Name extends Operation>(operation: Name, request: Request<Api[Name]>): string {
  const { query, body: _, ...params } = request as Parts;
  return requestPath(api[operation].paths[0], params) + queryString(query);
}

/** Calls an operation of the platform without the provider's client, as any other program would. */
export async function callPlatform<Name extends Operation>(
  { url, apiToken }: Caller,
  operation: Name,
  request: Request<Api[Name]>,
  signal?: AbortSignal,
): Promise<Answer<Name>> {
  const { body } = request as Parts;
  const limit = AbortSignal.timeout(TIME_LIMIT);
  const answer = await fetch(url + pathOf(operation, request), {
    method: (api[operation] as Endpoint).method,
    headers: { authorization: `Bearer ${apiToken}`, "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
    redirect: "manual",
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
  });
  const text = await answer.text();
  return { status: answer.status, json: parsedJson(text) as Result<Api[Name]> | undefined };
}

/**
 * Calls an operation and returns its result, which is not checked against the contract.
 *
 * @throws Unexpected if the platform refuses. Prints the reason before.
 */
export async function resultOf<Name extends Operation>(
  caller: Caller,
  operation: Name,
  request: Request<Api[Name]>,
): Promise<Result<Api[Name]>> {
  const { status, json } = await callPlatform(caller, operation, request);
  if (status === 200 && json !== undefined) return json;
  console.error(textWithoutTokens(JSON.stringify(json ?? "no JSON"), caller.apiToken));
  throw new Unexpected(`${operation} was answered ${status}`, status);
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
