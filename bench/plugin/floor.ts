import { randomUUID } from "node:crypto";
import { type handleUnaryCall, Server, ServerCredentials, type UntypedServiceImplementation } from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import {
  type CheckRequest,
  CheckResponse,
  type ConfigureRequest,
  ConfigureResponse,
  type CreateRequest,
  CreateResponse,
  DiffResponse,
  ProviderHandshakeResponse,
  type ReadRequest,
  ReadResponse,
  type UpdateRequest,
  UpdateResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct, Value } from "google-protobuf/google/protobuf/struct_pb";
import { VERSION } from "../../provider/version";
import { OUTPUTS } from "./outputs";

/**
 * The floor for a provider over grpc-js: a provider that sends no requests, and returns the outputs of a real object.
 */
const LARGEST_MESSAGE_BYTES = 400 * 1024 * 1024;

let readsBeforeUpdate = true;

/** Outputs by type, taken from a run of our plugin. */
const outputs: Record<string, Properties> = JSON.parse(process.env[OUTPUTS] ?? "{}");
type Properties = Parameters<typeof Struct.fromJavaScript>[0];

function objectOf(request: CreateRequest, id: string): Struct {
  const object = Struct.fromJavaScript(outputs[request.getType()] ?? {});
  const fields = object.getFieldsMap();
  if (fields.has("dbId")) fields.set("dbId", new Value().setStringValue(id));
  for (const [name, value] of request.getProperties()?.getFieldsMap().entries() ?? []) fields.set(name, value);
  return object;
}

const unary =
  <Request, Response>(answer: (request: Request) => Response): handleUnaryCall<Request, Response> =>
  ({ request }, done) =>
    done(null, answer(request));

const service: UntypedServiceImplementation = {
  handshake: unary(() =>
    new ProviderHandshakeResponse()
      .setAcceptSecrets(true)
      .setAcceptResources(true)
      .setAcceptOutputs(true)
      .setSupportsAutonamingConfiguration(true),
  ),
  getPluginInfo: unary(() => new PluginInfo().setVersion(VERSION)),
  cancel: unary(() => new Empty()),
  checkConfig: unary((request: CheckRequest) => new CheckResponse().setInputs(request.getNews())),
  diffConfig: unary(() => new DiffResponse().setChanges(DiffResponse.DiffChanges.DIFF_NONE)),
  configure: unary((request: ConfigureRequest) => {
    readsBeforeUpdate = request.getArgs()?.getFieldsMap().get("driftDetection")?.getStringValue() !== "on-refresh";
    return new ConfigureResponse()
      .setAcceptsecrets(true)
      .setSupportspreview(true)
      .setAcceptresources(true)
      .setAcceptoutputs(true)
      .setSupportsAutonamingConfiguration(true);
  }),
  check: unary((request: CheckRequest) => new CheckResponse().setInputs(request.getNews())),
  diff: unary(() => new DiffResponse().setChanges(DiffResponse.DiffChanges.DIFF_NONE)),
  create: unary((request: CreateRequest) => {
    const id = request.getPreview() ? "" : randomUUID();
    return new CreateResponse()
      .setId(id)
      .setProperties(objectOf(request, id))
      .setRefreshBeforeUpdate(readsBeforeUpdate);
  }),
  read: unary((request: ReadRequest) =>
    new ReadResponse()
      .setId(request.getId())
      .setProperties(request.getProperties())
      .setInputs(request.getInputs())
      .setRefreshBeforeUpdate(readsBeforeUpdate),
  ),
  update: unary((request: UpdateRequest) =>
    new UpdateResponse().setProperties(request.getNews()).setRefreshBeforeUpdate(readsBeforeUpdate),
  ),
  delete: unary(() => new Empty()),
};

const server = new Server({ "grpc.max_receive_message_length": LARGEST_MESSAGE_BYTES });
server.addService(ResourceProviderService, service);
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (failure, port) => {
  if (failure) throw failure;
  process.stdout.write(`${port}\n`);
});

// The engine closes standard input when it ends.
process.stdin.resume().once("end", () => process.exit());
