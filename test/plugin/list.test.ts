import { once } from "node:events";
import { credentials, status } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { ConfigureRequest, ListRequest, type ListResponse } from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { expect, onTestFinished, test } from "vitest";
import { FORMS, listUnavailable, wrongForm } from "../../kit/lifecycle/messages";
import { service } from "../../kit/plugin/service";
import { listenForCalls } from "../../kit/plugin/transport/server";
import type { Seed } from "../../platform/reference/seed/seed";
import { type ReferenceApi, startReferenceApi } from "../../platform/reference/server";
import { dbplatform } from "../../provider/provider";
import { environmentOf } from "../engine/engine-fixture";
import { acmeWith } from "../engine/seed";

const PAGES = 5;
const UNKNOWN = "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7";

const LOST = { name: "lost", deleted_at: "-1d" };
const SEVERAL_PAGES = acmeWith(PAGES * 1000, LOST);
const ONE_PAGE = acmeWith(1, LOST);

async function plugin(seed: Seed): Promise<{ client: ResourceProviderClient; api: ReferenceApi }> {
  const api = await startReferenceApi({ seed });
  const methods = service(dbplatform, { engine: undefined, environment: environmentOf(api) });
  const server = await listenForCalls(async () => methods);
  const client = new ResourceProviderClient(`127.0.0.1:${server.port}`, credentials.createInsecure());
  onTestFinished(async () => {
    client.close();
    await server.close();
    await api.close();
  });
  const configuration = new ConfigureRequest().setArgs(new Struct());
  await new Promise((resolve, reject) =>
    client.configure(configuration, (failure, answer) => (failure ? reject(failure) : resolve(answer))),
  );
  return { client, api };
}

const request = (type: string, query = {}): ListRequest =>
  new ListRequest().setToken(`dbplatform:index:${type}`).setQuery(Struct.fromJavaScript(query));

async function all(client: ResourceProviderClient, wanted: ListRequest): Promise<ListResponse[]> {
  const answers: ListResponse[] = [];
  for await (const answer of client.list(wanted)) answers.push(answer);
  return answers;
}

const namesOf = (answers: ListResponse[]) => answers.map((answer) => answer.getResult()?.getName());

const pagesAsked = (api: ReferenceApi) => api.journal().filter(({ operation }) => operation === "listDatabases").length;

/** Waits long enough for a list in progress to request every page. Tests then assert that it requested fewer pages. */
async function meanwhile(client: ResourceProviderClient): Promise<void> {
  for (let count = 0; count < 50; count++) await all(client, request("Group"));
}

test("lists the databases of every result page with their import ids, and changes nothing", async () => {
  const { client, api } = await plugin(SEVERAL_PAGES);
  const answers = await all(client, request("Database"));
  expect(new Set(namesOf(answers)).size).toBe(PAGES * 1000);
  const { databases } = await (
    await fetch(`${api.url}/v1/organizations/acme/databases?limit=1`, {
      headers: { authorization: `Bearer ${api.apiToken}` },
    })
  ).json();
  const [{ Name, DbId }] = databases;
  expect(
    answers
      .find((answer) => answer.getResult()?.getName() === Name)
      ?.getResult()
      ?.getId(),
  ).toBe(DbId);
  expect(pagesAsked(api)).toBe(PAGES + 1);
  expect(api.journal().every(({ method }) => method === "GET")).toBe(true);
});

test("requests pages only as fast as a slow reader accepts them", async () => {
  const { client, api } = await plugin(SEVERAL_PAGES);
  const call = client.list(request("Database"));
  await once(call, "readable");
  await meanwhile(client);
  expect(pagesAsked(api)).toBeLessThan(PAGES);
  let count = 0;
  for await (const _ of call) count++;
  expect(count).toBe(PAGES * 1000);
});

test("sends no further request after the caller cancels", async () => {
  const { client, api } = await plugin(ONE_PAGE);
  api.fault({ operation: "listDatabases", status: 503 });
  const call = client.list(request("Database"));
  call.once("error", () => undefined);
  while (pagesAsked(api) === 0) await all(client, request("Group"));
  call.cancel();
  for (let count = 0; count < 5; count++) await meanwhile(client);
  expect(pagesAsked(api)).toBe(1);
});

test("stops requesting pages when the limit is reached", async () => {
  const { client, api } = await plugin(SEVERAL_PAGES);
  expect(await all(client, request("Database").setLimit(10))).toHaveLength(10);
  expect(pagesAsked(api)).toBe(1);
});

test("lists only restorable databases and groups when the query sets `deleted`", async () => {
  const { client } = await plugin(ONE_PAGE);
  expect(namesOf(await all(client, request("Database", { deleted: true })))).toEqual(["lost"]);
  expect(await all(client, request("Group", { deleted: true }))).toEqual([]);
  await expect(all(client, request("ApiToken", { deleted: true }))).rejects.toMatchObject({
    code: status.INVALID_ARGUMENT,
  });
  await expect(all(client, request("Database", { deleted: "yes" }))).rejects.toMatchObject({
    code: status.INVALID_ARGUMENT,
    details: expect.stringContaining(wrongForm({ form: FORMS.boolean, given: "a string" })),
  });
});

test("rejects a query for database tokens, because the platform has no operation to list them", async () => {
  const { client, api } = await plugin(ONE_PAGE);
  await expect(all(client, request("DatabaseToken"))).rejects.toMatchObject({
    code: status.INVALID_ARGUMENT,
    details: listUnavailable({ kind: "database token" }),
  });
  expect(api.journal()).toEqual([]);
});

test("marks the result as computed, without a request, if the query contains an unknown value", async () => {
  const { client, api } = await plugin(ONE_PAGE);
  const [answer, ...more] = await all(client, request("Database", { deleted: UNKNOWN }));
  expect(answer?.hasComputed()).toBe(true);
  expect(more).toEqual([]);
  expect(api.journal()).toEqual([]);
});
