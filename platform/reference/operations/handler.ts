import type { Api, Operation } from "../../contract/api";
import type { Answer, Received } from "../../contract/endpoint";
import type { Caller } from "../credentials/caller";
import type { Signer } from "../credentials/signer";
import type { Ids } from "../ids";
import type { AccessScope } from "../store/access-scope";
import type { State } from "../store/schema";

/** What a handler works with: one transaction, one instant, one caller who may do this. */
export interface RequestContext {
  readonly state: State;
  readonly now: Date;
  readonly caller: Caller;
  readonly signer: Signer;
  readonly ids: Ids;
  /** Of the audit log: `cli`, `web` or `api`. */
  readonly origin: string;
  /** URL under which the caller reaches this server, with any path. */
  readonly address: string;
  readonly accessScope?: AccessScope;
  /** UUIDs of the organizations whose audit logs tell of the change, where that is not the one the request names. */
  readonly concerned: Set<string>;
}

/** The same where the path names the organization. */
export interface OrganizationContext extends RequestContext {
  readonly accessScope: AccessScope;
}

type InOrganization = { organizationSlug: string } | { organizationId: string };

type Handler<E> = (
  request: Received<E>,
  context: Received<E>["params"] extends InOrganization ? OrganizationContext : RequestContext,
) => Answer<E> | Promise<Answer<E>>;

/** An operation without a handler does not compile, nor does an answer of another shape. */
export type Handlers = { readonly [Name in Operation]: Handler<Api[Name]> };
