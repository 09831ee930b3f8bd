import type { Facts } from "../facts";

export const invalidEngineAddress = ({ address }: Facts<"address">) =>
  `the last argument must be the address of the Pulumi engine, such as 127.0.0.1:40001, but is "${address}"`;
export const UNCONFIGURED_PROVIDER = "the provider is not configured";
export const internalError = ({ provider, reason }: Facts<"provider" | "reason">) =>
  `internal error of the ${provider} provider (please report it): ${reason}`;
export const unsupportedAsset = ({ property }: Facts<"property">) =>
  `property ${property}: assets and archives are not supported`;
export const unknownResourceType = ({ type, types }: Facts<"type" | "types">) =>
  `there is no resource type "${type}"; the types are ${types.join(", ")}`;
export const unknownFunction = ({ token, tokens }: Facts<"token" | "tokens">) =>
  `there is no function "${token}"; the functions are ${tokens.join(", ")}`;
export const unsupportedSchemaVersion = ({ version }: Facts<"version">) =>
  `schema version ${version} is not supported; the only version is 0`;
export const stateCompleted = ({ isRead }: Facts<"isRead">) =>
  isRead
    ? "The state lacks the request to read its resources before each preview and update, because dynamic providers recorded it, or other settings. `pulumi up` adds the request to the state, and shows an update for each of these resources."
    : "Dynamic providers recorded the state of this resource. `pulumi up` removes from the state what only they need, and shows an update for each of these resources.";
