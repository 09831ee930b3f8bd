import type { Facts } from "../facts";

/** Reports that the last command-line argument of the plugin is not the address of an engine. */
export const invalidEngineAddress = ({ address }: Facts<"address">) =>
  `the last argument must be the address of the Pulumi engine, such as 127.0.0.1:40001, but is "${address}"`;

export const UNCONFIGURED_PROVIDER = "the provider is not configured";

/** Reports an unexpected error, which is a bug in the provider. */
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

// The connection

export const connectionClosed = ({ reason }: Facts<"reason">) => `the connection is closed: ${reason}`;

export const CONNECTION_LOST = "the connection was lost";

export const CALL_CANCELLED = "the call was cancelled";

export const DEADLINE_EXCEEDED = "the deadline of the call has passed";

export const unknownMethod = ({ path }: Facts<"path">) => `there is no method "${path}"`;

export const invalidTimeout = ({ header }: Facts<"header">) => `invalid grpc-timeout "${header}"`;

export const NO_MESSAGE = "expected one message, but the stream is empty";

export const INCOMPLETE_MESSAGE = "expected one message, but the stream ends within it";

export const SEVERAL_MESSAGES = "expected one message, but the stream contains more than one";

export const COMPRESSED_MESSAGE = "compressed messages are not supported";

export const largeMessage = ({ bytes, mostBytes }: Facts<"bytes" | "mostBytes">) =>
  `the message has ${bytes} bytes, more than the limit of ${mostBytes} bytes`;
