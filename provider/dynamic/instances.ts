import { environmentSettings, Instance } from "../config";
import type { Properties } from "../lifecycle/properties";

/** One process serves every resource and function, and perhaps several organizations (decision 12). */
const instances = new Map<string, Instance>();

/** The same one for the same settings and environment, which in a program's own process may change. */
export function instanceOf(settings: Properties): Instance {
  const key = JSON.stringify([settings, environmentSettings(process.env)]);
  const instance = instances.get(key) ?? new Instance(settings, process.env);
  instances.set(key, instance);
  return instance;
}
