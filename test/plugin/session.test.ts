import { credentials, status } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { ConfigureRequest, InvokeRequest, ReadRequest, type ReadResponse } from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { expect, onTestFinished, test } from "vitest";
import { Engine } from "../../kit/plugin/engine";
import { unknownFunction, unknownResourceType } from "../../kit/plugin/messages";
import { service } from "../../kit/plugin/service";
import { listenForCalls } from "../../kit/plugin/transport/server";
import { UNRESTRICTED_TOKEN } from "../../provider/messages";
import { dbplatform } from "../../provider/provider";
import { type EngineFixture, engineFixture, environmentOf } from "../engine/engine-fixture";
import { logServer } from "./log-server";

async function session({ api }: EngineFixture, engine?: Engine, apiToken = api.apiToken) {
  const methods = service(dbplatform, { engine, environment: environmentOf(api, api.organization, apiToken) });
  const server = await listenForCalls(async () => methods);
  const client = new ResourceProviderClient(`127.0.0.1:${server.port}`, credentials.createInsecure());
  onTestFinished(async () => {
    client.close();
    await server.close();
  });
  const sent = <Answer>(send: (answer: (failure: unknown, answer: Answer) => void) => unknown) =>
    new Promise<Answer>((resolve, reject) => send((failure, answer) => (failure ? reject(failure) : resolve(answer))));
  return {
    configure: () => sent((answer) => client.configure(new ConfigureRequest().setArgs(new Struct()), answer)),
    cancel: () => sent((answer) => client.cancel(new Empty(), answer)),
    invoke: (tok: string) => sent((answer) => client.invoke(new InvokeRequest().setTok(tok), answer)),
    read: (id: string, type = "Database") => {
      const request = new ReadRequest()
        .setId(id)
        .setUrn(`urn:pulumi:dev::shop::dbplatform:index:${type}::orders`)
        .setProperties(new Struct())
        .setInputs(new Struct());
      return sent<ReadResponse>((answer) => client.read(request, answer));
    },
  };
}

test("a process that was started by hand serves the next engine after one has cancelled its calls", async () => {
  const here = await engineFixture();
  const dbId = await here.createDatabase("orders");
  const { configure, cancel, read } = await session(here);
  await configure();
  await cancel();
  await expect(read(dbId)).rejects.toMatchObject({ code: status.CANCELLED });
  await configure();
  expect((await read(dbId)).getId()).toBe(dbId);
});

test("a process that an engine started stays cancelled", async () => {
  const here = await engineFixture();
  const dbId = await here.createDatabase("orders");
  const { configure, cancel, read } = await session(here, new Engine((await logServer()).address));
  await configure();
  await cancel();
  await configure();
  await expect(read(dbId)).rejects.toMatchObject({ code: status.CANCELLED });
});

test("warns of a token for all organizations when it is configured, and of no other", async () => {
  const here = await engineFixture();
  const warned = async (apiToken: string) => {
    const { address, said } = await logServer();
    await (await session(here, new Engine(address), apiToken)).configure();
    return said;
  };
  expect(await warned(here.api.apiToken)).toEqual([]);
  expect(await warned(here.api.unrestrictedToken)).toEqual([UNRESTRICTED_TOKEN]);
});

test("refuses an unknown type or function, and names those that exist", async () => {
  const { configure, read, invoke } = await session(await engineFixture());
  await configure();
  const types = dbplatform.resources.map(({ type }) => `dbplatform:index:${type}`);
  const type = "dbplatform:index:Databse";
  await expect(read("any", "Databse")).rejects.toMatchObject({
    code: status.INVALID_ARGUMENT,
    details: unknownResourceType({ type, types }),
  });
  const tokens = (await dbplatform.functions?.())?.map(({ name }) => `dbplatform:index:${name}`) ?? [];
  const token = "dbplatform:index:getDatabse";
  await expect(invoke(token)).rejects.toMatchObject({ details: unknownFunction({ token, tokens }) });
});
