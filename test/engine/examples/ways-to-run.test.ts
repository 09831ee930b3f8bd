// @module-tag more

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../../tools/run";
import { full } from "../../full";
import { engineFixture } from "../engine-fixture";

test("runs the unmodified YAML example, and restores its database if it is deleted outside Pulumi", async () => {
  const here = await engineFixture();
  const stack = await here.stack("yaml");
  expect(await stack.cli("up", "--yes", "--skip-preview")).toMatchObject({ code: 0 });
  const made = await here.databases();
  expect(Object.values(made)).toEqual([(await stack.outputs()).dbId]);
  const [dbId = ""] = Object.values(made);
  await here.delete(dbId);
  expect(await stack.cli("up", "--yes", "--skip-preview")).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual(made);
});

test("runs the dynamic provider example without a plugin, and restores its database with `up --refresh`", async () => {
  const here = await engineFixture();
  const stack = await here.stack("dynamic");
  expect(await stack.cli("up", "--yes", "--skip-preview")).toMatchObject({ code: 0 });
  const made = await here.databases();
  const [dbId = ""] = Object.values(made);
  await here.delete(dbId);
  expect(await stack.cli("up", "--yes", "--skip-preview", "--refresh")).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual(made);
});

test.runIf(full)("the Automation API example adds and removes one customer without affecting another", async () => {
  const here = await engineFixture();
  const hooli = await here.database("hooli");
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
  expect(await stack.cli("up", "--yes", "--skip-preview")).toMatchObject({ code: 0 });
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
