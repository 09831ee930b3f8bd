import { isRefusal, Refusal } from "../../platform/client/refusal";
import type { ResourceContext } from "../resource/context";
import type { Properties } from "./properties";
import type { UpdateSession } from "./session";

/** Services available during one call of the engine. */
export interface Context {
  readonly platform: ResourceContext;
  readonly session: UpdateSession;
}

/**
 * Advice after a read that may have used outdated settings: the engine reads before the program runs, with the provider
 * settings that the last update recorded.
 */
export const REMEMBERED_SETTINGS =
  "Before a run, Pulumi reads with the provider settings of the last update. If those are wrong and the present ones are right, run once: `pulumi up --refresh --run-program`";

/**
 * Refuses when the configured organization does not own the resource, because another organization would report the
 * resource as absent.
 */
export async function assertSameOrganization({ organizationId }: Properties, { platform }: Context): Promise<void> {
  if (organizationId === undefined) return;
  const configured = await platform.organization.id(platform.client);
  if (configured === organizationId) return;
  throw new Refusal("conflict", {
    answer: `this resource belongs to organization ${organizationId}, but the provider is configured for "${platform.organization.slug}" (${configured})`,
    advice: `Configure the organization that owns the resource (\`dbplatform:organization\` or DBPLATFORM_ORGANIZATION), and its API token. ${REMEMBERED_SETTINGS}`,
  });
}

/**
 * Runs the same check as `assertSameOrganization` before any other request. A failed look-up of the organization is
 * left to the requests that need the organization, and is not repeated for every resource.
 */
export async function assertNotOtherOrganization(state: Properties, context: Context): Promise<void> {
  if (state.organizationId === undefined) return;
  const { organization, client } = context.platform;
  const failure = await context.session.once("whether the organization is seen", () =>
    organization.id(client).then(
      () => undefined,
      (thrown: unknown) => thrown,
    ),
  );
  if (failure === undefined) return assertSameOrganization(state, context);
  if (!isRefusal(failure) || isRefusal(failure, "conflict", "unseen")) throw failure;
}
