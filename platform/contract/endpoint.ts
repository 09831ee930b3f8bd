import * as z from "zod";
import type { Scope } from "../values/scope";
import { lazy } from "./lazy";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** An HTTP operation. The client and the reference API are both derived from its definition. */
export interface Endpoint<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  Result extends z.ZodType = z.ZodType,
  Verb extends Method = Method,
> {
  /** One sentence that describes the operation. */
  readonly summary: string;
  /** Details that the summary omits. They appear in the OpenAPI document as CommonMark. */
  readonly description?: string;
  /** The reason why this operation is deprecated, or the operation to use instead. */
  readonly deprecated?: string;
  readonly method: Verb;
  /**
   * Paths in the notation of the specification, with `{name}` placeholders. The client uses the first path, and the
   * server serves all of them.
   */
  readonly paths: readonly [string, ...string[]];
  /** The query parameter that distinguishes this operation from other operations with the same method and path. */
  readonly queryFlag?: string;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The body is JSON by default. With `multipart`, each field of the body is sent as a part. */
  readonly consumes?: "multipart";
  readonly result: Result;
  /**
   * Fields of the request that the response repeats, each with its path in the response, such as `database.DbId`. If
   * the values differ, the response is about another object and is rejected.
   */
  readonly repeats?: Readonly<Record<string, string>>;
  /**
   * Error statuses that cannot be derived from the request's schema or from `access`, each with a sentence that says
   * when the status occurs.
   */
  readonly refusals?: Readonly<Record<number, string>>;
  /**
   * The cached lists that may be outdated after the operation. An operation that only adds an entry to a list need not
   * name the list.
   */
  readonly changes?: readonly ListName[];
  readonly access: Access;
}

/** Requires `changes` for every operation except GET requests. */
type Changes<Verb extends Method> = Verb extends "GET" ? unknown : { readonly changes: readonly ListName[] };

/**
 * The access rules of an operation (§5). Only the reference API enforces these rules.
 *
 * `user`: the operation acts for the person behind the credential, which must not be group-scoped.
 * `any`: every valid credential may use the operation, including group-scoped ones.
 * `organization`: the operation concerns an organization as a whole, so group-scoped credentials are rejected (§5 rule
 * 7).
 * `group`: the operation concerns a group or its content, and a group-scoped credential needs `scope`.
 */
export interface Access {
  readonly level: "any" | "user" | "organization" | "group";
  readonly scope?: Scope;
  /** The lowest role that may use the operation. By default, every member may use it, including viewers. */
  readonly role?: "member" | "admin" | "owner";
  /** Whether a person may use the operation on their own `username`, whatever their role. */
  readonly orSelf?: true;
  /**
   * The first words of the error message for callers whose role is too low, such as `updating member roles`. Default:
   * `this operation`.
   */
  readonly doing?: string;
  /** Whether credentials that are restricted to one organization are rejected (§5 rule 3). */
  readonly unrestricted?: true;
  /** Set to `body` if the organization and the group are named in the request body instead of the path. */
  readonly names?: "body";
  /**
   * The lowest role that may use the operation if the request names a group. Present only if it is higher than `role`.
   */
  readonly groupRole?: "admin";
  /** Callers below this role see and change only what they created themselves. Absent if everybody sees everything. */
  readonly onlyOwnBelow?: "admin";
  /** Present if organizations on the free plan get the error `feature_not_available_for_starter_plan`. */
  readonly plan?: "paid";
}

export function endpoint<
  Result extends z.ZodType,
  Params extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Body extends z.ZodType = z.ZodOptional<z.ZodUnknown>,
  const Verb extends Method = Method,
>(
  spec: {
    summary: string;
    description?: string;
    deprecated?: string;
    method: Verb;
    paths: readonly [string, ...string[]];
    queryFlag?: string;
    params?: () => Params;
    query?: () => Query;
    body?: () => Body;
    consumes?: "multipart";
    result: () => Result;
    repeats?: Readonly<Record<string, string>>;
    refusals?: Readonly<Record<number, string>>;
    access: Access;
  } & Changes<Verb>,
): Endpoint<Params, Query, Body, Result, Verb> {
  const params = lazy(spec.params ?? (NONE as unknown as () => Params));
  const query = lazy(spec.query ?? (NONE as unknown as () => Query));
  const body = lazy(spec.body ?? (ANYTHING as unknown as () => Body));
  const result = lazy(spec.result);
  return {
    ...spec,
    get params() {
      return params();
    },
    get query() {
      return query();
    },
    get body() {
      return body();
    },
    get result() {
      return result();
    },
  };
}

const NONE = lazy(() => z.object({}));
const ANYTHING = lazy(() => z.unknown().optional());

type OptionalWhenEmpty<Key extends string, Value> =
  Record<never, never> extends Value ? { readonly [K in Key]?: Value } : { readonly [K in Key]: Value };

/** The arguments of a request: path parameters by name, and `query` and `body` if the operation has them. */
export type Request<E> =
  E extends Endpoint<infer Params, infer Query, infer Body, z.ZodType>
    ? ParamsOf<z.input<Params>> & OptionalWhenEmpty<"query", z.input<Query>> & BodyOf<z.input<Body>>
    : never;

/**
 * Accepts any type if the path has no parameters, because an object type without properties would forbid `query` and
 * `body`.
 */
type ParamsOf<Params> = string extends keyof Params ? unknown : Params;

type BodyOf<Body> = unknown extends Body
  ? unknown
  : undefined extends Body
    ? { readonly body?: Body }
    : { readonly body: Body };

/** The parsed request that the handler of an operation receives. */
export interface HandlerRequest<E> {
  readonly params: E extends Endpoint<infer Params, z.ZodObject, z.ZodType, z.ZodType> ? z.output<Params> : never;
  readonly query: E extends Endpoint<z.ZodObject, infer Query, z.ZodType, z.ZodType> ? z.output<Query> : never;
  readonly body: E extends Endpoint<z.ZodObject, z.ZodObject, infer Body, z.ZodType> ? z.output<Body> : never;
}

export type Result<E> = E extends Endpoint<z.ZodObject, z.ZodObject, z.ZodType, infer R> ? z.output<R> : never;

/** The result that a handler returns, before it is parsed. It may contain fields that the contract does not name. */
export type Answer<E> = E extends Endpoint<z.ZodObject, z.ZodObject, z.ZodType, infer R> ? z.input<R> : never;

/** The lists that the client caches. `databases` holds live and deleted databases. */
export type ListName = "databases" | "groups" | "deletedGroups" | "apiTokens" | "members" | "invites";

/**
 * For each list, the request fields that identify the changed entry by id or name. A write request without any of these
 * fields may change any entry.
 */
export const ENTRY_NAMED_BY: Readonly<Record<ListName, readonly string[]>> = {
  databases: ["databaseId", "databaseName"],
  groups: ["groupId", "groupName", "body.name"],
  deletedGroups: ["groupId"],
  apiTokens: ["tokenId"],
  members: ["username", "body.username"],
  invites: ["email", "body.email"],
};
