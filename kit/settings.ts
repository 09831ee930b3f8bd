import * as z from "zod";
import { canonicalUuid } from "../platform/values/uuid";
import { isLoopback } from "../provider/client/http/client";
import {
  baseUrlWithoutScheme,
  baseUrlWithPath,
  CREDENTIALS_IN_BASE_URL,
  insecureBaseUrl,
  invalidBaseUrl,
  invalidOrganizationId,
  invalidSetting,
  type MissingSetting,
  missingSettings,
  type SettingsOrigin,
  unknownSetting,
} from "../provider/messages";
import { shapeProblems } from "./lifecycle/inputs/arguments";
import { isKnown, type Properties } from "./lifecycle/properties";
import type { Problem } from "./resource/traits";
import type { Vocabulary } from "./resource/vocabulary";

const driftDetection: Vocabulary = {
  name: "DriftDetection",
  description: "When the provider looks for drift.",
  values: {
    always: "Before every preview and update.",
    "on-refresh": "Only with `refresh` and `--refresh`.",
  },
};

/**
 * Schema of the provider settings, which come from `pulumi config set dbplatform:<name>` or from an explicit provider.
 */
export const settings = z.object({
  organization: z
    .string()
    .min(1)
    .describe("Slug of the organization. Default: the environment variable DBPLATFORM_ORGANIZATION."),
  apiToken: z
    .string()
    .min(1)
    .describe(
      "Platform API token. Default: the environment variable DBPLATFORM_API_TOKEN, which is never written to the state.",
    ),
  baseUrl: z
    .string()
    .describe(
      "Address of the platform: https, or http on this machine. Default: the environment variable DBPLATFORM_BASE_URL.",
    ),
  allowInsecure: z
    .boolean()
    .optional()
    .describe(
      "Allow a `baseUrl` with plain http on another machine. The API token is then sent unencrypted. Default: false.",
    ),
  organizationId: z
    .string()
    .optional()
    .describe(
      "UUID of the organization. Only group-scoped tokens need it, because they cannot look it up. A wrong UUID is rejected. Default: the environment variable DBPLATFORM_ORGANIZATION_ID.",
    ),
  driftDetection: z
    .enum(["always", "on-refresh"])
    .meta({ vocabulary: driftDetection })
    .optional()
    .describe(
      "When the provider looks for drift: before every preview and update (`always`), or only with `refresh` and `--refresh` (`on-refresh`). Default: `always`.",
    ),
});

type Setting = keyof typeof settings.shape;

const ENVIRONMENT: Partial<Record<Setting, string>> = {
  organization: "DBPLATFORM_ORGANIZATION",
  apiToken: "DBPLATFORM_API_TOKEN",
  baseUrl: "DBPLATFORM_BASE_URL",
  organizationId: "DBPLATFORM_ORGANIZATION_ID",
};

export const secretSettings: readonly Setting[] = ["apiToken"];

/**
 * Returns the problems with the given settings. Unknown values are accepted, and so are omitted settings, because
 * environment variables may supply them.
 */
export function settingProblems(given: Properties): Problem[] {
  const { failures } = parse(given);
  return failures.filter(({ property }) => given[property] !== undefined);
}

export function changedSettings(olds: Properties, news: Properties): string[] {
  const names = [...new Set([...Object.keys(olds), ...Object.keys(news)])];
  return names.filter((name) => JSON.stringify(olds[name]) !== JSON.stringify(news[name]));
}

export class MissingSettings extends Error {
  override readonly name = "MissingSettings";

  constructor(
    readonly settings: readonly MissingSetting[],
    origin: SettingsOrigin,
  ) {
    super(missingSettings(settings, origin));
  }
}

export class WrongSettings extends Error {
  override readonly name = "WrongSettings";

  constructor(readonly problems: readonly Problem[]) {
    super(problems.map(({ property, reason }) => invalidSetting(property, reason)).join("; "));
  }
}

