import {
  type PolicyConfigSchema,
  PolicyPack,
  type ReportViolation,
  type ResourceValidationArgs,
  validateResourceOfType,
} from "@pulumi/policy";
import * as dbplatform from "pulumi-dbplatform";

// A URN begins with `urn:pulumi:<stack>::`.
const stackOf = ({ urn }: { readonly urn: string }) => urn.split(":")[2] ?? "";

const isProduction = (stack: string) => /^prod(uction)?(-|$)/.test(stack);

const SECONDS: Readonly<Record<string, number>> = { w: 604_800, d: 86_400, h: 3_600, m: 60, s: 1 };
/** 90 days, in seconds */
const LONGEST = 90 * 86_400;

/** Returns the length of a duration such as `1w12h`. Units below a second are not accepted. */
function secondsOf(duration: string): number {
  const parts = [...duration.matchAll(/([\d.]+)(\D+)/g)];
  return parts.reduce((sum, [, count, unit = ""]) => sum + Number(count) * (SECONDS[unit] ?? Number.NaN), 0);
}

function mustExpire({ expiration = "never" }: { readonly expiration?: string }, _: unknown, report: ReportViolation) {
  const isShort = expiration !== "never" && secondsOf(expiration) <= LONGEST;
  if (!isShort) report('Set `expiration` to at most 90 days, for example "30d".');
}

/** The configuration of `nothing-deleted`. */
interface Deletions {
  /** URNs of resources that may be deleted. */
  readonly exceptions: readonly string[];
  /** URNs of resources that must stay in the stack. */
  readonly kept: readonly string[];
}

const URNS: PolicyConfigSchema["properties"][string] = { type: "array", items: { type: "string" }, default: [] };

/**
 * URNs of what the program declares, with its aliases. The resources of `validateStack` are no proof: a removed one that
 * the provider refreshes before the preview is still among them.
 */
const declared = new Set<string>();

// No policy sees a deletion. `protect` makes Pulumi refuse it, also with `--skip-preview`.
function mustBeProtected(_: unknown, { opts, urn, getConfig }: ResourceValidationArgs, report: ReportViolation) {
  const { exceptions } = getConfig<Deletions>();
  if (!opts.protect && !exceptions.includes(urn))
    report("Set the resource option `protect: true`, or list the URN in `exceptions`.");
}

new PolicyPack("databases", {
  enforcementLevel: "mandatory",
  policies: [
    {
      name: "databases-protected-twice",
      description: "In production, a database is protected by Pulumi and by the platform.",
      validateStack({ resources }, reportViolation) {
        const configurations = resources.filter((resource) => resource.isType(dbplatform.DatabaseConfiguration));
        const protections = configurations.filter((resource) => resource.props.deleteProtection);
        for (const resource of resources) {
          const database = resource.asType(dbplatform.Database);
          if (!database || !isProduction(stackOf(resource))) continue;
          if (!resource.opts.protect) reportViolation("Set the resource option `protect: true`.", resource.urn);
          // In the preview of a new database its `dbId` is still unknown, so the check follows the property's
          // dependencies.
          const isProtected = protections.some(({ props, propertyDependencies: { database: owners = [] } }) =>
            owners.length > 0 ? owners.some(({ urn }) => urn === resource.urn) : props.database === database.dbId,
          );
          if (!isProtected)
            reportViolation("Declare a DatabaseConfiguration with `deleteProtection: true`.", resource.urn);
        }
      },
    },
    {
      name: "api-tokens-have-scopes",
      description: "An API token is restricted to one group and to a list of scopes.",
      validateResource: validateResourceOfType(dbplatform.ApiToken, ({ scopes = [] }, _, reportViolation) => {
        if (scopes.length === 0) reportViolation("Set `group` and `scopes`.");
        if (scopes.includes("full-access")) reportViolation("List the scopes instead of `full-access`.");
      }),
    },
    {
      name: "sql-tokens-expire",
      description: "A token of the SQL engine expires, because the platform cannot revoke it.",
      validateResource: [
        validateResourceOfType(dbplatform.DatabaseToken, mustExpire),
        validateResourceOfType(dbplatform.GroupToken, mustExpire),
      ],
    },
    {
      name: "force-destroy-for-pull-requests",
      description: "Only the stack of a pull request deletes a group together with databases that it does not declare.",
      validateResource: validateResourceOfType(dbplatform.Group, ({ forceDestroy }, args, reportViolation) => {
        if (forceDestroy && !/^pr-\d+$/.test(stackOf(args))) reportViolation("Remove `forceDestroy`.");
      }),
    },
    // A policy pack sees no deletion, so this demands `protect`, which is in the state and also holds in `pulumi destroy`,
    // and compares with `kept`. `protect` alone ends with `pulumi state unprotect`, which the engine's own message advises.
    // `--skip-preview` bypasses the list alone. A policy does not see `retainOnDelete`. The pack does not export the state
    // itself, which depends on the backend, folder and login of its process.
    {
      name: "nothing-deleted",
      description: "This stack deletes no database, group or member.",
      enforcementLevel: "disabled",
      configSchema: { properties: { exceptions: URNS, kept: URNS } },
      validateResource: [
        ({ urn, opts }) => {
          for (const each of [urn, ...opts.aliases]) declared.add(each);
        },
        validateResourceOfType(dbplatform.Database, mustBeProtected),
        validateResourceOfType(dbplatform.Group, mustBeProtected),
        validateResourceOfType(dbplatform.Member, mustBeProtected),
      ],
      validateStack({ getConfig }, reportViolation) {
        const { exceptions, kept } = getConfig<Deletions>();
        for (const urn of kept)
          if (!declared.has(urn) && !exceptions.includes(urn))
            reportViolation(`Declare ${urn} again, or list the URN in \`exceptions\`.`);
      },
    },
  ],
});
