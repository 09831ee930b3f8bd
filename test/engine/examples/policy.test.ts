// @module-tag more

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { installExample } from "../../../tools/project";
import { root } from "../../../tools/run";
import { blocksOf } from "../../docs/blocks";
import { engineFixture } from "../engine-fixture";

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-policy-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Installs the policy pack and returns the path of an executable that starts the pack. The executable is needed
 * because the CLI asks the language host to run a pack that is named by its folder, and the pinned one does not support
 * it. The CLI takes the script `pulumi-analyzer-policy` only where it finds no language host.
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

/** The policies that the resources of `BAD` violate in a production stack. */
const VIOLATIONS = [
  ["api-tokens-have-scopes", "ApiToken: operator", "List the scopes instead of `full-access`."],
  ["api-tokens-have-scopes", "ApiToken: pipeline", "Set `group` and `scopes`."],
  ["databases-protected-twice", "Database: invoices", "Set the resource option `protect: true`."],
  ["databases-protected-twice", "Database: orders", "Declare a DatabaseConfiguration with `deleteProtection: true`."],
  ["force-destroy-for-pull-requests", "Group: shop", "Remove `forceDestroy`."],
  ["sql-tokens-expire", "DatabaseToken: app", EXPIRATION],
  ["sql-tokens-expire", "DatabaseToken: old", EXPIRATION],
  ["sql-tokens-expire", "GroupToken: reports", EXPIRATION],
];

/** Returns the rule, the resource and the hint of each violation that the engine prints. */
const violationsIn = (output: string): string[][] =>
  [...output.matchAll(/\[mandatory\] {2}(\S+) {2}\((?:dbplatform:index:)?(\S+: \S+)\)\n.*\n +(.*)/g)]
    .map(([, ...parts]) => parts)
    .sort();

test("the policy pack accepts a compliant stack, and reports each violation with its rule and resource", async () => {
  const here = await engineFixture();
  const folder = temporaryFolder();
  const pack = policyPack();
  writeFileSync(join(folder, "Pulumi.yaml"), program(GOOD));
  const stack = await here.stack({ folder });
  await stack.shell("pulumi stack init production && pulumi stack init prod-eu && pulumi stack init pr-17");
  const preview = (name: string, resources: object) => {
    writeFileSync(join(folder, "Pulumi.yaml"), program(resources));
    return stack.cli("preview", "--stack", name, "--policy-pack", pack);
  };
  const catalogue = { type: "dbplatform:Database", get: { id: await here.createDatabase("catalogue") } };
  const good = await preview("production", { ...GOOD, catalogue });
  expect(good, good.output).toMatchObject({ code: 0 });
  expect(good.output).toContain("✅ databases@v1.0.0");
  const pullRequest = await preview("pr-17", PREVIEW);
  expect(pullRequest, pullRequest.output).toMatchObject({ code: 0 });

  const bad = await preview("prod-eu", BAD);
  expect(bad.code).not.toBe(0);
  expect(violationsIn(bad.output)).toEqual(VIOLATIONS);
});

const PAGE = blocksOf("examples/policy/README.md");
const blockOn = (beginning: string) => PAGE.find(({ text }) => text.startsWith(beginning))?.text ?? "";
const urnOf = (type: string, name: string) => `urn:pulumi:staging::shop::dbplatform:index:${type}::${name}`;

test("`pulumi policy analyze` reports what a state violates, without a request, a login or a passphrase", async () => {
  const here = await engineFixture();
  const folder = temporaryFolder();
  const pack = policyPack();
  writeFileSync(join(folder, "Pulumi.yaml"), program(BAD));
  const stack = await here.stack({ folder });
  const deployed = await stack.shell(
    "pulumi stack init prod-eu && pulumi up --yes --skip-preview && pulumi stack export --file state.json",
  );
  expect(deployed, deployed.output).toMatchObject({ code: 0 });
  const sent = here.api.journal().length;
  const command = blockOn("pulumi policy analyze").trim().replace("../policy", pack);
  const ofStack = await stack.shell(command);
  expect(ofStack).toMatchObject({ code: 1 });
  expect(violationsIn(ofStack.output)).toEqual(VIOLATIONS);
  const ofFile = await stack.shell(
    `env -u PULUMI_BACKEND_URL -u PULUMI_CONFIG_PASSPHRASE ${command} --file state.json`,
  );
  expect(ofFile).toMatchObject({ code: 1 });
  expect(violationsIn(ofFile.output)).toEqual(VIOLATIONS);
  expect(here.api.journal()).toHaveLength(sent);
});

const protect = { protect: true };
const SHOP = {
  shop: declared("Group", { location }, protect),
  archive: declared("Group", { location }, protect),
  orders: declared("Database", { group }, protect),
  scratch: declared("Database", { group }),
  zoe: declared("Member", { username: "zoe", role: "viewer" }, protect),
};
const UNPROTECTED = "Set the resource option `protect: true`, or list the URN in `exceptions`.";

