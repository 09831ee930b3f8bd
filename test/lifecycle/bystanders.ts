import { clientOf } from "../engine/world";
import { line } from "./line";
import { session } from "./session";
import { objectsIn } from "./stories";

export const organizationSlug = "acme";

/** A platform behind a line, with something that is not ours. */
export async function withBystanders() {
  const here = await session();
  const wire = await line(here.api.url);
  const outside = clientOf(here.api, here.api.apiToken);
  await outside.createDatabase({ organizationSlug, body: { name: "other", group: "default" } });
  await outside.createApiToken({ tokenName: "other", body: { organization: organizationSlug } });
  const open = () => here.again({}, { baseUrl: wire.url });
  return { here, wire, outside, open, context: open(), before: await objectsIn(here, outside) };
}
