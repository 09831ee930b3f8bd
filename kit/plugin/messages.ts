import { message } from "../message";

/** Reports that the last command-line argument of the plugin is not the address of an engine. */
export const invalidEngineAddress = message(
  (address: string) =>
    `the last argument must be the address of the Pulumi engine, such as 127.0.0.1:40001, but is "${address}"`,
  ["engine"],
);

export const UNCONFIGURED_PROVIDER = "the provider is not configured";

/** Reports an unexpected error, which is a bug in the provider. */
export const internalError = message(
  (provider: string, reason: string) => `internal error of the ${provider} provider (please report it): ${reason}`,
  ["notes", "x is not a function"],
);

export const unsupportedAsset = message(
  (property: string) => `property ${property}: assets and archives are not supported`,
  ["keepers"],
);

export const unknownResourceType = message(
  (type: string, types: readonly string[]) => `there is no resource type "${type}"; the types are ${types.join(", ")}`,
  ["notes:index:Table", ["notes:index:Notebook", "notes:index:Note"]],
);

export const unknownFunction = message(
  (token: string, tokens: readonly string[]) =>
    `there is no function "${token}"; the functions are ${tokens.join(", ")}`,
  ["notes:index:getTable", ["notes:index:getNotebook", "notes:index:getNote"]],
);

export const unsupportedSchemaVersion = message(
  (version: number) => `schema version ${version} is not supported; the only version is 0`,
  [1],
);
