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
  type DeleteRequest,
  DiffResponse,
  ProviderHandshakeResponse,
  type ReadRequest,
  ReadResponse,
  type UpdateRequest,
  UpdateResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct, Value } from "google-protobuf/google/protobuf/struct_pb";
import { version } from "../../package.json";
import { OUTPUTS } from "./outputs";
import { Requests } from "./requests";

const LARGEST_MESSAGE_BYTES = 400 * 1024 * 1024;

let readsBeforeUpdate = true;

const outputs: Record<string, Properties> = JSON.parse(process.env[OUTPUTS] ?? "{}");
type Properties = Parameters<typeof Struct.fromJavaScript>[0];

function objectOf(request: CreateRequest, id: string): Struct {
  const object = Struct.fromJavaScript(outputs[request.getType()] ?? {});
  const fields = object.getFieldsMap();
  if (fields.has("dbId")) fields.set("dbId", new Value().setStringValue(id));
  for (const [name, value] of request.getProperties()?.getFieldsMap().entries() ?? []) fields.set(name, value);
  return object;
}

const requests = new Requests(process.env);
const DATABASE = "dbplatform:index:Database";
const CONFIGURATION = "dbplatform:index:DatabaseConfiguration";

const textOf = (struct: Struct | undefined, field: string): string =>
  struct?.getFieldsMap().get(field)?.getStringValue() ?? "";

/** Sends the requests that create an object, and returns the id of the new object. */
async function created(request: CreateRequest): Promise<string> {
  if (request.getType() === DATABASE) return requests.createDatabase(textOf(request.getProperties(), "name"));
  const database = textOf(request.getProperties(), "database");
  if (request.getType() === CONFIGURATION) await requests.configure(database);
  return database || randomUUID();
}

const unary =
  <Request, Response>(answer: (request: Request) => Response | Promise<Response>): handleUnaryCall<Request, Response> =>
  async ({ request }, done) =>
    done(null, await answer(request));

/**
 * The baseline for our provider: a minimal grpc-js provider that sends only the requests that its resources need, and
 * returns outputs recorded from our provider.
 */
const service: UntypedServiceImplementation = {
  handshake: unary(() =>
    new ProviderHandshakeResponse()
      .setAcceptSecrets(true)
      .setAcceptResources(true)
      .setAcceptOutputs(true)
      .setSupportsAutonamingConfiguration(true),
  ),
  getPluginInfo: unary(() => new PluginInfo().setVersion(version)),
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
  create: unary(async (request: CreateRequest) => {
    const id = request.getPreview() ? "" : await created(request);
    return new CreateResponse()
      .setId(id)
      .setProperties(objectOf(request, id))
      .setRefreshBeforeUpdate(readsBeforeUpdate);
  }),
  read: unary(async (request: ReadRequest) => {
    if (request.getType() === CONFIGURATION)
      await requests.readConfiguration(textOf(request.getProperties(), "database"));
    return new ReadResponse()
      .setId(request.getId())
      .setProperties(request.getProperties())
      .setInputs(request.getInputs())
      .setRefreshBeforeUpdate(readsBeforeUpdate);
  }),
  update: unary((request: UpdateRequest) =>
    new UpdateResponse().setProperties(request.getNews()).setRefreshBeforeUpdate(readsBeforeUpdate),
  ),
  delete: unary(async (request: DeleteRequest) => {
    if (request.getType() === DATABASE) await requests.deleteDatabase(textOf(request.getProperties(), "name"));
    return new Empty();
  }),
};

const server = new Server({ "grpc.max_receive_message_length": LARGEST_MESSAGE_BYTES });
server.addService(ResourceProviderService, service);
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (failure, port) => {
  if (failure) throw failure;
  process.stdout.write(`${port}\n`);
});

// Exits when standard input closes, which means that the engine has exited.
process.stdin.resume().once("end", () => process.exit());
