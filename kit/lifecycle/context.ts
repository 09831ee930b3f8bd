import type { Platform } from "../../provider/platform";
import { isRefusal, Refusal } from "../refusal";
import type { ResourceContext } from "../resource/context";
import type { Run } from "../run";
import { ALSO_LOST, dataLost, otherOrganization } from "./messages";
import type { Properties } from "./properties";

export interface Context {
  readonly platform: ResourceContext<Platform>;
  readonly run: Run;
  readonly provider: {
    /** URN of the provider's resource. Empty or undefined if it is not known. */
    readonly urn: string | undefined;
    /** Whether some of the settings may be those of the last update. */
    readonly isRecorded: boolean;
    readonly baseUrl: string;
  };
  /** Returns whether the platform certainly is a reference API on this machine without this organization. */
  readonly isReferenceWithout: (organizationId: string) => Promise<boolean>;
}

/**
 * Throws an error unless the configured organization owns the resource. Without this check, a resource of another
 * organization would appear to have been deleted.
 */
export async function assertSameOrganization({ organizationId }: Properties, context: Context): Promise<void> {
  if (organizationId === undefined) return;
  const { platform, provider } = context;
  const configured = await platform.platform.organization.id();
  if (configured === organizationId) return;
  const id = String(organizationId);
  const lost = await lostData(id, context);
  const { slug } = platform.platform.organization;
  throw new Refusal("conflict", lost ?? otherOrganization(id, { slug, id: configured }, provider.isRecorded));
}

/**
 * Explains once per update that the reference API does not know the organization; later messages refer to the
 * explanation.
 */
async function lostData(organizationId: string, { run, provider, isReferenceWithout }: Context) {
  let isFirst = false;
  const isLost = await run.once(`lost ${organizationId}`, () => {
    isFirst = true;
    return isReferenceWithout(organizationId);
  });
  if (!isLost) return undefined;
  return isFirst ? dataLost(organizationId, provider.baseUrl, provider.urn) : { answer: ALSO_LOST };
}

/**
 * Calls `assertSameOrganization` before any other request is sent. The organization is looked up only once per update.
 * Most lookup failures are ignored here, because the next request that needs the organization reports them.
 */
export async function assertNotOtherOrganization(state: Properties, context: Context): Promise<void> {
  if (state.organizationId === undefined) return;
  const { organization } = context.platform.platform;
  const failure = await context.run.once("organization visible", () =>
    organization.id().then(
      () => undefined,
      (thrown: unknown) => thrown,
    ),
  );
  if (failure === undefined) return assertSameOrganization(state, context);
  if (!isRefusal(failure) || isRefusal(failure, "conflict", "unseen")) throw failure;
}
