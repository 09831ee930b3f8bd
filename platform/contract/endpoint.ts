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
  /** Details that the summary omits, for the OpenAPI document (CommonMark). */
  readonly description?: string;
  /** The operation to use instead. Absent: not deprecated. */
  readonly deprecated?: string;
  readonly method: Verb;
  /**
   * Paths as the specification writes them, with `{name}` placeholders. The client uses the first; the server serves
   * all.
   */
  readonly paths: readonly [string, ...string[]];
  /** The query parameter that distinguishes the operation from another one with the same method and path. */
  readonly queryFlag?: string;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Absent: JSON. `multipart`: one part for each field of the body. */
  readonly consumes?: "multipart";
  readonly result: Result;
  /**
   * Fields of the request that the response repeats, each with the response's field (`database.DbId`). A response with
   * another value is about another object.
   */
  readonly repeats?: Readonly<Record<string, string>>;
  /** Statuses that follow neither from the request's schema nor from `access`, each with a sentence that says when. */
  readonly refusals?: Readonly<Record<number, string>>;
  /** Lists whose cached copies may hold wrong entries after the operation. A missing new entry does not count. */
  readonly changes?: readonly Listed[];
  readonly access: Access;
}

/** Requires every operation that may change something to declare its changes. */
type Changes<Verb extends Method> = Verb extends "GET" ? unknown : { readonly changes: readonly Listed[] };

/**
 * What a caller must hold (§5). Only the reference API enforces it, in one place.
 *
 * `user`: acts for the person behind the credential; any credential except a group-scoped one.
 * `any`: every valid credential, group-scoped ones included.
 * `organization`: names an organization and concerns it as a whole; group-scoped credentials are refused (§5 rule 7).
 * `group`: names an organization and concerns one group or its content; a group-scoped credential needs `scope`.
 */
export interface Access {
  readonly level: "any" | "user" | "organization" | "group";
  readonly scope?: Scope;
  /** The lowest role that may call the operation. Absent: every member, viewers included. */
  readonly role?: "member" | "admin" | "owner";
  /** Whether the person whom the path names by `username` may call the operation whatever their role. */
  readonly orSelf?: true;
  /** The operation as the refusal of a lesser role calls it. Absent: `this operation`. */
  readonly doing?: string;
  /** Whether credentials restricted to one organization are refused (§5 rule 3). */
  readonly unrestricted?: true;
  /** The request body, not the path, contains the organization's slug and the group's name. */
  readonly names?: "body";
  /** The lowest role when the operation names a group, if higher than `role`. */
  readonly groupRole?: "admin";
  /** Refuses the free plan with `feature_not_available_for_starter_plan`. */
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

/** Shared between operations, because building schemas slows down every start of a process that loads the contract. */
const NONE = z.object({});
const ANYTHING = z.unknown().optional();

type OptionalWhenEmpty<Key extends string, Value> =
  Record<never, never> extends Value ? { readonly [K in Key]?: Value } : { readonly [K in Key]: Value };

/** What a caller passes: path parameters by name, and `query` and `body` where the operation has them. */
export type Request<E> =
  E extends Endpoint<infer Params, infer Query, infer Body, z.ZodType>
    ? ParamsOf<z.input<Params>> & OptionalWhenEmpty<"query", z.input<Query>> & BodyOf<z.input<Body>>
    : never;

/** An object type without properties would forbid `query` and `body` beside it. */
type ParamsOf<Params> = string extends keyof Params ? unknown : Params;

type BodyOf<Body> = unknown extends Body
  ? unknown
  : undefined extends Body
    ? { readonly body?: Body }
    : { readonly body: Body };

/** The parsed request that a handler gets. */
export interface Received<E> {
  readonly params: E extends Endpoint<infer Params, z.ZodObject, z.ZodType, z.ZodType> ? z.output<Params> : never;
  readonly query: E extends Endpoint<z.ZodObject, infer Query, z.ZodType, z.ZodType> ? z.output<Query> : never;
  readonly body: E extends Endpoint<z.ZodObject, z.ZodObject, infer Body, z.ZodType> ? z.output<Body> : never;
}

export type Result<E> = E extends Endpoint<z.ZodObject, z.ZodObject, z.ZodType, infer R> ? z.output<R> : never;

/** The result of a handler, before parsing. It may contain fields that the contract does not name. */
export type Answer<E> = E extends Endpoint<z.ZodObject, z.ZodObject, z.ZodType, infer R> ? z.input<R> : never;
