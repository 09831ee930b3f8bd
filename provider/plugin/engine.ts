import { type ChannelInterface, connectivityState, credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";

const SEVERITY = { info: LogSeverity.INFO, warning: LogSeverity.WARNING };
const NEVER_IDLE_MS = 2 ** 31 - 1;
const GRACE_MS = 2_000;

/** The engine that started this process: the only way to tell the user something. */
export class Engine {
  readonly #client: EngineClient;
  readonly #pending = new Set<Promise<void>>();

  constructor(address: string) {
    this.#client = new EngineClient(address, credentials.createInsecure(), {
      // An idle channel is closed by our own side, which would look like the end of the engine.
      "grpc.client_idle_timeout_ms": NEVER_IDLE_MS,
      // A proxy from the environment cannot reach this machine.
      "grpc.enable_http_proxy": 0,
    });
  }

  log(severity: keyof typeof SEVERITY, message: string, urn: string): void {
    const request = new LogRequest().setSeverity(SEVERITY[severity]).setMessage(message).setUrn(urn);
    const sent = new Promise<void>((resolve) => this.#client.log(request, () => resolve()));
    this.#pending.add(sent);
    sent.finally(() => this.#pending.delete(sent));
  }

  /** Resolves when every message so far has reached the engine: what comes after the answer may be lost. */
  async logged(): Promise<void> {
    await Promise.all(this.#pending);
  }

  /** Calls back once when the engine is gone, however it ended. */
  whenGone(gone: () => void): void {
    const channel: ChannelInterface = this.#client.getChannel();
    watch(channel.getConnectivityState(true));

    function watch(seen: connectivityState): void {
      if (seen === connectivityState.SHUTDOWN) return;
      channel.watchConnectivityState(seen, Number.POSITIVE_INFINITY, () => {
        const state = channel.getConnectivityState(true);
        if (seen === connectivityState.READY || state === connectivityState.TRANSIENT_FAILURE) confirm();
        else watch(state);
      });
    }

    function confirm(): void {
      channel.watchConnectivityState(channel.getConnectivityState(true), Date.now() + GRACE_MS, () => {
        const state = channel.getConnectivityState(true);
        if (state === connectivityState.READY) watch(state);
        else gone();
      });
    }
  }
}