/** A stack `staging` that follows the rule `nothing-deleted`, with the configuration on the pack's page. */
async function protectedShop() {
  const here = await engineFixture();
  const folder = temporaryFolder();
  const pack = policyPack();
  writeFileSync(join(folder, "Pulumi.yaml"), program(SHOP));
  writeFileSync(join(folder, "policy.json"), blockOn("{\n"));
  const stack = await here.stack({ folder });
  await stack.shell("pulumi stack init staging");
  const run = (command: string, resources: object, config = "policy.json") => {
    writeFileSync(join(folder, "Pulumi.yaml"), program(resources));
    const update = command === "up" ? ["--yes", "--skip-preview"] : [];
    return stack.cli(command, "--policy-pack", pack, "--policy-pack-config", config, ...update);
  };
  const deployed = await run("up", SHOP);
  expect(deployed, deployed.output).toMatchObject({ code: 0 });
  const databases = async () => Object.keys(await here.databases()).map((name) => name.replace(/-[0-9a-f]{7}$/, ""));
  return { folder, stack, run, databases };
}

test("nothing-deleted demands `protect`, except of listed URNs, and Pulumi then refuses each deletion", async () => {
  const { stack, run, databases } = await protectedShop();
  const bare = Object.fromEntries(Object.entries(SHOP).map(([name, resource]) => [name, { ...resource, options: {} }]));
  const unprotected = await run("preview", bare);
  expect(unprotected.code).not.toBe(0);
  expect(violationsIn(unprotected.output)).toEqual([
    ["nothing-deleted", "Database: orders", UNPROTECTED],
    ["nothing-deleted", "Group: archive", UNPROTECTED],
    ["nothing-deleted", "Group: shop", UNPROTECTED],
    ["nothing-deleted", "Member: zoe", UNPROTECTED],
  ]);

  for (const [type, name] of [
    ["Database", "orders"],
    ["Group", "archive"],
    ["Member", "zoe"],
  ] as const) {
    const { [name]: _, ...rest } = SHOP;
    for (const command of ["preview", "up"]) {
      const { code, output } = await run(command, rest);
      expect(code, output).not.toBe(0);
      expect(output).toContain(`resource "${urnOf(type, name)}" cannot be deleted`);
    }
  }
  const destroy = (...more: string[]) => stack.cli("destroy", "--preview-only", ...more);
  expect((await destroy()).code).not.toBe(0);
  // The limit that the page states: `pulumi destroy` has no `--policy-pack`.
  expect(await destroy("--ignore-protect")).toMatchObject({ code: 0 });
  expect((await databases()).sort()).toEqual(["orders", "scratch"]);

  const { scratch: _, ...others } = SHOP;
  const excepted = await run("up", others);
  expect(excepted, excepted.output).toMatchObject({ code: 0 });
  expect(await databases()).toEqual(["orders"]);
});

test("nothing-deleted refuses a preview without a resource in `kept`, even if its protection is removed", async () => {
  const { folder, stack, run, databases } = await protectedShop();
  const { orders, scratch, ...rest } = SHOP;
  const listed = await stack.shell(blockOn("pulumi stack export"));
  expect(listed, listed.output).toMatchObject({ code: 0 });
  const kept = JSON.parse(readFileSync(join(folder, "kept.json"), "utf8"));
  const { exceptions } = kept["nothing-deleted"];
  expect(kept["nothing-deleted"].kept.sort()).toEqual([
    urnOf("Database", "orders"),
    urnOf("Database", "scratch"),
    urnOf("Group", "archive"),
    urnOf("Group", "shop"),
    urnOf("Member", "zoe"),
  ]);
  await stack.shell(`pulumi state unprotect --yes '${urnOf("Database", "orders")}'`);
  expect(await run("preview", rest)).toMatchObject({ code: 0 });

  const refused = await run("preview", rest, "kept.json");
  expect(refused.code).not.toBe(0);
  const hint = `Declare ${urnOf("Database", "orders")} again, or list the URN in \`exceptions\`.`;
  expect(violationsIn(refused.output)).toEqual([["nothing-deleted", "pulumi:pulumi:Stack: shop-staging", hint]]);
  const invoices = { ...orders, options: { ...protect, aliases: [{ name: "orders" }] } };
  const renamed = { ...rest, scratch, invoices };
  expect(await run("preview", renamed, "kept.json")).toMatchObject({ code: 0 });
  const excepted = {
    "nothing-deleted": { ...kept["nothing-deleted"], exceptions: [...exceptions, urnOf("Database", "orders")] },
  };
  writeFileSync(join(folder, "excepted.json"), JSON.stringify(excepted));
  expect(await run("preview", rest, "excepted.json")).toMatchObject({ code: 0 });

  // The limits that the page states: the list does not show a replacement, and `--skip-preview` deletes before the check.
  const moved = { ...rest, scratch, orders: declared("Database", { group: "default" }, protect) };
  const replaced = await run("preview", moved, "kept.json");
  expect(replaced).toMatchObject({ code: 0, output: expect.stringMatching(/orders replace/) });
  expect((await run("up", rest, "kept.json")).code).not.toBe(0);
  expect(await databases()).toEqual([]);
});
