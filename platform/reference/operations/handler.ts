import type { Api, Operation } from "../../contract/api";
import type { Answer, Received } from "../../contract/endpoint";
import type { Caller } from "../credentials/caller";
import type { Signer } from "../credentials/signer";
import type { Ids } from "../ids";
import type { AccessScope } from "../store/access-scope";
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

type Handler<E> = (
  request: Received<E>,
  context: Received<E>["params"] extends InOrganization ? OrganizationContext : RequestContext,
) => Answer<E> | Promise<Answer<E>>;

/** The handler of each operation. The compiler reports a missing handler and a result of the wrong shape. */
export type Handlers = { readonly [Name in Operation]: Handler<Api[Name]> };
