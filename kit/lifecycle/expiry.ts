import type { AnyResource } from "../definition";
import type { Context } from "./context";
import { expired, expiresSoon } from "./messages";
import { isKnown, nounOf, type Properties } from "./properties";

/**
 * Returns a warning if the object has expired, or expires so soon that the program's settings require a replacement.
 */
export async function expiryOf(
  resource: AnyResource,
  { state, news }: { readonly state: Properties; readonly news: Properties },
  context: Context,
): Promise<string | undefined> {
  if (!resource.expires) return undefined;
  const { at, early, durationOf } = resource.expires;
  const end = state[at];
  if (typeof end !== "string") return undefined;
  const before = isKnown(news[early]) ? news[early] : state[early];
  const leftMs = Date.parse(end) - (await context.now());
  if (leftMs <= 0) return expired({ kind: nounOf(resource), end });
  if (leftMs > durationOf(String(before ?? ""))) return undefined;
  return expiresSoon({ kind: nounOf(resource), end, property: early, before: String(before) });
}
