import type { REJECTABLE_ON_AWS } from "../../contract/configuration";
import { type Configuration, UNCONFIGURED } from "../../contract/configuration-fields";
import { isOlderLocation } from "../../values/location";
import { refuse } from "../messages";
import type { State } from "../store/schema";
import { findSetting } from "../store/settings";

type Rejectable = (typeof REJECTABLE_ON_AWS)[number];

/** Refuses settings that databases in this location reject, if the seed says so. Every location is on AWS or older. */
export async function checkSettingsForLocation(
  wanted: { readonly [Name in Rejectable]?: Configuration[Name] | null | undefined },
  location: string,
  state: State,
): Promise<void> {
  if (isOlderLocation(location)) return;
  const rejected: readonly Rejectable[] = JSON.parse((await findSetting(state, "rejected-on-aws")) ?? "[]");
  const setting = rejected.find((name) => (wanted[name] ?? UNCONFIGURED[name]) !== UNCONFIGURED[name]);
  if (setting) throw refuse.rejectedOnAws({ setting });
}
