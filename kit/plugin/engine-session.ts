import type { AnyResource } from "../definition";
import { Instance } from "../instance";
import type { Call } from "../lifecycle/call";
import type { Context } from "../lifecycle/context";
import { InitFailedError } from "../lifecycle/init-failed";
import { logicalNameInUrn, typeTokenInUrn } from "../lifecycle/naming";
import type { Provider } from "../provider";
import { isRefusal, Refusal } from "../refusal";
import { InitFailedStatus, toCallFailure } from "./call-failure";
import { type Configured, currentPluginConfiguration } from "./configuration";
import { Engine } from "./engine";
import { sameCause, UNCONFIGURED_PROVIDER } from "./messages";
import type { Message } from "./protocol/message-fields";
import { type ResourceRequest, ResourceValues, Types } from "./requests";
import { type CallContext, LONGEST_TIMER_MS, type StreamingMethod, type UnaryMethod } from "./transport/server";

export interface SessionOptions {
  readonly engine: Engine | undefined;
  readonly environment: NodeJS.ProcessEnv;
}

interface ResourceCall {
  readonly resource: AnyResource;
  readonly values: ResourceValues;
  readonly context: Context;
  readonly readsBeforeUpdate: boolean;
}

/**
 * State of the plugin process: the engine that it serves, the provider's configuration, and whether the engine has
 * requested cancellation.
 */
export class EngineSession {
  readonly types: Types;
  readonly #provider: Provider;
  readonly #starter: Engine | undefined;
  readonly #environment: NodeJS.ProcessEnv;
  #engine: Engine | undefined;
  #instance: Instance | undefined;
  #cancelled = new AbortController();
  /** URNs by the messages of their errors: at most one entry for each resource that fails. */
  readonly #explained = new Map<string, string>();

  constructor(provider: Provider, { engine, environment }: SessionOptions) {
    this.types = new Types(provider);
    this.#provider = provider;
    this.#starter = engine;
    this.#engine = engine;
    this.#environment = environment;
  }

  /**
   * Connects to an engine. Does nothing if an engine started this process, because the process is already connected to
   * that engine. A process that was started by hand for debugging can serve several engines, one after another.
   *
   * @param address Address of the engine's log service. Empty if the caller is not an engine and receives no log
   *   messages.
   */
  attach(address: string): void {
    if (!this.#starter) this.#engine = address ? new Engine(address) : undefined;
  }

  configure(configured: Configured): void {
    this.#explained.clear();
    const { settings, ...origin } = currentPluginConfiguration(this.#provider.settings, configured, this.#environment);
    this.#instance = new Instance(this.#provider, settings, this.#environment, {
      ...origin,
      takeovers: this.#engine?.takeovers(this.#provider.name),
      announced: this.#starter?.announced(this.#provider.name),
    });
    if (this.#instance.readsBeforeUpdate) this.#instance.run.readsFirst = true;
    if (!this.#starter) this.#cancelled = new AbortController();
    if (this.#instance.warning)
      this.#engine?.logOnce(this.#provider.name, "warning", this.#instance.warning, configured.urn);
  }

  cancel(): void {
    this.#cancelled.abort();
  }

  /** Returns the configured provider. @throws Refusal if the engine has not configured the provider yet. */
  get configured(): Instance {
    if (this.#instance) return this.#instance;
    throw new Refusal("conflict", { answer: UNCONFIGURED_PROVIDER });
  }

  /**
   * Creates a `Call` for a request from the engine, and starts the timer for its deadline.
   *
   * @param timeout Time limit in seconds; 0 means no limit.
   */
  callOf(urn: string, timeout = 0): Call {
    return {
      urn,
      signal: this.#cancelled.signal,
      ...(timeout > 0 ? { deadline: AbortSignal.timeout(Math.min(timeout * 1000, LONGEST_TIMER_MS)) } : {}),
      log: (severity, message) => this.#engine?.log(severity, message, urn),
    };
  }

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
          throw toCallFailure(thrown, this.#provider.name);
        } finally {
          // Waits until the engine has received all log messages before the response is sent. The engine may exit after
          // the response.
          await this.#engine?.logged();
        }
      },
    };
  }

  /**
   * Creates a unary gRPC method whose requests are about one resource. If the resource exists but is incomplete, the
   * method fails with Pulumi's `ErrorResourceInitFailed`.
   */
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
        if (!(thrown instanceof InitFailedError)) throw this.#explainOnce(thrown, content);
        throw new InitFailedStatus(thrown, call.values, call.readsBeforeUpdate);
      }
    });
  }

  /**
   * Returns the error itself, or, if another resource has failed with the same message, an error that refers to that
   * resource: a wrong setting makes every resource fail.
   */
  #explainOnce(failure: unknown, { urn }: ResourceRequest): unknown {
    if (!isRefusal(failure)) return failure;
    const first = this.#explained.get(failure.message);
    if (first === undefined) this.#explained.set(failure.message, urn);
    if (first === undefined || first === urn) return failure;
    const cause = { type: typeTokenInUrn(first), name: logicalNameInUrn(first) };
    return new Refusal(failure.kind, { answer: sameCause(cause) });
  }

  streamingMethod<Request, Response>(
    request: Message<Request>,
    response: Message<Response>,
    serve: (request: Request, call: CallContext) => AsyncIterable<Partial<Response>>,
  ): StreamingMethod {
    const { name } = this.#provider;
    return {
      async *streaming(bytes, call) {
        try {
          for await (const content of serve(request.decode(bytes), call)) yield response.encode(content);
        } catch (thrown) {
          throw toCallFailure(thrown, name);
        }
      },
    };
  }

  /**
   * Keeps the same provider instance for the whole call, because the engine may configure another instance before the
   * call ends.
   */
  #resourceCall(request: ResourceRequest): ResourceCall {
    const resource = this.types.resourceOf(request);
    const serving = this.configured;
    return {
      resource,
      values: new ResourceValues(resource, request),
      context: serving.context(this.callOf(request.urn, request.timeout)),
      readsBeforeUpdate: serving.readsBeforeUpdate,
    };
  }
}
