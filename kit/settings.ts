import { createHash } from "node:crypto";
import type * as z from "zod";
import type { MissingSetting } from "./facts";
import type { Problem } from "./field";
import { argumentShapeProblems } from "./lifecycle/arguments";
import { isKnown, type Properties } from "./lifecycle/properties";
import { invalidSetting, missingSettings, unknownSetting } from "./messages";
import type { ProviderSettings } from "./provider";

/**
 * Returns the problems with the given settings. Unknown values are accepted, and so are omitted settings, because
 * environment variables may supply them.
 */
export function settingProblems(settings: ProviderSettings, given: Properties): Problem[] {
  const { failures } = parseSettings(settings, given);
  return failures.filter(({ property }) => given[property] !== undefined);
}

export function changedSettings(olds: Properties, news: Properties): string[] {
  const names = [...new Set([...Object.keys(olds), ...Object.keys(news)])];
  return names.filter((name) => JSON.stringify(olds[name]) !== JSON.stringify(news[name]));
}

export interface SettingsOrigin {
  /** Whether some of the settings may be those of the last update. */
  readonly isRecorded: boolean;
  /** Whether the provider is certainly in no state yet. */
  readonly isNew: boolean;
}

export class MissingSettings extends Error {
  override readonly name = "MissingSettings";

  constructor(
    provider: string,
    readonly settings: readonly MissingSetting[],
    isRecorded: boolean,
    advice?: string,
  ) {
    super(missingSettings({ provider, missing: settings, isRecorded, advice }));
  }
}

export class WrongSettings extends Error {
  override readonly name = "WrongSettings";

  constructor(provider: string, problems: readonly Problem[]) {
    super(problems.map(({ property, reason }) => invalidSetting({ provider, name: property, reason })).join("; "));
  }
}

/**
 * Combines the given settings with the settings from environment variables. A given setting wins.
 *
 * @param origin Where the given settings come from.
 * @throws MissingSettings if a required setting is missing; WrongSettings if a setting is invalid.
 */
export function resolveSettings(
  { name, settings }: { readonly name: string; readonly settings: ProviderSettings },
  given: Properties,
  environment: NodeJS.ProcessEnv,
  { isRecorded = false, isNew = false }: Partial<SettingsOrigin> = {},
): Record<string, unknown> {
  const all = { ...environmentSettings(settings, environment), ...presentSettings(given) };
  const { values, failures } = parseSettings(settings, all);
  const { shape } = settings.schema;
  const missing = failures.filter(({ property }) => property in shape && values[property] === undefined);
  if (missing.length > 0) {
    const missed = missing.map(({ property }) => ({
      name: property,
      isSecret: settings.secrets?.includes(property) ?? false,
      variable: settings.environment?.[property],
      usual: settings.usual?.[property],
    }));
    const required = Object.values<z.ZodType>(shape).filter((schema) => !schema.safeParse(undefined).success);
    const advice = isNew && missing.length === required.length ? settings.adviceWithoutAny : undefined;
    throw new MissingSettings(name, missed, isRecorded, advice);
  }
  if (failures.length > 0) throw new WrongSettings(name, failures);
  return values;
}

export const presentSettings = (given: Properties): Properties =>
  Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && value !== null && value !== ""),
  );

export const environmentSettings = (settings: ProviderSettings, environment: NodeJS.ProcessEnv): Properties =>
  presentSettings(
    Object.fromEntries(
      Object.entries<string | undefined>(settings.environment ?? {}).map(([name, variable = ""]) => [
        name,
        environment[variable],
      ]),
    ),
  );

/** Returns a digest of each setting that an environment variable supplies, unless the setting is secret. */
export const environmentDigests = (
  settings: ProviderSettings,
  environment: NodeJS.ProcessEnv,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(environmentSettings(settings, environment))
      .filter(([name]) => !settings.secrets?.includes(name))
      .map(([name, value]) => [name, createHash("sha256").update(String(value)).digest("hex").slice(0, 16)]),
  );

function parseSettings(
  { schema: { shape }, problems }: ProviderSettings,
  given: Properties,
): { values: Record<string, unknown>; failures: Problem[] } {
  const values: Record<string, unknown> = {};
  const failures: Problem[] = Object.keys(given)
    .filter((property) => !(property in shape) && property !== "version" && !property.startsWith("__"))
    .map((property) => ({ property, reason: unknownSetting({ settings: Object.keys(shape) }) }));

  for (const [property, schema] of Object.entries<z.ZodType>(shape)) {
    if (!isKnown(given[property])) continue;
    const value = parseSettingString(schema, given[property]);
    const { data = value } = schema.safeParse(value);
    values[property] = data;
    failures.push(...argumentShapeProblems(property, schema, value));
  }
  failures.push(...(problems?.(values) ?? []));
  return { values, failures };
}

/**
 * Converts a boolean or a number from a string, because `pulumi config set` and the generated SDKs pass all settings as
 * strings.
 */
function parseSettingString(schema: z.ZodType, given: unknown): unknown {
  const value = typeof given === "string" ? given.trim() : given;
  if (typeof value !== "string" || schema.safeParse(value).success) return value;
  if (value === "true" || value === "false") return value === "true";
  return value !== "" && schema.safeParse(Number(value)).success ? Number(value) : value;
}
