import type { OutgoingHttpHeaders } from "node:http2";

/** The gRPC status codes. https://grpc.io/docs/guides/status-codes/ */
export const status = {
  OK: 0,
  CANCELLED: 1,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
} as const;

export type StatusCode = (typeof status)[keyof typeof status];

export class CallFailure extends Error {
  /** @param details A serialized `google.rpc.Status`, which must repeat the code and the message. */
  constructor(
    readonly code: StatusCode,
    message: string,
    readonly details?: Uint8Array,
  ) {
    super(message);
  }
}

export const OK: OutgoingHttpHeaders = { "grpc-status": status.OK };

/** Returns the trailers of a failed call. Any error other than `CallFailure` is a bug and becomes INTERNAL. */
export function trailersOf(thrown: unknown): OutgoingHttpHeaders {
  const failure = thrown instanceof CallFailure ? thrown : new CallFailure(status.INTERNAL, String(thrown));
  return {
    "grpc-status": failure.code,
    "grpc-message": encodeStatusMessage(failure.message),
    ...(failure.details && { "grpc-status-details-bin": Buffer.from(failure.details).toString("base64") }),
  };
}

/**
 * Encodes a message for use in a header. Writes `%`, leading and trailing spaces, and all bytes outside printable ASCII
 * as `%XX`.
 */
function encodeStatusMessage(message: string): string {
  const encoded = (character: string) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
  return message.replace(/^ +| +$|[^\x20-\x24\x26-\x7e]+/g, encoded);
}

/** Decodes `%XX` in a message. A malformed message is returned unchanged. */
export function decodeStatusMessage(message: string): string {
  try {
    return decodeURIComponent(message);
  } catch {
    return message;
  }
}
