import { type Api, api, type Operation } from "../../platform/contract/api";
import type { Endpoint, Request, Result } from "../../platform/contract/endpoint";

/** A client with one method for each operation in the platform's contract. Every error is a `Refusal`. */
export type Client = { readonly [Name in Operation]: (request: Request<Api[Name]>) => Promise<Result<Api[Name]>> };

/** The organization that a client fills in. */
interface Named {
  readonly slug: string;
  id(): Promise<string>;
}

/**
 * A client for the operations of one organization. It fills in the organization's slug or UUID in every path that names
 * the organization. A body that names the organization must still contain it.
 */
export type OrganizationClient = {
  readonly [Name in Operation]: (
    ...request: Optional<Omit<Request<Api[Name]>, keyof typeof IN_PATH>>
  ) => Promise<Result<Api[Name]>>;
};

type Optional<Sent> = Record<never, never> extends Sent ? [request?: Sent] : [request: Sent];

const IN_PATH = {
  organizationSlug: ({ slug }: Named) => slug,
  organizationId: (organization: Named) => organization.id(),
};

type Send = (operation: Operation, request: object) => Promise<unknown>;

/** All clients share their methods, because the provider creates a client for each call of the engine. */
class OperationMethods {
  constructor(readonly send: Send) {}

  static {
    for (const operation of Object.keys(api) as Operation[])
      Object.defineProperty(OperationMethods.prototype, operation, {
        value(this: OperationMethods, request: object = {}) {
          return this.send(operation, request);
        },
      });
  }
}

export const clientForAnyOrganization = (send: Send): Client => new OperationMethods(send) as unknown as Client;

export function organizationClient(organization: Named, client: Client): OrganizationClient {
  const send: Send = (operation, request) => client[operation](request as never);
  const methods = new OperationMethods((operation, request) => {
    const [path]: Endpoint["paths"] = api[operation].paths;
    // A request whose path names the slug is sent at once, because simultaneous callers share a request only if nothing
    // is awaited before it.
    if (path.includes("{organizationSlug}"))
      return send(operation, { organizationSlug: organization.slug, ...request });
    if (path.includes("{organizationId}"))
      return organization.id().then((organizationId) => send(operation, { organizationId, ...request }));
    return send(operation, request);
  });
  return methods as unknown as OrganizationClient;
}
