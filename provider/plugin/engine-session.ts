import { Refusal } from "../../platform/client/refusal";
import { Instance } from "../instance";
import type { Call } from "../lifecycle/call";
import type { Context } from "../lifecycle/context";
import { InitFailedError } from "../lifecycle/init-failed";
import type { Properties } from "../lifecycle/properties";
import type { AnyResource } from "../resource/definition";
import { Engine } from "./engine";
import { UNCONFIGURED_PROVIDER } from "./messages";
import type { Message } from "./protocol/message";
import { InitFailedStatus, toCallFailure } from "./refusal";
import { type ResourceRequest, ResourceValues, resourceOf } from "./requests";
import { LONGEST_TIMER_MS } from "./transport/deadline";
import type { CallContext, StreamingMethod, UnaryMethod } from "./transport/server";

export interface SessionOptions {
  /** The engine that started this process; `undefined` when the process was started by hand. */
  readonly engine: Engine | undefined;
  readonly environment: NodeJS.ProcessEnv;
}

/** A call about one resource, with the services that it uses. */
interface ResourceCall {
  readonly resource: AnyResource;
  readonly values: ResourceValues;
  readonly context: Context;
  readonly readsBeforeUpdate: boolean;
}

/** The engine that this process serves, its configuration and its cancellation. */
export class EngineSession {
  readonly #starter: Engine | undefined;
  readonly #environment: NodeJS.ProcessEnv;
  #engine: Engine | undefined;
  #instance: Instance | undefined;
  #cancelled = new AbortController();

  constructor({ engine, environment }: SessionOptions) {
    this.#starter = engine;
    this.#engine = engine;
    this.#environment = environment;
  }

  /**
   * Connects to an engine. A process that was started by hand for debugging serves one engine after another and belongs
   * to none.
   *
   * @param address Empty if the caller is not an engine and receives no log messages.
   */
  attach(address: string): void {
    if (!this.#starter) this.#engine = address ? new Engine(address) : undefined;
  }

  configure(settings: Properties, urn: string): void {
    this.#instance = new Instance(settings, this.#environment);
    if (this.#instance.readsBeforeUpdate) this.#instance.session.noteReadsFirst();
    if (!this.#starter) this.#cancelled = new AbortController();
    if (this.#instance.warning) this.#engine?.log("warning", this.#instance.warning, urn);
  }

  cancel(): void {
    this.#cancelled.abort();
  }

  /** @throws Refusal before the engine has configured the provider. */
  get configured(): Instance {
    if (this.#instance) return this.#instance;
    throw new Refusal("conflict", { answer: UNCONFIGURED_PROVIDER });
  }

  /** @param timeout In seconds; 0 means no limit. */
  callOf(urn: string, timeout = 0): Call {
    return {
      urn,
      signal: this.#cancelled.signal,
      ...(timeout > 0 ? { deadline: AbortSignal.timeout(Math.min(timeout * 1000, LONGEST_TIMER_MS)) } : {}),
      log: (severity, message) => this.#engine?.log(severity, message, urn),
    };
  }

  /** Creates a method that answers one message with one message. */
  unaryMethod<Request, Response>(
    request: Message<Request>,
    response: Message<Response>,
    serve: (request: Request) => Promise<Partial<Response>> | Partial<Response>,
  ): UnaryMethod {
    return {
      unary: async (bytes) => {
        try {
          return response.encode(await serve(request.decode(bytes)));
        } catch (thrown) {
          throw toCallFailure(thrown);
        } finally {
          // After the last response the engine may exit, and pending log messages would be lost.
          await this.#engine?.logged();
        }
      },
    };
  }

  /** Creates a unary method about one resource. A failure of the method may leave the resource incomplete. */
  resourceMethod<Request extends ResourceRequest, Response>(
    request: Message<Request>,
    response: Message<Response>,
    serve: (request: Request, call: ResourceCall) => Promise<Partial<Response>>,
  ): UnaryMethod {
    return this.unaryMethod(request, response, async (content) => {
      const call = this.#resourceCall(content);
      try {
        return await serve(content, call);
      } catch (thrown) {
        if (!(thrown instanceof InitFailedError)) throw thrown;
        throw new InitFailedStatus(thrown, call.values.secrets, call.readsBeforeUpdate);
      }
    });
  }

  /** Creates a method that answers one message with several messages. */
  streamingMethod<Request, Response>(
    request: Message<Request>,
    response: Message<Response>,
    serve: (request: Request, call: CallContext) => AsyncIterable<Partial<Response>>,
  ): StreamingMethod {
    return {
      async *streaming(bytes, call) {
        try {
          for await (const content of serve(request.decode(bytes), call)) yield response.encode(content);
        } catch (thrown) {
          throw toCallFailure(thrown);
        }
      },
    };
  }

  /** Captures the instance for the whole call, because another instance may be configured in the meantime. */
  #resourceCall(request: ResourceRequest): ResourceCall {
    const resource = resourceOf(request);
    const serving = this.configured;
    return {
      resource,
      values: new ResourceValues(resource, request),
      context: serving.context(this.callOf(request.urn, request.timeout)),
      readsBeforeUpdate: serving.readsBeforeUpdate,
    };
  }
}
