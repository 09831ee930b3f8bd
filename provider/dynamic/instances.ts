import { environmentSettings } from "../config";
import { Instance } from "../instance";
import type { Properties } from "../lifecycle/properties";

/**
 * Instances by settings, because one process serves every resource and function, possibly of several organizations
 * (decision 12).
 */
const instances = new Map<string, Instance>();

/** Returns the same instance for the same settings and environment. A program can change both while it runs. */
export function instanceOf(settings: Properties): Instance {
  const key = JSON.stringify([settings, environmentSettings(process.env)]);
  const instance = instances.get(key) ?? new Instance(settings, process.env);
  instances.set(key, instance);
  return instance;
}
