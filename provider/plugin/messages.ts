import { message } from "../../platform/values/message";

export const UNCONFIGURED_PROVIDER = "the provider is not configured";

/** An error that is not a refusal, and so a defect. */
export const internalError = message(
  (reason: string) => `internal error of the dbplatform provider (please report it): ${reason}`,
  ["x is not a function"],
);

export const unsupportedAsset = message(
  (property: string) => `property ${property}: assets and archives are not supported`,
  ["keepers"],
);

export const unknownResourceType = message(
  (type: string, types: readonly string[]) => `there is no resource type "${type}"; the types are ${types.join(", ")}`,
  ["dbplatform:index:Table", ["dbplatform:index:Group", "dbplatform:index:Database"]],
);

export const unknownFunction = message(
  (token: string, tokens: readonly string[]) =>
    `there is no function "${token}"; the functions are ${tokens.join(", ")}`,
  ["dbplatform:index:getTable", ["dbplatform:index:getGroup", "dbplatform:index:getDatabase"]],
);

export const unsupportedSchemaVersion = message(
  (version: number) => `schema version ${version} is not supported; the only version is 0`,
  [1],
);

// gRPC

export const connectionClosed = message(
  (reason: string) => `the connection is closed: ${reason}`,
  ["Error [ERR_HTTP2_INVALID_SESSION]: The session has been destroyed"],
);

export const CONNECTION_LOST = "the connection was lost";

export const CALL_CANCELLED = "the call was cancelled";

export const DEADLINE_EXCEEDED = "the deadline of the call has passed";

export const unknownMethod = message(
  (path: string) => `there is no method "${path}"`,
  ["/pulumirpc.ResourceProvider/Parameterize"],
);

export const invalidTimeout = message((header: string) => `invalid grpc-timeout "${header}"`, ["soon"]);

export const NO_MESSAGE = "expected one message, but the stream is empty";

export const INCOMPLETE_MESSAGE = "expected one message, but the stream ends within it";

export const SEVERAL_MESSAGES = "expected one message, but the stream contains more than one";

export const COMPRESSED_MESSAGE = "compressed messages are not supported";

export const largeMessage = message(
  (bytes: number, mostBytes: number) => `the message has ${bytes} bytes, more than the limit of ${mostBytes} bytes`,
  [4_194_305, 4_194_304],
);
