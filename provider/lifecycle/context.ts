import { Refusal } from "../../platform/client/refusal";
import type { Platform } from "../resources/platform";
import type { AnyResource } from "../resources/resource";
import type { Properties } from "./properties";

/** What one call of the engine is served with. */
export interface Context {
  readonly platform: Platform;
  readonly made: Made;
}

/** What this process itself has created or imported: a deletion of it in the same run can only be an accident. */
export class Made {
  readonly #ids = new Set<string>();

  add({ type }: AnyResource, id: string): void {
    this.#ids.add(`${type} ${id}`);
  }

  has({ type }: AnyResource, id: string): boolean {
    return this.#ids.has(`${type} ${id}`);
  }
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
