import * as z from "zod";
import type { Scope } from "../values/scope";
import type { Listed } from "./listed";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** One HTTP operation. The client and the reference API are both derived from it. */
export interface Endpoint<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  Result extends z.ZodType = z.ZodType,
  Verb extends Method = Method,
> {
  /** One sentence. */
  readonly summary: string;
  /** What the summary leaves open, for the OpenAPI document (CommonMark). */
  readonly description?: string;
  /** What comes in its place. Absent: not deprecated. */
  readonly deprecated?: string;
  readonly method: Verb;
  /** As the specification writes them, with `{name}` placeholders. The client uses the first; the server answers all. */
  readonly paths: readonly [string, ...string[]];
  /** The query parameter that tells the operation from another one of the same method and path. */
  readonly toldBy?: string;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Left out: JSON. `multipart`: one part for each field of the body. */
  readonly consumes?: "multipart";
  readonly result: Result;
  /**
   * What of the request the answer says again: by field of the request, the field of the answer (`database.DbId`). An
   * answer that says something else is about something else.
   */
  readonly repeats?: Readonly<Record<string, string>>;
  /** Statuses that neither the form of the request nor `access` tells, with the sentence that says when. */
  readonly refusals?: Readonly<Record<number, string>>;
  /** Lists of which a copy may show wrong entries afterwards. That a copy lacks what was added does not count. */
  readonly changes?: readonly Listed[];
  readonly access: Access;
}

/** Every operation that may change something says what it changes. */
type Changes<Verb extends Method> = Verb extends "GET" ? unknown : { readonly changes: readonly Listed[] };

/**
 * What a caller must hold (§5). The reference API enforces it in one place; nobody else repeats it.
 *
 * `user`: acts for the person behind the credential; any credential but a group-scoped one.
 * `any`: every valid credential, group-scoped ones included.
 * `organization`: names an organization and concerns it as a whole; group-scoped credentials are refused (§5 rule 7).
 * `group`: names an organization and concerns one group, or what is in it; a group-scoped credential needs `scope`.
 */
export interface Access {
  readonly level: "any" | "user" | "organization" | "group";
  readonly scope?: Scope;
  /** The least role in the organization. Left out: every member, viewers included. */
  readonly role?: "member" | "admin" | "owner";
  /** The person whom the path names by `username` may do it whatever their role. */
  readonly orSelf?: true;
  /** What is refused to a lesser role, as the refusal calls it. Left out: `this operation`. */
  readonly doing?: string;
  /** Refused to a credential that is restricted to one organization (§5 rule 3). */
  readonly unrestricted?: true;
  /** Where the operation names its organization (slug) and group (name). Left out: in the path. */
  readonly names?: "body";
  /** The least role where the operation names a group, if that is more than `role`. */
  readonly groupRole?: "admin";
  /** Refused with `feature_not_available_for_starter_plan` on the free plan. */
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
    toldBy?: string;
    params?: Params;
    query?: Query;
    body?: Body;
    consumes?: "multipart";
    result: Result;
    repeats?: Readonly<Record<string, string>>;
    refusals?: Readonly<Record<number, string>>;
    access: Access;
  } & Changes<Verb>,
): Endpoint<Params, Query, Body, Result, Verb> {
  return {
    params: NONE as unknown as Params,
    query: NONE as unknown as Query,
    body: ANYTHING as unknown as Body,
    ...spec,
  };
}

/** Made once: it takes time at every start of whatever knows the contract. */
const NONE = z.object({});
const ANYTHING = z.unknown().optional();

type OptionalWhenEmpty<Key extends string, Value> =
  Record<never, never> extends Value ? { readonly [K in Key]?: Value } : { readonly [K in Key]: Value };

/** What a caller passes: path parameters by name, and `query` and `body` where the operation has them. */
export type Request<E> =
  E extends Endpoint<infer Params, infer Query, infer Body, z.ZodType>
    ? ParamsOf<z.input<Params>> & OptionalWhenEmpty<"query", z.input<Query>> & BodyOf<z.input<Body>>
    : never;

/** An object without properties would forbid `query` and `body` beside it. */
type ParamsOf<Params> = string extends keyof Params ? unknown : Params;

type BodyOf<Body> = unknown extends Body
  ? unknown
  : undefined extends Body
    ? { readonly body?: Body }
    : { readonly body: Body };

/** What a handler receives: the same, parsed. */
export interface Received<E> {
  readonly params: E extends Endpoint<infer Params, z.ZodObject, z.ZodType, z.ZodType> ? z.output<Params> : never;
  readonly query: E extends Endpoint<z.ZodObject, infer Query, z.ZodType, z.ZodType> ? z.output<Query> : never;
  readonly body: E extends Endpoint<z.ZodObject, z.ZodObject, infer Body, z.ZodType> ? z.output<Body> : never;
}

export type Result<E> = E extends Endpoint<z.ZodObject, z.ZodObject, z.ZodType, infer R> ? z.output<R> : never;

/** What a handler gives: the same before parsing; more fields than the contract names are allowed. */
export type Answer<E> = E extends Endpoint<z.ZodObject, z.ZodObject, z.ZodType, infer R> ? z.input<R> : never;
