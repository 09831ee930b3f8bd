import type { InitFailedError } from "../lifecycle/init-failed";
import { messageOf, Refusal, type RefusalKind } from "../refusal";
import { MissingSettings, WrongSettings } from "../settings";
import { internalError } from "./messages";
import { ErrorResourceInitFailed, Status } from "./protocol/message-types";
import type { ResourceValues } from "./requests";
import { CallFailure, type StatusCode, status } from "./transport/status";
import { withReadRequest } from "./unrequested-read";

/**
 * The gRPC status for each kind of error. UNKNOWN, INTERNAL and DATA_LOSS are not used, because the engine would
 * conclude that the state of the resource is unknown.
 */
const STATUS: Record<RefusalKind, StatusCode> = {
  invalid: status.INVALID_ARGUMENT,
  unauthenticated: status.UNAUTHENTICATED,
  forbidden: status.PERMISSION_DENIED,
  absent: status.NOT_FOUND,
  unseen: status.NOT_FOUND,
  taken: status.ALREADY_EXISTS,
  conflict: status.FAILED_PRECONDITION,
  throttled: status.UNAVAILABLE,
  unavailable: status.UNAVAILABLE,
  unreadable: status.UNAVAILABLE,
  cancelled: status.CANCELLED,
};

/**
 * Reports that a resource exists but does not yet match the program. The engine then records the resource in the state.
 */
export class InitFailedStatus extends Error {
  constructor(
    readonly incomplete: InitFailedError,
    /** Encodes values of the resource. */
    readonly values: Pick<ResourceValues, "encode">,
    readonly readsBeforeUpdate: boolean,
  ) {
    super(incomplete.message, { cause: incomplete });
  }
}

/**
 * Converts an error to a gRPC status, with details if the engine has to act on the error.
 *
 * @param provider Name of the provider.
 */
export function toCallFailure(thrown: unknown, provider: string): CallFailure {
  const message = messageOf(thrown);
  if (thrown instanceof Refusal) return new CallFailure(STATUS[thrown.kind], message);
  // Not Pulumi's ConfigureErrorMissingKeys, for which the engine prints a command that stores the token in plain text.
  if (thrown instanceof MissingSettings || thrown instanceof WrongSettings)
    return new CallFailure(status.INVALID_ARGUMENT, message);
  if (thrown instanceof InitFailedStatus) {
    const { incomplete, values, readsBeforeUpdate } = thrown;
    const failed = ErrorResourceInitFailed.encode({
      id: incomplete.id,
      properties: values.encode(withReadRequest(incomplete.state, readsBeforeUpdate)),
      ...(incomplete.inputs && { inputs: values.encode(incomplete.inputs) }),
      reasons: incomplete.reasons,
      refreshBeforeUpdate: readsBeforeUpdate,
    });
    // The status must be UNKNOWN, because the engine reads error details only with this status.
    return callFailureWithDetail(status.UNKNOWN, message, "pulumirpc.ErrorResourceInitFailed", failed);
  }
  return new CallFailure(status.INTERNAL, internalError({ provider, reason: message }));
}

function callFailureWithDetail(code: StatusCode, message: string, type: string, value: Buffer): CallFailure {
  const typeUrl = `type.googleapis.com/${type}`;
  return new CallFailure(code, message, Status.encode({ code, message, details: [{ typeUrl, value }] }));
}
