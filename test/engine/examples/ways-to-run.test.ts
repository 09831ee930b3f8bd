// @module-tag more
// @module-tag no-database-is-lost

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../../tools/run";
import { full } from "../../full";
import { engineFixture } from "../engine-fixture";

const UP = ["up", "--yes", "--skip-preview"];

test.each([
  ["quickstart", UP, 7],
  ["yaml", UP, 7],
  ["dynamic", [...UP, "--refresh"], 0],
])("runs the %s example as written, and restores its database if it is deleted outside", async (name, up, drift) => {
  const here = await engineFixture();
  const stack = await here.stack(name);
  expect(await stack.cli(...up)).toMatchObject({ code: 0 });
  const made = await here.databases();
  const { dbId, hostname, appToken } = await stack.outputs();
  expect(Object.values(made)).toEqual([dbId]);
  if (name === "quickstart") {
    expect(hostname).toMatch(/^orders-[0-9a-f]{7}-acme\./);
    expect(await here.api.verifySqlToken(String(appToken), String(dbId))).toMatchObject({ authorization: "read-only" });
  }
  const beside = await here.createDatabase("beside");

  expect(await stack.cli("preview", "--expect-no-changes")).toMatchObject({ code: 0 });
  await here.deleteDatabase(String(dbId));
  expect(await stack.cli("preview", "--expect-no-changes")).toMatchObject({ code: drift });
  expect(await stack.cli(...up)).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual({ ...made, beside });
  // The databases of the other examples are protected.
  if (name !== "quickstart") return;
  expect(await stack.cli("destroy", "--yes", "--skip-preview")).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual({ beside });
});

test.runIf(full)("the Automation API example adds and removes one customer without affecting another", async () => {
  const here = await engineFixture();
  const hooli = await here.createDatabase("hooli");
  const stack = await here.stack("automation");
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [tsc, "--noEmit", "-p", stack.project]);
  const added = await stack.shell("node customers.ts add globex");
  expect(added).toMatchObject({ code: 0, output: expect.stringMatching(/^globex: globex-[0-9a-f]{7}-acme\./m) });
  expect(Object.keys(await here.databases())).toHaveLength(2);
  expect(await stack.shell("node customers.ts remove globex")).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual({ hooli });
  const nobody = await stack.shell("node customers.ts add '../globex'");
  expect(nobody.output).toContain('"../globex" is not the short name of a customer.');
});

test("runs the web service of the application example with the outputs of its stack", async () => {
  const here = await engineFixture({ sql: true });
  const stack = await here.stack("application");
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [tsc, "-p", stack.project]);
  expect(await stack.cli(...UP)).toMatchObject({ code: 0 });
  const service = `
    export DATABASE_URL=$DBPLATFORM_BASE_URL/sql/$(pulumi stack output dbId)/
    export DATABASE_TOKEN=$(pulumi stack output token --show-secrets)
    export PORT=0
    coproc node main.ts
    read -r -u "\${COPROC[0]}" address
    curl --silent --fail --data '{"item":"tea","quantity":2}' "$address"
    kill "$COPROC_PID"`;
  const { code, output } = await stack.shell(service);
  expect([code, output]).toEqual([0, '{"id":1,"item":"tea","quantity":2}']);
});
