import type { Api, Operation } from "../../contract/api";
import type { Answer, Received } from "../../contract/endpoint";
import type { Caller } from "../credentials/caller";
import type { Signer } from "../credentials/signer";
import type { Ids } from "../ids";
import type { AccessScope } from "../store/access-scope";
import type { State } from "../store/schema";

/** Context of one request: one transaction, one instant and one authorized caller. */
export interface RequestContext {
  readonly state: State;
  readonly now: Date;
  readonly caller: Caller;
  readonly signer: Signer;
  readonly ids: Ids;
  /** Origin in the audit log: `cli`, `web` or `api`. */
  readonly origin: string;
  /** URL under which the caller reaches this server, with any path. */
  readonly address: string;
  readonly accessScope?: AccessScope;
  /**
   * UUIDs of the organizations whose audit logs record the change, where they differ from the organization that the
   * request names.
   */
  readonly concerned: Set<string>;
}

/** Context of a request whose path names the organization. */
export interface OrganizationContext extends RequestContext {
  readonly accessScope: AccessScope;
}

type InOrganization = { organizationSlug: string } | { organizationId: string };

type Handler<E> = (
  request: Received<E>,
  context: Received<E>["params"] extends InOrganization ? OrganizationContext : RequestContext,
) => Answer<E> | Promise<Answer<E>>;

/** Handlers by operation. A missing handler or a result of another shape does not compile. */
export type Handlers = { readonly [Name in Operation]: Handler<Api[Name]> };
