import { Refusal } from "../../platform/client/refusal";
import type { Platform } from "../resources/platform";
import type { Properties } from "./properties";
import type { Run } from "./run";

/** What one call of the engine is served with. */
export interface Context {
  readonly platform: Platform;
  readonly run: Run;
}

/**
 * Refuses when the configured organization is not the one that owns the resource: seen from there it would look gone.
 */
export async function mustBeSameOrganization({ organizationId }: Properties, { platform }: Context): Promise<void> {
  if (organizationId === undefined) return;
  const configured = await platform.organization.id(platform.client);
  if (configured === organizationId) return;
  throw new Refusal("conflict", {
    answer: `this resource belongs to organization ${organizationId}, but the provider is configured for "${platform.organization.slug}" (${configured})`,
    advice: "Check `dbplatform:organization`, DBPLATFORM_ORGANIZATION and the API token",
  });
}