/**
 * Combines the given settings with the settings from environment variables. A given setting wins.
 *
 * @param origin Where the given settings come from.
 * @throws MissingSettings if a required setting is missing; WrongSettings if a setting is invalid.
 */
export function resolveSettings(
  given: Properties,
  environment: NodeJS.ProcessEnv,
  { isRecorded = false, isNew = false }: Partial<SettingsOrigin> = {},
): z.output<typeof settings> {
  const { values, failures } = parse({ ...environmentSettings(environment), ...withoutAbsent(given) });
  const missing = failures.filter(
    ({ property }) => property in settings.shape && values[property as Setting] === undefined,
  );
  if (missing.length > 0) {
    const missed = missing.map(({ property }) => missingSetting(property as Setting));
    throw new MissingSettings(missed, { isRecorded, isNew });
  }
  if (failures.length > 0) throw new WrongSettings(failures);
  return values as z.output<typeof settings>;
}

const missingSetting = (name: Setting): MissingSetting => ({
  name,
  isSecret: secretSettings.includes(name),
  variable: ENVIRONMENT[name],
});

const withoutAbsent = (given: Properties): Properties =>
  Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && value !== null && value !== ""),
  );

export const environmentSettings = (environment: NodeJS.ProcessEnv): Properties =>
  withoutAbsent(
    Object.fromEntries(Object.entries(ENVIRONMENT).map(([name, variable]) => [name, environment[variable]])),
  );

function parse(given: Properties): { values: Partial<Record<Setting, unknown>>; failures: Problem[] } {
  const values: Partial<Record<Setting, unknown>> = {};
  const failures: Problem[] = Object.keys(given)
    .filter((property) => !(property in settings.shape) && property !== "version" && !property.startsWith("__"))
    .map((property) => ({ property, reason: unknownSetting(Object.keys(settings.shape)) }));

  for (const [property, schema] of Object.entries(settings.shape) as [Setting, z.ZodType][]) {
    if (!isKnown(given[property])) continue;
    const value = decoded(schema, given[property]);
    values[property] = value;
    failures.push(...shapeProblems(property, schema, value));
  }
  if (typeof values.baseUrl === "string") {
    const reason = baseUrlProblem(values.baseUrl, values);
    if (reason) failures.push({ property: "baseUrl", reason });
  }
  if (typeof values.organizationId === "string" && canonicalUuid(values.organizationId) !== values.organizationId)
    failures.push({ property: "organizationId", reason: invalidOrganizationId(values.organizationId) });
  return { values, failures };
}

/**
 * Converts a boolean setting from a string, because `pulumi config set` and the generated SDKs pass booleans as
 * strings.
 */
function decoded(schema: z.ZodType, given: unknown): unknown {
  const value = typeof given === "string" ? given.trim() : given;
  if (typeof value !== "string" || schema.safeParse(value).success) return value;
  return value === "true" ? true : value === "false" ? false : value;
}

const SCHEME = /^[a-z][a-z\d+.-]*:\/\//i;

function baseUrlProblem(text: string, { allowInsecure }: { readonly allowInsecure?: unknown }): string | undefined {
  const hasScheme = SCHEME.test(text);
  const url = URL.parse(hasScheme ? text : `https://${text}`);
  // Looks for credentials first, because the later error messages repeat the address.
  if (url?.username || url?.password) return CREDENTIALS_IN_BASE_URL;
  if (url === null || !/^https?:$/.test(url.protocol) || !url.hostname) return invalidBaseUrl(text);
  if (!hasScheme) return baseUrlWithoutScheme(text, isLoopback(url.origin) ? `http://${url.host}` : url.origin);
  if (url.pathname !== "/" || url.search || url.hash) return baseUrlWithPath(text, url.origin);
  if (url.protocol === "http:" && !isLoopback(text) && allowInsecure !== true) return insecureBaseUrl(text);
  return undefined;
}
