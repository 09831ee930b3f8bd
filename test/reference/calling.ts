import { type Api, api as contract, type Operation } from "../../platform/contract/api";
import type { Endpoint, Request, Result } from "../../platform/contract/endpoint";
import type { ReferenceApi } from "../../platform/reference/server";
import { undescribed } from "./described";

interface Refused {
  readonly status: number;
  readonly error: unknown;
  readonly code?: string;
}

/** An API client with one credential. Each method asserts that the response matches the OpenAPI document. */
export interface ApiCaller {
  ok<Name extends Operation>(operation: Name, request: Request<Api[Name]>): Promise<Result<Api[Name]>>;
  refused<Name extends Operation>(operation: Name, request: Request<Api[Name]>): Promise<Refused>;
  status<Name extends Operation>(operation: Name, request: Request<Api[Name]>): Promise<number>;
}

export function calling(api: Pick<ReferenceApi, "url" | "apiToken">, credential = api.apiToken): ApiCaller {
  const send = async (operation: Operation, request: object) => {
    const answer = await fetch(api.url + pathOf(contract[operation], request), {
      method: contract[operation].method,
      headers: { Authorization: `Bearer ${credential}` },
      ...("body" in request && { body: sentAs(contract[operation], request.body as object) }),
    });
    const answered = { status: answer.status, body: await answer.json() };
    const problem = undescribed(operation, answered);
    if (problem) throw new Error(problem);
    return answered;
  };
  return {
    async ok(operation, request) {
      const { status, body } = await send(operation, request);
      if (status !== 200) throw new Error(`${operation} answered ${status}: ${JSON.stringify(body)}`);
      return contract[operation].result.parse(body) as Result<Api[typeof operation]>;
    },
    async refused(operation, request) {
      const { status, body } = await send(operation, request);
      if (status === 200) throw new Error(`${operation} succeeded: ${JSON.stringify(body)}`);
      return { status, ...body };
    },
    status: async (operation, request) => (await send(operation, request)).status,
  };
}

function sentAs({ consumes }: Pick<Endpoint, "consumes">, body: object): string | FormData {
  if (consumes !== "multipart") return JSON.stringify(body);
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) form.append(name, value);
  return form;
}

function pathOf({ paths }: Pick<Endpoint, "paths">, request: object): string {
  const { query = {}, ...params } = request as Record<string, unknown>;
  const path = paths[0].replace(/\{(\w+)\}/g, (_placeholder, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams(query as Record<string, string>).toString();
  return search === "" ? path : `${path}?${search}`;
}

export const raw = (url: string, init: RequestInit & { credential?: string } = {}): Promise<Response> =>
  fetch(url, {
    ...init,
    headers: { ...(init.credential && { Authorization: `Bearer ${init.credential}` }), ...init.headers },
  });
