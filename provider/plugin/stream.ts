import { once } from "node:events";
import type { handleServerStreamingCall } from "@grpc/grpc-js";
import { toServiceError } from "./refusal";

/** Answers bit by bit: makes no more than the caller takes, and stops when the caller goes. */
export function stream<Request, Response>(
  serve: (request: Request, gone: AbortSignal) => AsyncIterable<Response>,
): handleServerStreamingCall<Request, Response> {
  return async (call) => {
    const gone = new AbortController();
    call.once("cancelled", () => gone.abort());
    try {
      for await (const response of serve(call.request, gone.signal))
        if (!call.write(response)) await once(call, "drain", { signal: gone.signal });
      call.end();
    } catch (thrown) {
      if (!gone.signal.aborted) call.emit("error", toServiceError(thrown));
    }
  };
}
