import { createRequire } from "node:module";
import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
import { expect, test } from "vitest";
import * as parts from "../../provider/client/http/undici";

const load = createRequire(__filename);
const isLoaded = (path: string) => Object.keys(load.cache).includes(load.resolve(path));

test("loads only the required parts of undici, and initializes them as undici does", async () => {
  expect(isLoaded("undici")).toBe(false);
  const ready = Object.getOwnPropertyDescriptors(Dispatcher.prototype);

  const undici = await import("undici");
  expect(Object.getOwnPropertyDescriptors(Dispatcher.prototype)).toEqual(ready);
  expect(ready).toMatchObject({ request: {}, connect: {} });
  expect(Dispatcher).toBe(undici.Dispatcher);
  expect(parts.Agent).toBe(undici.Agent);
  expect(parts.EnvHttpProxyAgent).toBe(undici.EnvHttpProxyAgent);
  expect(parts.FormData).toBe(undici.FormData);
  expect(parts.retry).toBe(undici.interceptors.retry);
});
