// @module-tag more

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as dbplatform from "pulumi-dbplatform";
import { expect, onTestFinished, test } from "vitest";
import { root } from "../../tools/run";
import { engineFixture } from "./engine-fixture";

type Found = readonly { readonly name: string }[];

const program = (path: string) => `
name: shop
runtime: yaml
plugins:
  providers:
    - name: dbplatform
      path: ${path}
resources:
  orders:
    type: dbplatform:Database
    properties: { group: default, name: orders }
`;

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-troubleshooting-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("Pulumi's own messages match the excerpts in docs/troubleshooting.md", async () => {
  const here = await engineFixture();
  const folder = temporaryFolder();
  const use = (path: string) => writeFileSync(join(folder, "Pulumi.yaml"), program(path));
  use(temporaryFolder());
  const stack = await here.stack({ folder });
  expect((await stack.cli("preview")).output).toMatch(
    /Error.*: error resolving type of resource orders: internal error loading package "dbplatform": .* no such file/,
  );

  use(root);
  expect(await stack.up()).toMatchObject({ code: 0 });

  await here.deleteDatabase((await here.databases()).orders as string);
  const deleted = (await stack.cli("preview")).output;
  expect(deleted).toMatch(/^ +warning: Database "orders" was deleted /m);

  use("./missing");
  expect((await stack.cli("preview")).output).toMatch(
    /^error: parsing plugin options for 'dbplatform': no folder at path '/m,
  );

  use(root);
  const posing = join(folder, "posing.cjs");
  writeFileSync(posing, 'Object.defineProperty(process.versions, "node", { value: "20.18.1" });');
  const outdated = await stack.shell("pulumi preview --non-interactive --color never || true", {
    environment: { NODE_OPTIONS: `--require ${posing}` },
  });
  expect(outdated.output).toMatch(/^ +error: Detected that .* exited prematurely/m);
  expect(outdated.output).toMatch(/STDERR streams of the plugin:pulumi-resource-dbplatform needs Node.js /);

  const backend = fileURLToPath(String(stack.environment.PULUMI_BACKEND_URL));
  const locks = join(backend, ".pulumi/locks/organization/shop", "dev");
  mkdirSync(locks, { recursive: true });
  writeFileSync(join(locks, "other.json"), JSON.stringify({ pid: 1, username: "ada", hostname: "ci" }));
  expect((await stack.cli("up", "--yes", "--skip-preview")).output).toMatch(
    /^error: the stack is currently locked by 1 lock/m,
  );
  expect(await stack.cli("cancel", "--yes")).toMatchObject({ code: 0 });
});

test("a preview passes `undefined` to `apply` if the program creates the token of the function's provider", async () => {
  const here = await engineFixture();
  const namesOf = {
    unguarded: (found: Found) => found.map(({ name }) => name),
    guarded: (found?: Found) => found?.map(({ name }) => name),
  };
  let spelling: keyof typeof namesOf = "unguarded";
  const stack = await here.stack(async () => {
    const { token } = new dbplatform.ApiToken("deployer", {});
    const settings = { organization: "acme", apiToken: token, baseUrl: here.api.url };
    const provider = new dbplatform.Provider("other", settings);
    const { databases } = dbplatform.getDatabasesOutput({}, { provider });
    return { names: databases.apply((found) => namesOf[spelling](found)) };
  });
  expect(await stack.preview()).toMatchObject({
    code: 1,
    output: expect.stringContaining("Cannot read properties of undefined (reading 'map')"),
  });
  spelling = "guarded";
  expect(await stack.preview()).toMatchObject({ code: 0 });
  spelling = "unguarded";
  // The Automation API runs `pulumi up --skip-preview`.
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await stack.outputs()).toEqual({ names: [] });
});
