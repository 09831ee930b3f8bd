// @module-tag failures-and-interruptions

import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { ConfigureRequest, CreateRequest, type CreateResponse } from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { expect, onTestFinished, test } from "vitest";
import type { Properties } from "../../kit/lifecycle/properties";
import { service } from "../../kit/plugin/service";
import { listenForCalls } from "../../kit/plugin/transport/server";
import { messageOf } from "../../kit/refusal";
import { startReferenceApi } from "../../platform/reference/server";
import { functions, providers } from "../../provider/dynamic-host";
import { dbplatform } from "../../provider/provider";
import { SEED } from "../engine/seed";
import { type FaultyWire, faultyWire } from "../faulty-wire";

const AT_ONCE = 8;
const names = Array.from({ length: AT_ONCE }, (_, index) => `db-${index}`);

interface Customer {
  readonly settings: { readonly baseUrl: string; readonly organization: string; readonly apiToken: string };
  readonly organizationId: string;
  readonly wire: FaultyWire;
}

/**
 * Starts two platforms with two organizations each. Both platforms use the same names, but each organization has its
 * own credential.
 */
async function customers(): Promise<Customer[]> {
  const all: Customer[] = [];
  for (const _ of ["one platform", "another"]) {
    const api = await startReferenceApi({ seed: SEED });
    onTestFinished(() => api.close());
    const wire = await faultyWire(api.url);
    for (const organization of ["acme", "globex"]) {
      const apiToken = await api.token({ organization });
      const { organization: record } = await (
        await fetch(`${api.url}/v1/organizations/${organization}`, { headers: { authorization: `Bearer ${apiToken}` } })
      ).json();
      all.push({ settings: { baseUrl: wire.url, organization, apiToken }, organizationId: record.id, wire });
    }
  }
  return all;
}

async function databasesOf(settings: Properties): Promise<{ name: string; dbId: string }[]> {
  const answer = await functions.getDatabases?.({}, settings);
  return answer?.databases as { name: string; dbId: string }[];
}

/** Asserts that each request carries the credential of the organization named in its path. */
function mustHaveKeptApart(all: readonly Customer[]): void {
  for (const { wire } of all)
    for (const { path, authorization } of wire.requests) {
      const owner = all.find(
        ({ settings, organizationId, wire: own }) =>
          own === wire && (path.includes(`/organizations/${settings.organization}`) || path.includes(organizationId)),
      );
      expect([path, authorization]).toEqual([path, `Bearer ${owner?.settings.apiToken}`]);
    }
}

test("serves several organizations in one dynamic provider process, each with its own credential", async () => {
  const all = await customers();
  const host = providers.Database;
  if (!host) throw new Error("there is no such resource");
  const { check, create, diff, read, update } = host as Required<typeof host>;

  const life = async ({ settings, organizationId }: Customer, name: string) => {
    const news = { name, group: "default", __settings: settings };
    const { inputs } = await check({}, news);
    const { id, outs } = await create(inputs);
    expect(outs).toMatchObject({ organizationId, name });
    expect(await diff(id, outs, inputs)).toMatchObject({ changes: false });
    expect((await read(id, outs)).props).toMatchObject({ organizationId, dbId: id, name });
    await update(id, outs, inputs);
    expect((await databasesOf(settings)).map(({ dbId }) => dbId)).toContain(id);
    return id;
  };
  const lives = all.flatMap((customer) => names.map((name) => life(customer, name)));
  const [first] = all;
  const wrong = { ...first?.settings, apiToken: "wrong" };
  const refused = create({ name: "x", group: "default", __settings: wrong }).then(String, messageOf);
  const ids = await Promise.all(lives);
  expect(new Set(ids).size).toBe(all.length * AT_ONCE);
  for (const { settings } of all) expect(await refused).not.toContain(settings.apiToken);
  expect(await refused).toContain("401");

  for (const { wire } of all) {
    const strangers = wire.requests.filter(({ authorization }) => authorization === "Bearer wrong");
    for (const stranger of strangers) wire.requests.splice(wire.requests.indexOf(stranger), 1);
  }
  mustHaveKeptApart(all);
  for (const { settings } of all) {
    const databases = await databasesOf(settings);
    expect(databases.map(({ name }) => name).sort()).toEqual(names);
  }
});

async function plugin(settings: Properties): Promise<ResourceProviderClient> {
  const methods = service(dbplatform, { engine: undefined, environment: {} });
  const server = await listenForCalls(async () => methods);
  const client = new ResourceProviderClient(`127.0.0.1:${server.port}`, credentials.createInsecure());
  onTestFinished(() => {
    client.close();
    return server.close();
  });
  const configuration = new ConfigureRequest().setArgs(Struct.fromJavaScript(settings as Record<string, string>));
  await new Promise((resolve, reject) =>
    client.configure(configuration, (failure, answer) => (failure ? reject(failure) : resolve(answer))),
  );
  return client;
}

const made = (client: ResourceProviderClient, name: string): Promise<CreateResponse> =>
  new Promise((resolve, reject) => {
    const urn = `urn:pulumi:dev::shop::dbplatform:index:Database::${name}`;
    const properties = Struct.fromJavaScript({ name, group: "default" });
    client.create(new CreateRequest().setUrn(urn).setProperties(properties), (failure, answer) =>
      failure ? reject(failure) : resolve(answer),
    );
  });

test("never mixes up the organizations, credentials and platforms of concurrent plugins in one process", async () => {
  const all = await customers();
  const clients = await Promise.all(all.map(({ settings }) => plugin(settings)));
  const answers = await Promise.all(
    clients.map((client) => Promise.all(names.map(async (name) => [name, await made(client, name)] as const))),
  );
  for (const [index, own] of answers.entries())
    for (const [name, answer] of own)
      expect(answer.getProperties()?.toJavaScript()).toMatchObject({
        name,
        dbId: answer.getId(),
        organizationId: all[index]?.organizationId,
      });
  mustHaveKeptApart(all);
});
