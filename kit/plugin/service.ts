import type { Difference } from "../lifecycle/comparison";
import { inputsOfObjectToTakeOver } from "../lifecycle/interrupted-replacement";
import { nameProposer } from "../lifecycle/naming";
import { isKnown, type State } from "../lifecycle/properties";
import type { Provider } from "../provider";
import { Refusal } from "../refusal";
import { changedSettings, settingProblems } from "../settings";
import { check } from "../steps/check";
import { create } from "../steps/create";
import { remove } from "../steps/delete";
import type { DiffAnswer } from "../steps/diff";
import { invoke } from "../steps/invoke";
import { list } from "../steps/list";
import { planCreate, planUpdate } from "../steps/plan";
import { read } from "../steps/read";
import { update } from "../steps/update";
import { EngineSession, type SessionOptions } from "./engine-session";
import { unsupportedSchemaVersion } from "./messages";
import * as message from "./protocol/message-types";
import { decodeStructValues, encodeStructValues } from "./protocol/values";
import { pluginNameRequest, type ResourceValues, sidesInRequest } from "./requests";
import type { Methods } from "./transport/server";
import { diffUnrequested, withReadRequest } from "./unrequested-read";

const ACCEPTED = {
  acceptSecrets: true,
  acceptResources: true,
  acceptOutputs: true,
  supportsAutonamingConfiguration: true,
};

async function schemaResponseText(provider: Provider): Promise<string> {
  if (provider.schema) return provider.schema();
  const [{ packageSchema }, functions] = await Promise.all([import("../schema.js"), provider.functions?.()]);
  return JSON.stringify(packageSchema(provider, functions));
}

