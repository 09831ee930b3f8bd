import type { Api, Operation } from "../../contract/api";
import type { Answer, HandlerRequest } from "../../contract/endpoint";
import type { AccessScope } from "../credentials/access-scope";
import type { Caller } from "../credentials/authorization";
import type { Signer } from "../credentials/signer";
import type { Ids } from "../ids";
import type { State } from "../store/schema";
import type { Contents } from "./contents";

export interface RequestContext {
  readonly state: State;
  readonly now: Date;
  readonly caller: Caller;
  readonly signer: Signer;
  readonly ids: Ids;
  /** Origin of the change in the audit log: `cli`, `web` or `api`. */
  readonly origin: string;
  /** URL at which the caller reaches this server. It may include a path. */
  readonly address: string;
  readonly accessScope?: AccessScope;
  /** Access to the rows of the databases; `undefined` if there is no SQL server. */
  readonly contents?: Contents;
  /** UUIDs of the organizations whose audit logs record the change. If empty, the request's organization records it. */
  readonly concerned: Set<string>;
}

export interface OrganizationContext extends RequestContext {
  readonly accessScope: AccessScope;
}

type InOrganization = { organizationSlug: string } | { organizationId: string };

type ContextOf<E> = HandlerRequest<E>["params"] extends InOrganization ? OrganizationContext : RequestContext;

interface LoadContext {
  readonly contents: Contents;
  readonly now: Date;
}

/** An operation of the reference API. */
interface OperationHandler<E> {
  /**
   * Validates what the schema cannot express and what does not depend on the caller. Returns the error message for
   * status 400, or `undefined`.
   */
  readonly check?: (request: HandlerRequest<E>) => string | undefined;
  /**
   * Loads an uploaded file. Runs after authorization, before `handle`, and outside any transaction, because it can take a
   * long time. Called only if there is a SQL server.
   */
  readonly load?: (request: HandlerRequest<E>, context: LoadContext) => Promise<void>;
  /** Carries out an authorized request, and returns the body of the response. */
  readonly handle: (request: HandlerRequest<E>, context: ContextOf<E>) => Answer<E> | Promise<Answer<E>>;
}

interface AuditedHandler<E> {
  /** Returns the entries for the audit log (§2.6). */
  readonly audit: (happened: {
    readonly request: HandlerRequest<E>;
    readonly answer: Answer<E>;
    readonly caller: Caller;
  }) => Entry | readonly Entry[];
}

/** All operations of the contract, by name. Only those that change something are audited. */
export type Operations = {
  readonly [Name in Operation]: OperationHandler<Api[Name]> &
    (Api[Name]["method"] extends "GET" ? unknown : AuditedHandler<Api[Name]>);
};

/** An operation without the types of its request and response. */
export interface AnyOperation {
  readonly check?: (request: unknown) => string | undefined;
  readonly load?: (request: unknown, context: LoadContext) => Promise<void>;
  readonly handle: (request: unknown, context: RequestContext) => unknown;
  readonly audit?: (happened: {
    readonly request: unknown;
    readonly answer: unknown;
    readonly caller: Caller;
  }) => Entry | readonly Entry[];
}

/** Codes of the public service (wire-facts 7) that this server's audit logs can contain. */
export const DOCUMENTED_CODES = [
  "db-aunrchive",
  "db-create",
  "db-delete",
  "db-protect",
  "db-token-create",
  "db-unprotect",
  "group-create",
  "group-delete",
  "group-protect",
  "group-token-create",
  "group-unarchive",
  "group-unprotect",
  "instance-create",
  "instance-delete",
  "org-create",
  "org-delete",
  "org-member-add",
  "org-member-leave",
  "org-member-rm",
  "org-plan-update",
  "org-set-overages",
  "user-token-create",
] as const;

/**
 * Our own audit-log codes, for changes that have no documented code in the public service. docs/reference-api-rules.md
 * describes each code.
 */
export const OWN_CODES = [
  "db-configure",
  "db-dump-upload",
  "db-restore",
  "db-token-rotate",
  "db-transfer",
  "db-update",
  "group-location-add",
  "group-location-rm",
  "group-rename",
  "group-restore",
  "group-token-rotate",
  "group-transfer",
  "group-update",
  "org-configure",
  "org-invite-create",
  "org-invite-delete",
  "org-member-update",
  "user-token-invalidate",
  "user-token-revoke",
] as const;

type Code = (typeof DOCUMENTED_CODES)[number] | (typeof OWN_CODES)[number];

/** An entry of an audit log (§2.6). */
export interface Entry {
  readonly code: Code;
  /** Names and ids of the changed objects. They never include a credential. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Slug of the organization whose log gets the entry. Default: the organization of the request. */
  readonly organization?: string;
}
