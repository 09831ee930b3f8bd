import { type handleUnaryCall, status } from "@grpc/grpc-js";
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
import { changedSettings, secretSettings, settingProblems } from "../config";
import { check } from "../lifecycle/check";
import { create } from "../lifecycle/create";
import { remove } from "../lifecycle/delete";
import { diff } from "../lifecycle/diff";
import { invoke } from "../lifecycle/invoke";
import { list } from "../lifecycle/list";
import { proposer } from "../lifecycle/naming";
import { planCreate, planUpdate } from "../lifecycle/plan";
import { isKnown } from "../lifecycle/properties";
import { read } from "../lifecycle/read";
import { update } from "../lifecycle/update";
import { packageSchema } from "../schema";
import { VERSION } from "../version";
import { answered, changesOf, checked, diffed } from "./answers";
import { EngineSession, type SessionOptions } from "./engine-session";
import { comparedOf, functionOf, nameRequestOf, resourceOf } from "./requests";
import { stream } from "./stream";
import { decode, encode } from "./values";

/** What Pulumi's protocol asks, converted into calls of the lifecycle. Nothing is decided here. */
export function service(options: SessionOptions): IResourceProviderServer {
  const engineSession = new EngineSession(options);
  return {
    handshake: engineSession.unary((request) => {
      engineSession.attach(request.getEngineAddress());
      return new ProviderHandshakeResponse()
        .setAcceptSecrets(true)
        .setAcceptResources(true)
        .setAcceptOutputs(true)
        .setSupportsAutonamingConfiguration(true);
    }),
    attach: engineSession.unary((request) => {
      engineSession.attach(request.getAddress());
      return new Empty();
    }),
    getPluginInfo: engineSession.unary(() => new PluginInfo().setVersion(VERSION)),
    getSchema: engineSession.unary((request) => {
      if (request.getVersion() !== 0)
        throw new Refusal("invalid", { answer: `schema version ${request.getVersion()} is not known` });
      return new GetSchemaResponse().setSchema(JSON.stringify(packageSchema()));
    }),
    cancel: engineSession.unary(() => {
      engineSession.cancel();
      return new Empty();
    }),
    checkConfig: engineSession.unary((request) => {
      const { properties, secrets } = decode(request.getNews());
      return checked(
        properties,
        [...secrets, ...secretSettings.filter((name) => name in properties)],
        settingProblems(properties),
      );
    }),
    // Another address or organization never replaces the provider: that would replace all it owns.
    diffConfig: engineSession.unary((request) => {
      const { properties: olds } = decode(request.getOldInputs());
      const { properties: news } = decode(request.getNews());
      return changesOf(changedSettings(olds, news));
    }),
    configure: engineSession.unary((request) => {
      engineSession.configure(decode(request.getArgs()).properties, request.getUrn() ?? "");
      return new ConfigureResponse()
        .setAcceptsecrets(true)
        .setSupportspreview(true)
        .setAcceptresources(true)
        .setAcceptoutputs(true)
        .setSupportsAutonamingConfiguration(true);
    }),
    check: engineSession.unary((request) => {
      const [news, olds] = [decode(request.getNews()), decode(request.getOlds())];
      const { session, organization } = engineSession.configured;
      const { inputs, failures, secrets } = check(resourceOf(request), {
        news: news.properties,
        olds: olds.properties,
        organizationSlug: organization.slug,
        propose: proposer(nameRequestOf(request)),
        claim: (property, what) => session.claim(request.getUrn(), property, what),
      });
      session.noteDeclared(request.getUrn(), inputs);
      return checked(inputs, [...news.secrets, ...olds.secrets, ...secrets], failures);
    }),
    diff: engineSession.about(async (request, asked) =>
      diffed(await diff(asked.resource, comparedOf(request, asked), asked.context)),
    ),
    create: engineSession.about(
      async (request, { resource, properties: args, secrets, context, readsBeforeUpdate }) => {
        if (request.getPreview())
          return new CreateResponse().setProperties(encode(await planCreate(resource, args, context), secrets));
        const { id, state } = await create(resource, args, context);
        return new CreateResponse()
          .setId(id)
          .setProperties(encode(state, secrets))
          .setRefreshBeforeUpdate(readsBeforeUpdate);
      },
    ),
    read: engineSession.about(
      async (request, { resource, state: given, inputs, secrets, context, readsBeforeUpdate }) => {
        const id = request.getId();
        const state = request.hasProperties() ? given : undefined;
        const found = await read(resource, { id, inputs, state }, context);
        // Properties that are present but empty would let an import of nothing succeed.
        if (!found) return new ReadResponse();
        return new ReadResponse()
          .setId(id)
          .setProperties(encode(found.state, secrets))
          .setInputs(encode(found.inputs, secrets))
          .setRefreshBeforeUpdate(readsBeforeUpdate);
      },
    ),
    update: engineSession.about(async (request, asked) => {
      const bring = request.getPreview() ? planUpdate : update;
      const state = await bring(asked.resource, comparedOf(request, asked), asked.context);
      return new UpdateResponse()
        .setProperties(encode(state, asked.secrets))
        .setRefreshBeforeUpdate(asked.readsBeforeUpdate);
    }),
    delete: engineSession.about(async (request, { resource, state, context }) => {
      await remove(resource, { id: request.getId(), state }, context);
      return new Empty();
    }),
    getMapping: engineSession.unary(() => new GetMappingResponse()),
    getMappings: engineSession.unary(() => new GetMappingsResponse()),
    // In a preview the same: a function never changes anything.
    invoke: engineSession.unary(async (request) => {
      const context = engineSession.configured.context(engineSession.callOf(""));
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
      const call = engineSession.callOf("");
      const context = engineSession.configured.context({ ...call, signal: AbortSignal.any([call.signal, gone]) });
      for await (const { id, name } of list(resource, { query, limit: request.getLimit() }, context))
        yield new ListResponse().setResult(new ListResponse.Result().setId(id).setName(name));
    }),
  };
}

const notOffered =
  (what: string): handleUnaryCall<unknown, never> =>
  (_, done) =>
    done({ code: status.UNIMPLEMENTED, details: `this provider offers no ${what}` });
