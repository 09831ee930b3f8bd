import { isRefusal, Refusal } from "../../platform/client/refusal";
import type { ResourceContext } from "../resource/context";
import type { Properties } from "./properties";
import type { UpdateSession } from "./session";

/** What one call of the engine is served with. */
export interface Context {
  readonly platform: ResourceContext;
  readonly session: UpdateSession;
}

/** The engine reads before the program runs, with the provider settings that the last update recorded. */
export const REMEMBERED_SETTINGS =
  "Before a run, Pulumi reads with the provider settings of the last update. If those are wrong and the present ones are right, run once: `pulumi up --refresh --run-program`";

/**
 * Refuses when the configured organization is not the one that owns the resource: seen from there it would look gone.
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
 * The same before anything is asked for. A failure to look up the organization is left to whatever needs the answer, and
 * is not met again for every resource.
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
