import type { Facts } from "../facts";

export const invalidEngineAddress = ({ address }: Facts<"address">) =>
  `the last argument must be the address of the Pulumi engine, such as 127.0.0.1:40001, but is "${address}"`;
export const UNCONFIGURED_PROVIDER = "the provider is not configured";
export const internalError = ({ provider, reason }: Facts<"provider" | "reason">) =>
  `internal error of the ${provider} provider (please report it): ${reason}`;
export const sameCause = ({ type, name }: Facts<"type" | "name">) =>
  `the error of ${type} (${name}) has the same cause, and says what to do`;
export const unsupportedAsset = ({ property }: Facts<"property">) =>
  `property ${property}: assets and archives are not supported`;
export const unknownResourceType = ({ type, types }: Facts<"type"> & { readonly types: readonly string[] }) =>
  `there is no resource type "${type}"; the types are ${types.join(", ")}`;
export const unknownFunction = ({ token, tokens }: Facts<"token"> & { readonly tokens: readonly string[] }) =>
  `there is no function "${token}"; the functions are ${tokens.join(", ")}`;
export const unsupportedSchemaVersion = ({ version }: { readonly version: number }) =>
  `schema version ${version} is not supported; the only version is 0`;
export const stateWillBeCompleted = ({ isRead }: Facts<"isRead">) =>
  isRead
    ? "Pulumi did not read this resource, because the update that recorded it did not ask for that; the provider has read it instead. `pulumi up` records the request, which is shown as one update of each such resource."
    : "A dynamic provider recorded the state of this resource. `pulumi up` removes from the state what only dynamic providers need, which is shown as an update of each such resource.";
