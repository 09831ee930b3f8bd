import { LogRequest, LogSeverity } from "./protocol/messages";
import { Connection } from "./transport/client";

const SEVERITY = { info: LogSeverity.INFO, warning: LogSeverity.WARNING };

/**
 * Sends log messages to the engine that this process serves. The engine's log is the only way to show messages to the
 * user.
 */
export class Engine {
  readonly #connection: Connection;
  readonly #pending = new Set<Promise<unknown>>();

  constructor(address: string) {
    this.#connection = new Connection(address);
  }

  log(severity: keyof typeof SEVERITY, message: string, urn: string): void {
    const request = LogRequest.encode({ severity: SEVERITY[severity], message, urn });
    // A failed request is ignored, because an engine that cannot be reached has already exited.
    const sent = this.#connection.unary("/pulumirpc.Engine/Log", request).catch(() => {});
    this.#pending.add(sent);
    sent.finally(() => this.#pending.delete(sent));
  }

  /**
   * Resolves when the engine has received all pending log messages. Unary calls wait for this promise before they
   * respond, because a message that arrives after the response may be lost.
   */
  async logged(): Promise<void> {
    await Promise.all(this.#pending);
  }

  /** A promise that resolves when the connection to the engine ends, for any reason. */
  get ended(): Promise<unknown> {
    return this.#connection.ended;
  }
}
