import { durationOf } from "../../platform/values/duration";
import type { Platform } from "../../provider/platform";
import { unlessRefused } from "../refusal";
import type { ResourceContext } from "../resource/context";
import type { AnyResource } from "../resource/definition";
import { expired, expiresSoon } from "./messages";
import { isKnown, nounOf, type Properties } from "./properties";

/**
 * Returns a warning if the object has expired, or expires so soon that the program's settings require a replacement.
 */
export async function expiryOf(
  resource: AnyResource,
  { state, news }: { readonly state: Properties; readonly news: Properties },
  platform: ResourceContext<Platform>,
): Promise<string | undefined> {
  const { at, early } = resource.expiring ?? { at: "", early: "" };
  const end = state[at];
  if (typeof end !== "string") return undefined;
  const before = isKnown(news[early]) ? news[early] : state[early];
  const leftMs = Date.parse(end) - (await timeOf(platform));
  if (leftMs <= 0) return expired(nounOf(resource), end);
  if (leftMs > (durationOf(String(before ?? "")) ?? 0)) return undefined;
  return expiresSoon(nounOf(resource), end, early, String(before));
}

/**
 * Returns the platform's time, because the platform decides when an object expires. Sends a request if no response has
 * contained the time yet, and falls back to the local clock if the request fails.
 */
async function timeOf({ platform: { clock, organization } }: ResourceContext<Platform>): Promise<number> {
  if (!clock.wasHeard) await organization.id().catch(unlessRefused);
  return clock.now();
}
