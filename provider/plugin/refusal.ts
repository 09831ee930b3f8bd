import { Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { ConfigureErrorMissingKeys, ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { messageOf, Refusal, type RefusalKind } from "../../platform/client/refusal";
import { MissingSettings, WrongSettings } from "../config";
import { REMEMBERED_SETTINGS } from "../lifecycle/context";
import type { InitFailedError } from "../lifecycle/init-failed";
import { encode } from "./values";

/** UNKNOWN, INTERNAL and DATA_LOSS would tell the engine that nobody knows what became of the resource. */
const STATUS: Record<RefusalKind, status> = {
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

/** What an incomplete resource is recorded with. */
interface Recording {
  readonly secrets: readonly string[];
  readonly readsBeforeUpdate: boolean;
}

/** A resource that is there and not as wanted, as the engine has to record it. */
export class InitFailedStatus extends Error {
  constructor(
    readonly incomplete: InitFailedError,
    readonly recording: Recording,
  ) {
    super(incomplete.message, { cause: incomplete });
  }
}

/** A failure as the engine reads it: a status, and for what it must act on a packed detail. */
export function toServiceError(thrown: unknown): Partial<ServiceError> {
  const details = messageOf(thrown);
  if (thrown instanceof Refusal) return { code: STATUS[thrown.kind], details };
  if (thrown instanceof WrongSettings) return { code: status.INVALID_ARGUMENT, details };
  if (thrown instanceof MissingSettings) {
    const keys = thrown.settings.map(({ name, description }) =>
      new ConfigureErrorMissingKeys.MissingKey()
        .setName(`dbplatform:${name}`)
        .setDescription(`${description} ${REMEMBERED_SETTINGS}`),
    );
    const missing = new ConfigureErrorMissingKeys().setMissingkeysList(keys);
    return withDetail(status.INVALID_ARGUMENT, details, "pulumirpc.ConfigureErrorMissingKeys", missing);
  }
  if (thrown instanceof InitFailedStatus) {
    const { incomplete, recording } = thrown;
    const failed = new ErrorResourceInitFailed()
      .setId(incomplete.id)
      .setProperties(encode(incomplete.state, recording.secrets))
      .setReasonsList([...incomplete.reasons])
      .setRefreshBeforeUpdate(recording.readsBeforeUpdate);
    if (incomplete.inputs) failed.setInputs(encode(incomplete.inputs, recording.secrets));
    // The engine takes the detail for what it is only with this status.
    return withDetail(status.UNKNOWN, details, "pulumirpc.ErrorResourceInitFailed", failed);
  }
  return { code: status.INTERNAL, details: `a defect of this provider: ${details}` };
}

function withDetail(
  code: status,
  details: string,
  type: string,
  message: { serializeBinary(): Uint8Array },
): Partial<ServiceError> {
  const any = new Any();
  any.pack(message.serializeBinary(), type);
  const packed = new Status().setCode(code).setMessage(details).setDetailsList([any]);
  const metadata = new Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(packed.serializeBinary()));
  return { code, details, metadata };
}
