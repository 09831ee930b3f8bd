import * as pulumi from "@pulumi/pulumi";
import type { Provider } from "./dynamic-provider";
import type * as plugin from "./nodejs";

/** Of this door's functions. */
export interface FunctionOptions {
  readonly provider?: Provider;
}

interface Schema {
  readonly config: { readonly variables: Readonly<Record<string, unknown>> };
}
interface Host {
  readonly functions: Readonly<Record<string, (args: object, settings: object) => Promise<unknown>>>;
  readonly isExpected: (thrown: unknown) => thrown is Error;
}

const { config }: Schema = require("../../schema.json");

/** In the program's own process, by reference as the resources, and only when something is asked. */
async function ask<Result>(name: string, args: object, settings: object): Promise<Result> {
  const { functions, isExpected }: Host = require("pulumi-dbplatform/dynamic-host");
  try {
    return (await functions[name]?.(args, settings)) as Result;
  } catch (thrown) {
    // Of a RunError, Pulumi shows the message alone.
    throw isExpected(thrown) ? new pulumi.RunError(thrown.message) : thrown;
  }
}

/** Those of the stack, or of an explicit provider. What asks with a secret gets no secret by it. */
function settingsOf({ provider }: FunctionOptions): pulumi.Output<object> {
  if (provider) return pulumi.unsecret(pulumi.output(provider.settings));
  const ofTheStack = new pulumi.Config("dbplatform");
  return pulumi.output(Object.fromEntries(Object.keys(config.variables).map((name) => [name, ofTheStack.get(name)])));
}

/** What Pulumi's declarations leave out of it. */
interface Inside<T> {
  /** Without asking it, waiting for what is not known in a preview would never end. */
  readonly isKnown: Promise<boolean>;
  promise(): Promise<T>;
  allResources(): Promise<ReadonlySet<pulumi.Resource>>;
}

const insideOf = <T>(output: pulumi.Output<T>): Inside<T> => output as unknown as Inside<T>;

/** Known once everything is there that the arguments come from, as the plugin's functions wait for it. */
function madeBefore(args: pulumi.Output<object>): pulumi.Output<unknown> {
  const ids = insideOf(args)
    .allResources()
    .then((all) => [...all].filter(pulumi.CustomResource.isInstance).map(({ id }) => id));
  return pulumi.output(ids);
}

const plain =
  <Args extends object, Result>(name: string) =>
  async (args?: Args, options: FunctionOptions = {}): Promise<Result> => {
    const settings = insideOf(settingsOf(options));
    if (await settings.isKnown) return ask(name, args ?? {}, await settings.promise());
    throw new pulumi.RunError(
      `The settings of provider "${options.provider?.name}" are not known yet: use ${name}Output.`,
    );
  };

const output =
  <Args extends object, Result>(name: string) =>
  (args?: Args, options: FunctionOptions = {}): pulumi.Output<Result> => {
    const given = pulumi.output<object>(args ?? {});
    return pulumi
      .all([given, settingsOf(options), madeBefore(given)])
      .apply(([known, settings]) => ask<Result>(name, known, settings));
  };

const plainOfNothing = <Result>(name: string) => {
  const asked = plain<object, Result>(name);
  return (options?: FunctionOptions): Promise<Result> => asked({}, options);
};

const outputOfNothing = <Result>(name: string) => {
  const asked = output<object, Result>(name);
  return (options?: FunctionOptions): pulumi.Output<Result> => asked({}, options);
};

// The same names, arguments and results as the plugin's functions.
export const getOrganization = plainOfNothing<plugin.GetOrganizationResult>("getOrganization");
export const getOrganizationOutput = outputOfNothing<plugin.GetOrganizationResult>("getOrganization");
export const getLocations = plainOfNothing<plugin.GetLocationsResult>("getLocations");
export const getLocationsOutput = outputOfNothing<plugin.GetLocationsResult>("getLocations");
export const getGroup = plain<plugin.GetGroupArgs, plugin.GetGroupResult>("getGroup");
export const getGroupOutput = output<plugin.GetGroupOutputArgs, plugin.GetGroupResult>("getGroup");
export const getGroups = plain<plugin.GetGroupsArgs, plugin.GetGroupsResult>("getGroups");
export const getGroupsOutput = output<plugin.GetGroupsOutputArgs, plugin.GetGroupsResult>("getGroups");
export const getDatabase = plain<plugin.GetDatabaseArgs, plugin.GetDatabaseResult>("getDatabase");
export const getDatabaseOutput = output<plugin.GetDatabaseOutputArgs, plugin.GetDatabaseResult>("getDatabase");
export const getDatabases = plain<plugin.GetDatabasesArgs, plugin.GetDatabasesResult>("getDatabases");
export const getDatabasesOutput = output<plugin.GetDatabasesOutputArgs, plugin.GetDatabasesResult>("getDatabases");
export const getDatabaseConfiguration = plain<
  plugin.GetDatabaseConfigurationArgs,
  plugin.GetDatabaseConfigurationResult
>("getDatabaseConfiguration");
export const getDatabaseConfigurationOutput = output<
  plugin.GetDatabaseConfigurationOutputArgs,
  plugin.GetDatabaseConfigurationResult
>("getDatabaseConfiguration");
export const getDeletedDatabases = plain<plugin.GetDeletedDatabasesArgs, plugin.GetDeletedDatabasesResult>(
  "getDeletedDatabases",
);
export const getDeletedDatabasesOutput = output<plugin.GetDeletedDatabasesOutputArgs, plugin.GetDeletedDatabasesResult>(
  "getDeletedDatabases",
);
export const getDeletedGroups = plain<plugin.GetDeletedGroupsArgs, plugin.GetDeletedGroupsResult>("getDeletedGroups");
export const getDeletedGroupsOutput = output<plugin.GetDeletedGroupsOutputArgs, plugin.GetDeletedGroupsResult>(
  "getDeletedGroups",
);
export const getApiTokens = plain<plugin.GetApiTokensArgs, plugin.GetApiTokensResult>("getApiTokens");
export const getApiTokensOutput = output<plugin.GetApiTokensOutputArgs, plugin.GetApiTokensResult>("getApiTokens");
export const getAuditLogs = plain<plugin.GetAuditLogsArgs, plugin.GetAuditLogsResult>("getAuditLogs");
export const getAuditLogsOutput = output<plugin.GetAuditLogsOutputArgs, plugin.GetAuditLogsResult>("getAuditLogs");
