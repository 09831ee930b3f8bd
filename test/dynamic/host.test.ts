// @module-tag secrets-stay-secret
// @module-tag clear-messages

import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { invalidArguments } from "../../kit/dynamic/messages";
import type { Properties } from "../../kit/lifecycle/properties";
import { missingSettings } from "../../kit/messages";
import { type ReferenceApi, startReferenceApi } from "../../platform/reference/server";
import { functions, providers } from "../../provider/dynamic-host";
import { uuidInvalid } from "../../provider/functions/messages";
import { unusableApiToken } from "../../provider/messages";
import { REQUIRED_SETTINGS } from "../config/required-settings";
import { environmentOf } from "../engine/engine-fixture";
import { SEED } from "../engine/seed";

afterEach(() => {
  vi.unstubAllEnvs();
});

async function platform(): Promise<ReferenceApi> {
  const api = await startReferenceApi({ seed: SEED });
  onTestFinished(() => api.close());
  return api;
}

function setEnvironment(api: ReferenceApi): void {
  for (const [name, value] of Object.entries(environmentOf(api))) vi.stubEnv(name, value);
}

const ask = async (name: string, args: Properties = {}, settings: Properties = {}): Promise<Properties> =>
  (await functions[name]?.(args, settings)) ?? {};

test("every function call in a process uses the current settings and environment", async () => {
  const [one, other] = [await platform(), await platform()];
  for (const api of [one, other, one]) {
    setEnvironment(api);
    expect(await ask("getOrganization")).toMatchObject({ id: api.organizationId });
  }
  expect(
    await ask("getOrganization", {}, { organization: "globex", apiToken: await one.token({ organization: "globex" }) }),
  ).toMatchObject({ slug: "globex" });
});

test("names the function and the property if an argument is invalid, and sends no request", async () => {
  const api = await platform();
  setEnvironment(api);
  await expect(ask("getDatabase", { dbId: "orders" })).rejects.toThrow(
    invalidArguments({ functionName: "getDatabase", reasons: [`dbId: ${uuidInvalid({ text: "orders" })}`] }),
  );
  expect(api.journal()).toEqual([]);
});

test("names the command and the environment variable for each missing setting", async () => {
  for (const name of Object.keys(environmentOf(await platform()))) vi.stubEnv(name, undefined);
  await expect(ask("getGroups")).rejects.toThrow(
    missingSettings({ provider: "dbplatform", missing: REQUIRED_SETTINGS, isRecorded: false }),
  );
});

test("never shows a rejected credential, even if the platform's response contains it", async () => {
  const api = await platform();
  setEnvironment(api);
  const apiToken = `${api.apiToken}x`;
  api.fault({ operation: "listApiTokens", status: 403, body: { error: `${apiToken} may not` } });
  const refused = await ask("getApiTokens", {}, { apiToken }).catch((thrown) => thrown);
  const unknown = await ask("getGroups", {}, { apiToken }).catch((thrown) => thrown);
  expect(refused.message).toMatch(/403: \[credential\] may not/);
  expect(unknown.message).toMatch(/401/);
  for (const { message, stack } of [refused, unknown]) expect(`${message}${stack}`).not.toContain(apiToken);
});

test("names the character of the API token that no request can carry, and sends none", async () => {
  const api = await platform();
  setEnvironment(api);
  const apiToken = `${api.apiToken.slice(0, 8)}…`;
  vi.stubEnv("DBPLATFORM_API_TOKEN", apiToken);
  const refused = await ask("getGroups").catch((thrown) => thrown);
  expect(refused.message).toContain(unusableApiToken({ codePoint: "2026", position: 9 }));
  expect(refused.message).not.toContain(apiToken.slice(0, 8));
  expect(api.journal()).toEqual([]);
});

test("throws expected errors without a stack trace, and unexpected errors with one", async () => {
  setEnvironment(await platform());
  const thrown = (work: Promise<unknown> | undefined) => work?.catch((failure: unknown) => failure);
  const refusal = await thrown(providers.Database?.read?.("orders", { name: 7 }));
  const defect = await thrown(providers.Database?.diff?.("orders", undefined, undefined));
  expect(String(refusal)).toBe("dbplatform");
  expect(refusal).toMatchObject({ stack: (refusal as Error).message });
  expect(defect).toMatchObject({ name: "TypeError", stack: expect.stringContaining("\n    at ") });
});
