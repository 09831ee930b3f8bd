import type { Facts } from "../../facts";

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
export const largeMessage = ({ bytes, mostBytes }: { readonly bytes: number; readonly mostBytes: number }) =>
  `the message has ${bytes} bytes, more than the limit of ${mostBytes} bytes`;
