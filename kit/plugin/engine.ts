import { LogRequest, LogSeverity } from "./protocol/message-types";
import { isFirstByRunFile, NotesOfPreview, NotesOfRun } from "./run-files";
import { GrpcConnection } from "./transport/client";

const SEVERITY = { status: LogSeverity.INFO, info: LogSeverity.INFO, warning: LogSeverity.WARNING };

/**
 * Sends log messages to the engine that this process serves. The engine's log is the only way to show messages to the
 * user.
 */
export class Engine {
  readonly #connection: GrpcConnection;
  readonly #address: string;
  /** The messages on their way. Each call waits until it is empty, so it has at most those of the calls in progress. */
  readonly #pending = new Set<Promise<unknown>>();
  #takeovers: NotesOfRun | undefined;

  constructor(address: string) {
    this.#connection = new GrpcConnection(address);
    this.#address = address;
  }

  /** Shows a message in the row of the resource, and unless it is a status among the diagnostics at the end of the run. */
  log(severity: keyof typeof SEVERITY, message: string, urn: string): void {
    const ephemeral = severity === "status";
    const request = LogRequest.encode({ severity: SEVERITY[severity], message, urn, ephemeral });
    // A failed request is ignored, because an engine that cannot be reached has already exited.
    const sent = this.#connection.unary("/pulumirpc.Engine/Log", request).catch(() => {});
    this.#pending.add(sent);
    sent.finally(() => this.#pending.delete(sent));
  }

  /** Sends a message that is the same for all processes of this provider, unless another of them has sent it. */
  logOnce(provider: string, ...message: Parameters<Engine["log"]>): void {
    if (isFirstByRunFile(provider, this.#address)) this.log(...message);
  }

  /** Returns the objects that resources take over in this run, in whichever process of this provider. */
  takeovers(provider: string): NotesOfRun {
    this.#takeovers ??= new NotesOfRun(provider, this.#address, "takeovers");
    return this.#takeovers;
  }

  /** Returns the objects whose restoration the preview of this command has announced. */
  announced(provider: string): NotesOfPreview {
    return new NotesOfPreview(provider);
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
