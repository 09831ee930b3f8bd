import { isRefusal, Refusal } from "../../platform/client/refusal";
import type { ResourceContext } from "../resource/context";
import { otherOrganization } from "./messages";
import type { Properties } from "./properties";
import type { UpdateSession } from "./session";

/** Services available during one call of the engine. */
export interface Context {
  readonly platform: ResourceContext;
  readonly session: UpdateSession;
}

/**
 * Refuses when the configured organization does not own the resource, because another organization would report the
 * resource as absent.
 */
export async function assertSameOrganization({ organizationId }: Properties, { platform }: Context): Promise<void> {
  if (organizationId === undefined) return;
  const configured = await platform.organization.id(platform.client);
  if (configured === organizationId) return;
  throw new Refusal(
    "conflict",
    otherOrganization(String(organizationId), { slug: platform.organization.slug, id: configured }),
  );
}

/**
 * Runs the same check as `assertSameOrganization` before any other request. A failed look-up of the organization is
 * left to the requests that need the organization, and is not repeated for every resource.
 */
export async function assertNotOtherOrganization(state: Properties, context: Context): Promise<void> {
  if (state.organizationId === undefined) return;
  const { organization, client } = context.platform;
  const failure = await context.session.once("organization visible", () =>
    organization.id(client).then(
      () => undefined,
      (thrown: unknown) => thrown,
    ),
  );
  if (failure === undefined) return assertSameOrganization(state, context);
  if (!isRefusal(failure) || isRefusal(failure, "conflict", "unseen")) throw failure;
}
