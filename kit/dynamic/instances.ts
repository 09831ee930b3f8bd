import { Instance } from "../instance";
import type { Properties } from "../lifecycle/properties";
import type { Provider } from "../provider";
import { environmentSettings } from "../settings";

/** The configured instances of a provider. A program can change the settings, so it may need several. */
export class Instances {
  /** Objects that this run manages again, with whichever settings. */
  readonly #managedAgain = new Set<string>();
  readonly #instances = new Map<string, Instance>();

  constructor(readonly provider: Provider) {}

  /** Returns the instance for these settings and the current environment. */
  of(settings: Properties): Instance {
    const key = JSON.stringify([settings, environmentSettings(this.provider.settings, process.env)]);
    const known = this.#instances.get(key);
    if (known) return known;
    const instance = new Instance(this.provider, settings, process.env, { managedAgain: this.#managedAgain });
    this.#instances.set(key, instance);
    return instance;
  }
}
