import { type handleUnaryCall, type ServiceError, status } from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import type { IResourceProviderServer } from "@pulumi/pulumi/proto/provider_grpc_pb";
import {
  ConfigureResponse,
  CreateResponse,
  GetMappingResponse,
  GetMappingsResponse,
  GetSchemaResponse,
  type ListRequest,
  ListResponse,
  ProviderHandshakeResponse,
  ReadResponse,
  UpdateResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Refusal } from "../../platform/client/refusal";
import { Instance, secretSettings, settingProblems } from "../config";
import type { Call } from "../lifecycle/call";
import { check } from "../lifecycle/check";
import type { Context } from "../lifecycle/context";
import { create } from "../lifecycle/create";
import { remove } from "../lifecycle/delete";
import { diff } from "../lifecycle/diff";
import { Incomplete } from "../lifecycle/incomplete";
import { invoke } from "../lifecycle/invoke";
import { list } from "../lifecycle/list";
import { proposer } from "../lifecycle/naming";
import { planCreate, planUpdate } from "../lifecycle/plan";
import { isKnown } from "../lifecycle/properties";
import { readImported, readManaged } from "../lifecycle/read";
import { update } from "../lifecycle/update";
import type { AnyResource } from "../resources/resource";
import { packageSchema } from "../schema";
import { VERSION } from "../version";
import { answered, changesOf, checked, diffed } from "./answers";
import { Engine } from "./engine";
import { HalfDone, toServiceError } from "./refusal";
import {
  comparedOf,
  functionOf,
  nameRequestOf,
  type ResourceRequest,
  type ResourceValues,
  resourceOf,
  valuesOf,
} from "./requests";
import { stream } from "./stream";
import { decode, encode } from "./values";

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What Pulumi's protocol asks, converted into calls of the lifecycle. Nothing is decided here. */
export function service({ engine: starter, environment }: ServiceOptions): IResourceProviderServer {
  let cancelled = new AbortController();
  let instance: Instance | undefined;
  let engine = starter;

  /** Started by hand to be debugged, this process serves one engine after another and belongs to none. */
  function attach(address: string): void {
    if (!starter) engine = new Engine(address);
  }

  const configured = (): Instance => {
    if (instance) return instance;
    throw new Refusal("conflict", { answer: "the provider is not configured" });
  };

  const callOf = (urn: string, timeout = 0): Call => ({
    urn,
    signal: cancelled.signal,
    ...(timeout > 0 ? { deadline: AbortSignal.timeout(Math.min(timeout * 1000, LONGEST_TIMER_MS)) } : {}),
    log: (severity, message) => engine?.log(severity, message, urn),
  });

  /** What is asked about one resource, and what serves it to its end: another instance may be configured meanwhile. */
  function askedOf(request: ResourceRequest): Asked {
    const resource = resourceOf(request);
    const values = valuesOf(resource, request);
    const serving = configured();
    const context = serving.context(callOf(request.getUrn(), request.getTimeout?.()));
    return { resource, ...values, context, readsBeforeUpdate: serving.readsBeforeUpdate };
  }

  const unary =
    <Request, Response>(
      serve: (request: Request) => Promise<Response> | Response,
    ): handleUnaryCall<Request, Response> =>
    async ({ request }, done) => {
      let answer: Response | null = null;
      let failure: Partial<ServiceError> | null = null;
      try {
        answer = await serve(request);
      } catch (thrown) {
        failure = toServiceError(thrown);
      }
      // After the last answer the engine may be gone, and what was said with it.
      await engine?.logged();
      done(failure, answer);
    };

  /** The same about a resource, which may be left half done. */
  const about = <Request extends ResourceRequest, Response>(
    serve: (request: Request, asked: Asked) => Promise<Response>,
  ) =>
    unary(async (request: Request) => {
      const asked = askedOf(request);
      try {
        return await serve(request, asked);
      } catch (thrown) {
        throw thrown instanceof Incomplete ? new HalfDone(thrown, asked) : thrown;
      }
    });

  return {
    handshake: unary((request) => {
      attach(request.getEngineAddress());
      return new ProviderHandshakeResponse()
        .setAcceptSecrets(true)
        .setAcceptResources(true)
        .setAcceptOutputs(true)
        .setSupportsAutonamingConfiguration(true);
    }),
    attach: unary((request) => {
      attach(request.getAddress());
      return new Empty();
    }),
    getPluginInfo: unary(() => new PluginInfo().setVersion(VERSION)),
    getSchema: unary((request) => {
      if (request.getVersion() !== 0)
        throw new Refusal("invalid", { answer: `schema version ${request.getVersion()} is not known` });
      return new GetSchemaResponse().setSchema(JSON.stringify(packageSchema()));
    }),
    cancel: unary(() => {
      cancelled.abort();
      return new Empty();
    }),
    checkConfig: unary((request) => {
      const { properties, secrets } = decode(request.getNews());
      return checked(
        properties,
        [...secrets, ...secretSettings.filter((name) => name in properties)],
        settingProblems(properties),
      );
    }),
    // Another address or organization never replaces the provider: that would replace all it owns.
    diffConfig: unary((request) => {
      const { properties: olds } = decode(request.getOldInputs());
      const { properties: news } = decode(request.getNews());
      const names = [...new Set([...Object.keys(olds), ...Object.keys(news)])];
      const changed = names.filter((name) => JSON.stringify(olds[name]) !== JSON.stringify(news[name]));
      return changesOf(changed);
    }),
    configure: unary((request) => {
      instance = new Instance(decode(request.getArgs()).properties, environment);
      if (!starter) cancelled = new AbortController();
      if (instance.warning) engine?.log("warning", instance.warning, request.getUrn() ?? "");
      return new ConfigureResponse()
        .setAcceptsecrets(true)
        .setSupportspreview(true)
        .setAcceptresources(true)
        .setAcceptoutputs(true)
        .setSupportsAutonamingConfiguration(true);
    }),
    check: unary((request) => {
      const [news, olds] = [decode(request.getNews()), decode(request.getOlds())];
      configured().context(callOf(request.getUrn())).run.noteDeclared(request.getUrn());
      const { inputs, failures, secrets } = check(resourceOf(request), {
        news: news.properties,
        olds: olds.properties,
        organizationSlug: configured().organization.slug,
        propose: proposer(nameRequestOf(request)),
      });
      return checked(inputs, [...news.secrets, ...olds.secrets, ...secrets], failures);
    }),
    diff: about(async (request, asked) =>
      diffed(await diff(asked.resource, comparedOf(request, asked), asked.context)),
    ),
    create: about(async (request, { resource, properties: args, secrets, context, readsBeforeUpdate }) => {
      if (request.getPreview())
        return new CreateResponse().setProperties(encode(await planCreate(resource, args, context), secrets));
      const { id, state } = await create(resource, args, context);
      return new CreateResponse()
        .setId(id)
        .setProperties(encode(state, secrets))
        .setRefreshBeforeUpdate(readsBeforeUpdate);
    }),
    read: about(async (request, { resource, properties: state, inputs, secrets, context, readsBeforeUpdate }) => {
      const id = request.getId();
      // `import` sends neither inputs nor state; `.get` sends no state that we wrote, and is not managed by this stack.
      const managed = state.organizationId !== undefined;
      const read = managed
        ? await readManaged(resource, { id, inputs, state }, context)
        : await readImported(resource, id, context);
      // Properties that are present but empty would let an import of nothing succeed.
      if (!read) return new ReadResponse();
      if (!managed && !request.hasProperties()) context.run.noteKept(resource, id);
      return new ReadResponse()
        .setId(id)
        .setProperties(encode(read.state, secrets))
        .setInputs(encode(read.inputs, secrets))
        .setRefreshBeforeUpdate(readsBeforeUpdate);
    }),
    update: about(async (request, asked) => {
      const bring = request.getPreview() ? planUpdate : update;
      const state = await bring(asked.resource, comparedOf(request, asked), asked.context);
      return new UpdateResponse()
        .setProperties(encode(state, asked.secrets))
        .setRefreshBeforeUpdate(asked.readsBeforeUpdate);
    }),
    delete: about(async (request, { resource, properties: state, context }) => {
      await remove(resource, { id: request.getId(), state }, context);
      return new Empty();
    }),
    getMapping: unary(() => new GetMappingResponse()),
    getMappings: unary(() => new GetMappingsResponse()),
    // In a preview the same: a function never changes anything.
    invoke: unary(async (request) => {
      const context = configured().context(callOf(""));
      const { result, failures } = await invoke(functionOf(request), decode(request.getArgs()).properties, context);
      return answered(result, failures);
    }),
    call: notOffered("methods"),
    construct: notOffered("components"),
    parameterize: notOffered("parameters"),
    list: stream(async function* (request: ListRequest, gone) {
      const resource = resourceOf({ getType: () => request.getToken(), getUrn: () => "" });
      const { properties: query } = decode(request.getQuery());
      if (!isKnown(query)) {
        yield new ListResponse().setComputed(new ListResponse.Computed());
        return;
      }
      const call = callOf("");
      const context = configured().context({ ...call, signal: AbortSignal.any([call.signal, gone]) });
      for await (const { id, name } of list(resource, { query, limit: request.getLimit() }, context))
        yield new ListResponse().setResult(new ListResponse.Result().setId(id).setName(name));
    }),
  };
}

export interface ServiceOptions {
  /** The engine that started this process; `undefined` when somebody else started it. */
  readonly engine: Engine | undefined;
  readonly environment: NodeJS.ProcessEnv;
}

/** What is asked about one resource, with what serves it. */
interface Asked extends ResourceValues {
  readonly resource: AnyResource;
  readonly context: Context;
  readonly readsBeforeUpdate: boolean;
}

const notOffered =
  (what: string): handleUnaryCall<unknown, never> =>
  (_, done) =>
    done({ code: status.UNIMPLEMENTED, details: `this provider offers no ${what}` });
