import { Instance } from "../instance";
import type { Properties } from "../lifecycle/properties";
import { environmentSettings } from "../settings";

/** Objects that this run manages again, with whichever settings. */
const managedAgain = new Set<string>();

const instances = new Map<string, Instance>();

/**
 * Returns the provider instance for these settings and the current environment. A program can change both while it
 * runs, so one process may need several instances.
 */
export function instanceOf(settings: Properties): Instance {
  const key = JSON.stringify([settings, environmentSettings(process.env)]);
  const instance = instances.get(key) ?? new Instance(settings, process.env, { managedAgain });
  instances.set(key, instance);
  return instance;
}
