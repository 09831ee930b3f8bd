import type { OutgoingHttpHeaders } from "node:http2";

/** Status codes of gRPC. https://grpc.io/docs/guides/status-codes/ */
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

/** Ends a call with a status other than OK. */
export class CallFailure extends Error {
  /** @param details A serialized `google.rpc.Status`, which repeats the code and the message. */
  constructor(
    readonly code: StatusCode,
    message: string,
    readonly details?: Uint8Array,
  ) {
    super(message);
  }
}

/** Trailers of a call that was answered. */
export const OK: OutgoingHttpHeaders = { "grpc-status": status.OK };

/** Trailers of a call that failed. What is thrown otherwise is a defect. */
export function trailersOf(thrown: unknown): OutgoingHttpHeaders {
  const failure = thrown instanceof CallFailure ? thrown : new CallFailure(status.INTERNAL, String(thrown));
  return {
    "grpc-status": failure.code,
    "grpc-message": percentEncoded(failure.message),
    ...(failure.details && { "grpc-status-details-bin": Buffer.from(failure.details).toString("base64") }),
  };
}

/** A header holds printable ASCII and no space at its ends; every other byte is written as `%XX`. */
function percentEncoded(message: string): string {
  const encoded = (character: string) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
  return message.replace(/^ +| +$|[^\x20-\x24\x26-\x7e]+/g, encoded);
}

/** Decodes `%XX`. A message that is not well-formed is returned as it stands. */
export function percentDecoded(message: string): string {
  try {
    return decodeURIComponent(message);
  } catch {
    return message;
  }
}
