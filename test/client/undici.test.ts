import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { root } from "../../tools/run";

/** Runs in a process of its own, because other test files load all of undici into the process that they share. */
const PROGRAM = `
const assert = require("node:assert/strict");
const parts = require("./provider/client/http/undici.ts");
assert.equal(Object.keys(require.cache).includes(require.resolve("undici")), false);
const Dispatcher = require("undici/lib/dispatcher/dispatcher.js");
const ready = Object.getOwnPropertyDescriptors(Dispatcher.prototype);

const undici = require("undici");
assert.deepEqual(Object.getOwnPropertyDescriptors(Dispatcher.prototype), ready);
assert.ok(ready.request && ready.connect);
assert.equal(Dispatcher, undici.Dispatcher);
for (const name of ["Agent", "EnvHttpProxyAgent", "FormData"]) assert.equal(parts[name], undici[name]);
assert.equal(parts.retry, undici.interceptors.retry);
`;

test("loads only the required parts of undici, and initializes them as undici does", () => {
  const options = { cwd: root, encoding: "utf8" } as const;
  const { status, stderr } = spawnSync(process.execPath, ["--import", "tsx", "-e", PROGRAM], options);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});
