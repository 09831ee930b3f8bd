import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { installExample } from "../../../tools/project";
import { root } from "../../../tools/run";
import { engineFixture } from "../engine-fixture";

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-policy-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Installs the policy pack and returns the path of an executable that starts the pack. The executable is needed
 * because the pinned language host cannot run policy packs (decision 144).
 */
function policyPack(): string {
  const folder = temporaryFolder();
  installExample("policy", folder);
  const path = join(folder, "pulumi-analyzer-databases");
  const command = 'exec node node_modules/@pulumi/pulumi/cmd/run-policy-pack "$1" .';
  writeFileSync(path, `#!/bin/sh\ncd "$(dirname "$0")" || exit 1\n${command}\n`, { mode: 0o755 });
  return path;
}

const program = (resources: object) =>
  JSON.stringify({
    name: "shop",
    runtime: "yaml",
    plugins: { providers: [{ name: "dbplatform", path: root }] },
    resources,
  });

const declared = (type: string, properties: object, options = {}) => ({
  type: `dbplatform:${type}`,
  properties,
  options,
});
const location = "aws-eu-west-1";
const output = (resource: string, property: string) => `\${${resource}.${property}}`;
const group = output("shop", "id");
const database = output("orders", "dbId");

const GOOD = {
  shop: declared("Group", { location }),
  orders: declared("Database", { group }, { protect: true }),
  protection: declared("DatabaseConfiguration", { database, deleteProtection: true }),
  pipeline: declared("ApiToken", { group, scopes: ["read"] }),
  app: declared("DatabaseToken", { database, expiration: "12w6d" }),
  reports: declared("GroupToken", { group, expiration: "30d" }),
};

const BAD = {
  shop: declared("Group", { location, forceDestroy: true }),
  orders: declared("Database", { group }, { protect: true }),
  invoices: declared("Database", { group }),
  protection: declared("DatabaseConfiguration", { database: output("invoices", "dbId"), deleteProtection: true }),
  pipeline: declared("ApiToken", {}),
  operator: declared("ApiToken", { group, scopes: ["read", "full-access"] }),
  app: declared("DatabaseToken", { database }),
  old: declared("DatabaseToken", { database, expiration: "12w6d25h" }),
  reports: declared("GroupToken", { group, expiration: "never" }),
};

const EXPIRATION = 'Set `expiration` to at most 90 days, for example "30d".';

const PREVIEW = {
  shop: declared("Group", { location, forceDestroy: true }),
  orders: declared("Database", { group }),
};

test("the policy pack accepts a compliant stack, and reports each violation with its rule and resource", async () => {
  const here = await engineFixture();
  const folder = temporaryFolder();
  const pack = policyPack();
  writeFileSync(join(folder, "Pulumi.yaml"), program(GOOD));
  const stack = await here.stack({ folder });
  await stack.shell("pulumi stack init production && pulumi stack init prod-eu && pulumi stack init pr-17", {
    runs: 0,
  });
  const preview = (name: string, resources: object) => {
    writeFileSync(join(folder, "Pulumi.yaml"), program(resources));
    return stack.cli("preview", "--stack", name, "--policy-pack", pack);
  };
  const catalogue = { type: "dbplatform:Database", get: { id: await here.database("catalogue") } };
  const good = await preview("production", { ...GOOD, catalogue });
  expect(good, good.output).toMatchObject({ code: 0 });
  expect(good.output).toContain("✅ databases@v1.0.0");
  const pullRequest = await preview("pr-17", PREVIEW);
  expect(pullRequest, pullRequest.output).toMatchObject({ code: 0 });

  const bad = await preview("prod-eu", BAD);
  expect(bad.code).not.toBe(0);
  const violations = [
    ...bad.output.matchAll(/\[mandatory\] {2}(\S+) {2}\((?:dbplatform:index:)?(\S+: \S+)\)\n.*\n +(.*)/g),
  ];
  expect(violations.map(([, rule, resource, hint]) => [rule, resource, hint]).sort()).toEqual([
    ["api-tokens-have-scopes", "ApiToken: operator", "List the scopes instead of `full-access`."],
    ["api-tokens-have-scopes", "ApiToken: pipeline", "Set `group` and `scopes`."],
    ["databases-protected-twice", "Database: invoices", "Set the resource option `protect: true`."],
    ["databases-protected-twice", "Database: orders", "Declare a DatabaseConfiguration with `deleteProtection: true`."],
    ["force-destroy-for-pull-requests", "Group: shop", "Remove `forceDestroy`."],
    ["sql-tokens-expire", "DatabaseToken: app", EXPIRATION],
    ["sql-tokens-expire", "DatabaseToken: old", EXPIRATION],
    ["sql-tokens-expire", "GroupToken: reports", EXPIRATION],
  ]);
});
