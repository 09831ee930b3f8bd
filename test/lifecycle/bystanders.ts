import { clientOf } from "../engine/engine-fixture";
import { faultyWire } from "../faulty-wire";
import { objectsIn } from "./fault-scenarios";
import { lifecycleFixture } from "./lifecycle-fixture";

export const organizationSlug = "acme";

/** Starts a platform that holds unmanaged resources, and a proxy that can simulate platform faults. */
export async function withBystanders() {
  const here = await lifecycleFixture();
  const wire = await faultyWire(here.api.url);
  const outside = clientOf(here.api, here.api.apiToken);
  await outside.createDatabase({ organizationSlug, body: { name: "other", group: "default" } });
  await outside.createApiToken({ tokenName: "other", body: { organization: organizationSlug } });
  const open = () => here.newProcess({}, { baseUrl: wire.url });
  return { here, wire, outside, open, context: open(), before: await objectsIn(here, outside) };
}
