import { environmentSettings, Instance } from "../config";
import type { Properties } from "../lifecycle/properties";

/**
 * Instances by settings, because one process serves every resource and function, possibly of several organizations
 * (decision 12).
 */
const instances = new Map<string, Instance>();

/** Returns one instance for equal settings and environment; both may change within the program's own process. */
export function instanceOf(settings: Properties): Instance {
  const key = JSON.stringify([settings, environmentSettings(process.env)]);
  const instance = instances.get(key) ?? new Instance(settings, process.env);
  instances.set(key, instance);
  return instance;
}