/** Maps the calls of Pulumi's provider protocol to the functions in `steps/`, which make all decisions. */
export function service(provider: Provider, options: SessionOptions): Methods {
  const session = new EngineSession(provider, options);
  const { types } = session;
  const { version, settings } = provider;
  const methods: Methods = {
    Handshake: session.unaryMethod(
      message.ProviderHandshakeRequest,
      message.ProviderHandshakeResponse,
      ({ engineAddress }) => {
        session.attach(engineAddress);
        return ACCEPTED;
      },
    ),
    Attach: session.unaryMethod(message.PluginAttach, message.Empty, ({ address }) => {
      session.attach(address);
      return {};
    }),
    GetPluginInfo: session.unaryMethod(message.Empty, message.PluginInfo, () => ({ version })),
    GetSchema: session.unaryMethod(message.GetSchemaRequest, message.GetSchemaResponse, async (request) => {
      if (request.version !== 0)
        throw new Refusal("invalid", { answer: unsupportedSchemaVersion({ version: request.version }) });
      return { schema: await schemaResponseText(provider) };
    }),
    // The responses are empty, because the provider has no mappings to the resources of other providers.
    GetMapping: session.unaryMethod(message.Empty, message.Empty, () => ({})),
    GetMappings: session.unaryMethod(message.Empty, message.Empty, () => ({})),
    Cancel: session.unaryMethod(message.Empty, message.Empty, () => {
      session.cancel();
      return {};
    }),
    CheckConfig: session.unaryMethod(message.CheckRequest, message.CheckResponse, (request) => {
      const { properties, secrets } = decodeStructValues(request.news);
      const secret = [...secrets, ...(settings.secrets ?? []).filter((name) => name in properties)];
      return { inputs: encodeStructValues(properties, secret), failures: settingProblems(settings, properties) };
    }),
    // Changed settings never require a replacement of the provider, because Pulumi would then also replace all of the
    // provider's resources.
    DiffConfig: session.unaryMethod(message.DiffRequest, message.DiffResponse, (request) =>
      diffResponseOfChanges(
        changedSettings(decodeStructValues(request.oldInputs).properties, decodeStructValues(request.news).properties),
      ),
    ),
    Configure: session.unaryMethod(message.ConfigureRequest, message.ConfigureResponse, ({ args, urn, id }) => {
      session.configure({ args: decodeStructValues(args).properties, urn, id });
      return { ...ACCEPTED, supportsPreview: true };
    }),
    Check: session.unaryMethod(message.CheckRequest, message.CheckResponse, (request) => {
      const [news, olds] = [decodeStructValues(request.news), decodeStructValues(request.olds)];
      const { run, account } = session.configured;
      const resource = types.resourceOf(request);
      const isNew = Object.keys(olds.properties).length === 0;
      run.recognize(resource, request.urn, olds.properties);
      const { inputs, isNameOmitted, failures, secrets } = check(resource, {
        news: news.properties,
        olds: (isNew && inputsOfObjectToTakeOver(resource, request.urn, run)) || olds.properties,
        account,
        propose: nameProposer(pluginNameRequest(request)),
        claim: (property, what) => run.claim(request.urn, property, what),
      });
      const isNameProposed = request.autonaming !== undefined;
      run.note({ step: "check", urn: request.urn, inputs, isNameProposed, isNameOmitted });
      return { inputs: encodeStructValues(inputs, [...news.secrets, ...olds.secrets, ...secrets]), failures };
    }),
    Diff: session.resourceMethod(
      message.DiffRequest,
      message.DiffResponse,
      async (request, { resource, values, context, readsBeforeUpdate }) => {
        const sides = () => sidesInRequest(request, values, resource, context);
        const { unrequested } = values;
        return toDiffResponse(await diffUnrequested({ resource, sides, unrequested, readsBeforeUpdate }, context));
      },
    ),
    Create: session.resourceMethod(message.CreateRequest, message.CreateResponse, async (request, call) => {
      const { resource, values, context, readsBeforeUpdate } = call;
      const { properties: args } = values;
      if (request.preview) {
        const planned = await planCreate(resource, args, context);
        return { ...planned, properties: values.encode(planned.state) };
      }
      const { id, state } = await create(resource, args, context);
      return { id, ...recordedResponse(values, state, readsBeforeUpdate) };
    }),
    Read: session.resourceMethod(message.ReadRequest, message.ReadResponse, async (request, call) => {
      const { resource, values, context, readsBeforeUpdate } = call;
      const { id } = request;
      const state = request.properties && values.recorded(context);
      const found = await read(resource, { id, inputs: values.inputs, state }, context);
      // If the object does not exist, the response omits `properties`, because the engine would treat an empty value as
      // an imported object.
      if (!found) return {};
      return {
        id,
        ...recordedResponse(values, found.state, readsBeforeUpdate),
        inputs: values.encode(found.inputs),
      };
    }),
    Update: session.resourceMethod(message.UpdateRequest, message.UpdateResponse, async (request, call) => {
      const { resource, values, context, readsBeforeUpdate } = call;
      const sides = sidesInRequest(request, values, resource, context);
      const state = await (request.preview ? planUpdate : update)(resource, sides, context);
      return recordedResponse(values, state, readsBeforeUpdate);
    }),
    Delete: session.resourceMethod(
      message.DeleteRequest,
      message.Empty,
      async ({ id }, { resource, values, context }) => {
        await remove(resource, { id, state: values.recorded(context), inputs: values.oldInputs }, context);
        return {};
      },
    ),
    // Previews call functions too, because functions never change anything.
    Invoke: session.unaryMethod(message.InvokeRequest, message.InvokeResponse, async ({ tok, args }) => {
      const context = session.configured.context(session.callOf(""));
      const { result, failures } = await invoke(
        await types.functionOf(tok),
        decodeStructValues(args).properties,
        context,
      );
      return { failures, ...(result && { return: encodeStructValues(result) }) };
    }),
    List: session.streamingMethod(message.ListRequest, message.ListResponse, async function* (request, { signal }) {
      const resource = types.resourceOf({ type: request.token, urn: "" });
      const { properties: query } = decodeStructValues(request.query);
      if (!isKnown(query)) {
        yield { computed: {} };
        return;
      }
      const call = session.callOf("");
      const context = session.configured.context({ ...call, signal: AbortSignal.any([call.signal, signal]) });
      for await (const { id, name } of list(resource, { query, limit: request.limit }, context))
        yield { result: { id, name } };
    }),
  };
  return Object.fromEntries(
    Object.entries(methods).map(([name, method]) => [`/pulumirpc.ResourceProvider/${name}`, method]),
  );
}

const diffResponseOfChanges = (names: readonly string[]): message.DiffResponse => ({
  changes: names.length > 0 ? message.DiffChanges.SOME : message.DiffChanges.NONE,
  diffs: names,
});

const KIND: Record<Difference["kind"], readonly [plain: number, replacing: number]> = {
  add: [message.PropertyDiffKind.ADD, message.PropertyDiffKind.ADD_REPLACE],
  delete: [message.PropertyDiffKind.DELETE, message.PropertyDiffKind.DELETE_REPLACE],
  update: [message.PropertyDiffKind.UPDATE, message.PropertyDiffKind.UPDATE_REPLACE],
};

const recordedResponse = (values: ResourceValues, state: State, readsBeforeUpdate: boolean) => ({
  properties: values.encode(withReadRequest(state, readsBeforeUpdate)),
  refreshBeforeUpdate: readsBeforeUpdate,
});

function toDiffResponse({ differences, deleteBeforeReplace, isRecorded }: DiffAnswer): message.DiffResponse {
  const namesOf = (some: readonly Difference[]) => [...new Set(some.map(({ property }) => property.name))];
  return {
    ...diffResponseOfChanges(namesOf(differences)),
    ...(isRecorded ? { changes: message.DiffChanges.SOME } : {}),
    hasDetailedDiff: true,
    replaces: namesOf(differences.filter(({ replaces }) => replaces)),
    deleteBeforeReplace,
    detailedDiff: differences.map(({ path, kind, replaces }) => ({
      key: path,
      value: { kind: KIND[kind][replaces ? 1 : 0] },
    })),
  };
}
