// @module-tag failures-and-interruptions

import { status } from "@grpc/grpc-js";
import { expect, onTestFinished, test } from "vitest";
import { Instance } from "../../kit/instance";
import { toCallFailure } from "../../kit/plugin/call-failure";
import { create } from "../../kit/steps/create";
import type { Fault } from "../../platform/reference/faults/faults";
import {
  ADVICE,
  failedOperation,
  failedResponse,
  responseTimeout,
  unreachablePlatform,
} from "../../provider/client/messages";
import { database } from "../../provider/resources/database/database";
import { impatient } from "../lifecycle/impatient";
import { lifecycleFixture } from "../lifecycle/lifecycle-fixture";

const args = { name: "orders", group: "default" };

async function answerTo(fault: Omit<Fault, "operation">) {
  const here = await lifecycleFixture();
  here.api.fault({ operation: "createDatabase", times: 9, ...fault });
  const failure = await create(database, args, here.context).catch((thrown) => thrown);
  return toCallFailure(failure, "dbplatform");
}

test.each<[string, Omit<Fault, "operation">, status, string | RegExp]>([
  [
    "400",
    { status: 400, body: { error: "invalid" } },
    status.INVALID_ARGUMENT,
    failedResponse({ status: 400, error: "invalid" }),
  ],
  ["401", { status: 401, body: { error: "no" } }, status.UNAUTHENTICATED, ADVICE.unauthenticated],
  [
    "402",
    { status: 402, body: { error: "pay" } },
    status.PERMISSION_DENIED,
    failedResponse({ status: 402, error: "pay" }),
  ],
  [
    "403",
    { status: 403, body: { error: "no" } },
    status.PERMISSION_DENIED,
    failedResponse({ status: 403, error: "no" }),
  ],
  [
    "404",
    { status: 404, body: { error: "no such thing" } },
    status.NOT_FOUND,
    failedResponse({ status: 404, error: "no such thing" }),
  ],
  ["409", { status: 409, body: { error: "there" } }, status.FAILED_PRECONDITION, /name "orders" is already in use/],
  [
    "400 for a taken name",
    { status: 400, body: { error: "x already exists" } },
    status.FAILED_PRECONDITION,
    /is already in use/,
  ],
  [
    "422",
    { status: 422, body: { error: "not available" } },
    status.INVALID_ARGUMENT,
    failedResponse({ status: 422, error: "not available" }),
  ],
  [
    "503",
    { status: 503, body: { error: "busy" } },
    status.UNAVAILABLE,
    `${failedResponse({ status: 503, error: "busy" })}. ${ADVICE.unavailable}`,
  ],
  ["500", { status: 500, body: { error: "oops" } }, status.UNAVAILABLE, /not known whether/],
  [
    "an error that is not a string",
    { status: 400, body: { error: { a: 1 } } },
    status.INVALID_ARGUMENT,
    failedResponse({ status: 400, error: '{"a":1}' }),
  ],
])("maps a failed response to a gRPC status, and names the attempted operation: %s", async (_, fault, code, text) => {
  const { code: found, message: details } = await answerTo(fault);
  expect(found).toBe(code);
  expect(details).toMatch(text);
  expect(details).toContain(
    failedOperation({ action: "create database", method: "POST", path: "/v1/organizations/acme/databases" }),
  );
});

test.each([
  ["a refused connection", "http://127.0.0.1:1", unreachablePlatform({ reason: "ECONNREFUSED" }).answer],
  ["an unknown host", "http://localhost.invalid", unreachablePlatform({ reason: "ENOTFOUND" }).answer],
])("reports %s as UNAVAILABLE, and names the address to check", async (_, baseUrl, text) => {
  const here = await lifecycleFixture({ settings: { baseUrl, allowInsecure: true } });
  const failure = await create(database, args, here.context).catch((thrown) => thrown);
  const { code, message: details } = toCallFailure(failure, "dbplatform");
  expect(code).toBe(status.UNAVAILABLE);
  expect(details).toMatch(text);
  expect(details).toContain(unreachablePlatform({ reason: "" }).advice);
});

test("reports how long it waited before a timeout, and warns that a change may have been made", async () => {
  const { api } = await lifecycleFixture();
  const { url: baseUrl, organization: organizationSlug, apiToken } = api;
  const instance = new Instance(
    impatient({ answerTimeoutMs: 200 }),
    { baseUrl, organization: organizationSlug, apiToken },
    {},
  );
  onTestFinished(() => instance.close());
  const { platform } = instance.context({ urn: "", signal: new AbortController().signal, log: () => {} }).platform;
  for (const operation of ["retrieveOrganization", "deleteDatabase"] as const) api.fault({ operation, hang: "after" });
  const message = expect.stringContaining(responseTimeout({ seconds: 0.2, reason: "UND_ERR_HEADERS_TIMEOUT" }));
  const asked = platform.api.retrieveOrganization();
  await expect(asked).rejects.toMatchObject({ kind: "unavailable", uncertain: false, message });
  const changed = platform.api.deleteDatabase({ databaseName: "orders" });
  await expect(changed).rejects.toMatchObject({ kind: "unavailable", uncertain: true, message });
});

test("reports an unexpected error as a bug in the provider", () => {
  expect(toCallFailure(new TypeError("x is not a function"), "dbplatform")).toMatchObject({ code: status.INTERNAL });
});
