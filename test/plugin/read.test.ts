import { credentials, status } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { ConfigureRequest, ReadRequest, type ReadResponse } from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { expect, onTestFinished, test } from "vitest";
import { IMPORTED } from "../../kit/lifecycle/properties";
import { CHECK_ID, deletedObject, doesNotExist } from "../../kit/lifecycle/restore/messages";
import { Engine } from "../../kit/plugin/engine";
import { service } from "../../kit/plugin/service";
import { listenForCalls } from "../../kit/plugin/transport/server";
import { dbplatform } from "../../provider/provider";
import { objectNotFound } from "../../provider/resources/messages";
import { type EngineFixture, engineFixture, environmentOf } from "../engine/engine-fixture";
import { logServer } from "./log-server";

const UNKNOWN = "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7";
const ABSENT = objectNotFound({ kind: "database", id: UNKNOWN, organization: "acme" });
const DELETED = { deletedAt: "2026-11-22T07:17:00Z", restorable: "" };

/** The name in the URN of the engine's call for `.get` in a program, and for `exists()` of Pulumi 3.273 or newer. */
const CALLERS = [
  ["`.get`", "orders"],
  ["`exists()`", "__exists__"],
] as const;

/** Returns a function that sends the engine's Read for an object that the stack does not manage. */
async function reader({ api }: EngineFixture, apiToken = api.apiToken, more: Record<string, string> = {}) {
  const { address, said } = await logServer();
  const environment = { ...environmentOf(api, api.organization, apiToken), ...more };
  const methods = service(dbplatform, { engine: new Engine(address), environment });
  const server = await listenForCalls(async () => methods);
  const client = new ResourceProviderClient(`127.0.0.1:${server.port}`, credentials.createInsecure());
  onTestFinished(async () => {
    client.close();
    await server.close();
  });
  const configuration = new ConfigureRequest().setArgs(new Struct());
  await new Promise((resolve, reject) =>
    client.configure(configuration, (failure, answer) => (failure ? reject(failure) : resolve(answer))),
  );
  const read = (id: string, name: string, type = "Database") => {
    const request = new ReadRequest()
      .setId(id)
      .setUrn(`urn:pulumi:dev::shop::dbplatform:index:${type}::${name}`)
      .setProperties(new Struct())
      .setInputs(new Struct());
    return new Promise<ReadResponse>((resolve, reject) =>
      client.read(request, (failure, answer) => (failure ? reject(failure) : resolve(answer))),
    );
  };
  return { read, said };
}

test.each(CALLERS)(
  "answers %s with a live database's properties, and with none if no database has the id",
  async (_, name) => {
    const here = await engineFixture();
    const dbId = await here.createDatabase("orders");
    const { read, said } = await reader(here);
    const found = await read(dbId, name);
    expect(found.getId()).toBe(dbId);
    for (const shown of [found.getProperties(), found.getInputs()])
      expect(shown?.toJavaScript()).toMatchObject({ name: "orders" });
    // Nothing that a later update would take for an import.
    expect(found.getProperties()?.toJavaScript()).not.toHaveProperty(IMPORTED);
    expect(said).toEqual([]);
    const absent = await read(UNKNOWN, name);
    expect([absent.hasProperties(), absent.getId()]).toEqual([false, ""]);
    expect(said).toEqual(
      name === "__exists__" ? [] : [doesNotExist({ kind: "database", reason: ABSENT, advice: CHECK_ID })],
    );
  },
);

test.each(CALLERS)("fails with the `import` line if %s asks for a deleted database", async (_, name) => {
  const here = await engineFixture();
  const dbId = await here.createDatabase("orders");
  await here.deleteDatabase(dbId);
  const { read } = await reader(here);
  const details = expect.stringContaining(deletedObject({ kind: "database", title: "", id: dbId, ...DELETED }).advice);
  await expect(read(dbId, name)).rejects.toMatchObject({ code: status.NOT_FOUND, details });
});

test.each(CALLERS)(
  "never answers %s that a database does not exist if the credential may not see it",
  async (_, name) => {
    const here = await engineFixture();
    const { api } = here;
    const orders = await here.createDatabase("orders", "other");
    const unauthenticated = await reader(here, "not-a-token");
    await expect(unauthenticated.read(orders, name)).rejects.toMatchObject({ code: status.UNAUTHENTICATED });

    const pinned = await reader(here, await api.token({ user: "ada", group: "default" }), {
      DBPLATFORM_ORGANIZATION_ID: api.organizationId,
    });
    for (const id of [orders, UNKNOWN])
      await expect(pinned.read(id, name)).rejects.toMatchObject({ code: status.NOT_FOUND });

    const { read } = await reader(here);
    api.fault({ operation: "listDeletedDatabases", status: 403 });
    await expect(read(UNKNOWN, name)).rejects.toMatchObject({ code: status.NOT_FOUND });
    for (const operation of ["listDeletedDatabases", "listDeletedGroups"] as const)
      api.fault({ operation, status: 403 });
    await expect(read(UNKNOWN, name, "SigningKeyRotation")).rejects.toMatchObject({ code: status.NOT_FOUND });
    api.fault({ operation: "retrieveDatabaseById", status: 403 });
    await expect(read(orders, name)).rejects.toMatchObject({ code: status.PERMISSION_DENIED });
  },
);

test.each(CALLERS)("answers %s that a database does not exist on a plan without recovery", async (_, name) => {
  const here = await engineFixture();
  await here.api.plan("starter");
  const { read } = await reader(here);
  expect((await read(UNKNOWN, name)).hasProperties()).toBe(false);
});
