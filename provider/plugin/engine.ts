import { LogRequest, LogSeverity } from "./protocol/messages";
import { Connection } from "./transport/client";

const SEVERITY = { info: LogSeverity.INFO, warning: LogSeverity.WARNING };

/** The engine that started this process. The engine's log is the only way to show messages to the user. */
export class Engine {
  readonly #connection: Connection;
  readonly #pending = new Set<Promise<unknown>>();

  constructor(address: string) {
    this.#connection = new Connection(address);
  }

  log(severity: keyof typeof SEVERITY, message: string, urn: string): void {
    const request = LogRequest.encode({ severity: SEVERITY[severity], message, urn });
    // An engine that cannot be reached has exited.
    const sent = this.#connection.unary("/pulumirpc.Engine/Log", request).catch(() => {});
    this.#pending.add(sent);
    sent.finally(() => this.#pending.delete(sent));
  }

  /**
   * Resolves when every message so far has reached the engine, because messages sent after the response may be lost.
   */
  async logged(): Promise<void> {
    await Promise.all(this.#pending);
  }

  /** Resolves when the engine has exited, for whatever reason. */
  get ended(): Promise<unknown> {
    return this.#connection.ended;
  }
}
