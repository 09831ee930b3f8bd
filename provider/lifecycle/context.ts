import { isRefusal, Refusal } from "../../platform/client/refusal";
import type { ResourceContext } from "../resource/context";
import { otherOrganization } from "./messages";
import type { Properties } from "./properties";
import type { UpdateSession } from "./session";

export interface Context {
  readonly platform: ResourceContext;
  readonly session: UpdateSession;
}

/**
 * Throws an error unless the configured organization owns the resource. Without this check, a resource of another
 * organization would appear to have been deleted.
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
 * Calls `assertSameOrganization` before any other request is sent. The organization is looked up only once per update.
 * Most lookup failures are ignored here, because the next request that needs the organization reports them.
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
