import { message } from "../../message";

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
