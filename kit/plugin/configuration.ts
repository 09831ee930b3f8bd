import { type Properties, UNKNOWN_TEXT } from "../lifecycle/properties";
import type { ProviderSettings } from "../provider";
import { environmentSettings, type SettingsOrigin } from "../settings";

/** The settings with which the engine configures a provider. */
export interface Configuration extends SettingsOrigin {
  readonly settings: Properties;
  /** URN of the provider's resource. Empty if the engine configures a provider outside of a stack. */
  readonly urn: string;
}

export interface Configured {
  readonly args: Properties;
  readonly urn: string;
  /** Empty or unknown if the provider is in no state yet. */
  readonly id: string;
}

/**
 * Returns the settings to use. Before the program runs, the engine sends the settings that the last update recorded. A
 * default provider has its settings from `pulumi config`, whose present values the engine puts into the environment of
 * the plugin, or else from the environment. Both win over recorded values, so that a change takes effect at once, also if
 * a setting moves from `pulumi config` to the environment. A provider named `default` may be the program's own.
 */
export function currentPluginConfiguration(
  known: ProviderSettings,
  { args, urn, id }: Configured,
  environment: NodeJS.ProcessEnv,
): Configuration {
  const name = urn.slice(urn.lastIndexOf("::") + 2);
  const isNew = id === "" || id === UNKNOWN_TEXT;
  const configured =
    name === "default" || VERSIONED_DEFAULT.test(name) ? pluginConfigurationIn(environment) : undefined;
  if (configured === undefined) return { settings: args, urn, isRecorded: !isNew, isNew };
  const current = { ...environmentSettings(known, environment), ...configured };
  // A program may name its own provider "default", and the arguments of such a provider win.
  const settings = name === "default" ? { ...current, ...args } : { ...args, ...current };
  const isRecorded = Object.keys(settings).some((key) => key !== "version" && settings[key] !== current[key]);
  return { settings, urn, isRecorded: !isNew && isRecorded, isNew };
}

/** Name of the default provider for programs whose SDK has a version, such as `default_0_1_0`. */
const VERSIONED_DEFAULT = /^default_\d+_\d+_\d+/;

/** Returns the values of `pulumi config` for this package, by name without the package. */
function pluginConfigurationIn({ PULUMI_CONFIG }: NodeJS.ProcessEnv): Properties | undefined {
  if (PULUMI_CONFIG === undefined) return undefined;
  try {
    const parsed: unknown = JSON.parse(PULUMI_CONFIG);
    return typeof parsed === "object" && parsed !== null ? { ...parsed } : undefined;
  } catch {
    return undefined;
  }
}
