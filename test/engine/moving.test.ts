// @module-tag more

import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as plugin from "pulumi-dbplatform";
import * as dynamic from "pulumi-dbplatform/dynamic";
import { expect, onTestFinished, test } from "vitest";
import type { Seed } from "../../platform/reference/seed/seed";
import { blocksOf, commandsIn } from "../docs/blocks";
import { Shell } from "./docs/shell";
import { engineFixture } from "./engine-fixture";
import { leaksIn } from "./secrets";
import { acmeWith } from "./seed";
import type { Stack } from "./stack";
import { yamlProject } from "./yaml-project";

const commands = commandsIn(blocksOf("docs/moving.md")).map(({ command }) => command);

/** Pulumi's mark of a secret in an exported state. */
const secret = (plaintext: string) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  plaintext: JSON.stringify(plaintext),
});

const GROUPS = [{ name: "default" }, { name: "shop", location: "aws-us-east-1" }];

const seeded = acmeWith(
  0,
  { name: "orders", group: "shop", size_limit: "1gb", delete_protection: true },
  { name: "carts", group: "shop" },
  { name: "elsewhere", group: "default" },
);

/** A group with two databases that another provider manages, and a group that no program declares. */
const SHOP: Seed = { ...seeded, organizations: seeded.organizations.map((each) => ({ ...each, groups: GROUPS })) };

interface Other {
  /** Inputs of its provider resource. */
  readonly settings: Record<string, unknown>;
  /** Types of a group and of a database. */
  readonly group: string;
  readonly database: string;
  /** The type of a token. */
  readonly token?: string;
  readonly groupState: (uuid: string) => { readonly inputs: object; readonly outputs: object };
  readonly databaseState: (name: string, dbId: string) => { readonly inputs: object; readonly outputs: object };
}

const hostOf = (name: string) => `${name}-acme.aws-us-east-1.turso.io`;

/** Other providers, in the form in which their sources write a state. */
const OTHERS = {
  // https://github.com/celest-dev/pulumi-turso/tree/3a31d9376532e93f39177c32abb767bbdbd2c4aa/provider
  "celest-dev/pulumi-turso": {
    settings: { version: "0.3.0", organization: "acme" },
    group: "turso:index:Group",
    database: "turso:index:Database",
    token: "turso:index:DatabaseToken",
    groupState: (uuid) => ({
      inputs: { name: "shop", primaryLocation: "aws-us-east-1" },
      outputs: {
        deleteProtection: false,
        locations: ["aws-us-east-1"],
        name: "shop",
        primary: "aws-us-east-1",
        uuid,
      },
    }),
    databaseState: (name, dbId) => ({
      inputs: { name, group: "shop" },
      outputs: {
        blockReads: false,
        blockWrites: false,
        dbId,
        deleteProtection: false,
        group: "shop",
        hostname: hostOf(name),
        instances: {},
        name,
        primaryRegion: "aws-us-east-1",
        regions: ["aws-us-east-1"],
        sizeLimit: "",
      },
    }),
  },
  // https://github.com/celest-dev/terraform-provider-turso/tree/28119d21f174575af46981ff1b349c785241dc35/internal
  "celest-dev/turso": {
    settings: {
      version: "0.2.3",
      organization: "acme",
      __internal: {
        name: "terraform-provider",
        version: "0.8.0",
        parameterization: Buffer.from(
          JSON.stringify({ remote: { url: "registry.opentofu.org/celest-dev/turso", version: "0.2.3" } }),
        ).toString("base64"),
      },
    },
    group: "turso:index/group:Group",
    database: "turso:index/database:Database",
    groupState: (uuid) => {
      const locations = ["aws-us-east-1"];
      const primary = "aws-us-east-1";
      return {
        inputs: { locations, name: "shop", primary },
        outputs: {
          group: { archived: false, locations, name: "shop", primary, uuid, version: "v0.24.29" },
          id: "shop",
          locations,
          name: "shop",
          primary,
        },
      };
    },
    databaseState: (name, dbId) => ({
      inputs: { group: "shop", name },
      outputs: {
        database: { dbId, group: "shop", hostname: hostOf(name), name, primaryRegion: "aws-us-east-1" },
        group: "shop",
        id: name,
        name,
      },
    }),
  },
} satisfies Record<string, Other>;

const PLAIN = "not-a-real-token";

const PROJECT = "moving";
const STACK = `urn:pulumi:dev::${PROJECT}::pulumi:pulumi:Stack::${PROJECT}-dev`;
const urnOf = (type: string, name: string) => `urn:pulumi:dev::${PROJECT}::${type}::${name}`;
const PROVIDER = { urn: urnOf("pulumi:providers:turso", "default"), id: "6d7b3b7a-6a36-4a1a-8b3e-7a6a5a0f6f10" };

interface Objects {
  /** A token for the database `orders`. */
  readonly token: string;
  readonly group: string;
  readonly databases: Readonly<Record<string, string>>;
}

/** The resources of a state in which another provider manages the group and its databases. */
function resourcesOf(other: Other, { group, databases, token }: Objects): readonly Record<string, unknown>[] {
  const custom = { custom: true, parent: STACK, provider: `${PROVIDER.urn}::${PROVIDER.id}` };
  const groupUrn = urnOf(other.group, "shop");
  return [
    { urn: STACK, custom: false, type: "pulumi:pulumi:Stack" },
    { ...PROVIDER, custom: true, type: "pulumi:providers:turso", inputs: other.settings, outputs: other.settings },
    { ...custom, urn: groupUrn, type: other.group, id: "shop", ...other.groupState(group) },
    ...["carts", "orders"].map((name) => ({
      ...custom,
      urn: urnOf(other.database, name),
      type: other.database,
      id: name,
      ...other.databaseState(name, databases[name] ?? ""),
      dependencies: [groupUrn],
      propertyDependencies: { group: [groupUrn] },
    })),
    ...(other.token
      ? [
          {
            ...custom,
            urn: urnOf(other.token, "reader"),
            type: other.token,
            id: "reader",
            inputs: { authorization: "read-only", database: "orders", expiration: "720h" },
            outputs: {
              authorization: "read-only",
              database: "orders",
              expiration: "720h",
              expiresAt: "2030-01-01T01:00:00+01:00",
              // Its provider records the token in plain text too, which no test may do.
              jwt: PLAIN,
              token: secret(token),
            },
            dependencies: [urnOf(other.database, "orders")],
            propertyDependencies: { database: [urnOf(other.database, "orders")] },
          },
        ]
      : []),
  ];
}

async function importState(stack: Stack, resources: readonly unknown[]): Promise<void> {
  const state = await stack.exportState();
  const file = join(stack.folder, "state.json");
  writeFileSync(file, JSON.stringify({ ...state, deployment: { ...state.deployment, resources } }));
  expect(await stack.cli("stack", "import", "--file", file)).toMatchObject({ code: 0 });
  // An exported state contains secrets in plain text.
  rmSync(file);
}

async function setup(seed = SHOP) {
  const here = await engineFixture({ seed });
  const folder = yamlProject(PROJECT, "");
  const main = join(folder, "Main.yaml");
  writeFileSync(main, "resources: {}\n");
  const stack = await here.stack({ folder });
  const shell = new Shell(folder, { ...stack.environment, PULUMI_SKIP_CONFIRMATIONS: "true" });
  onTestFinished(() => shell.end());
  const { groups } = await here.outside.listGroups({ organizationSlug: here.api.organization });
  const group = groups.find(({ name }) => name === "shop")?.uuid ?? "";
  const databases = await here.databases();
  const { jwt: token } = await here.outside.createDatabaseTokenById({
    organizationId: here.api.organizationId,
    databaseId: databases.orders ?? "",
    query: { authorization: "read-only", expiration: "720h" },
  });
  here.takeWrites();
  return {
    here,
    stack,
    main,
    objects: { group, databases, token },
    /** Runs the commands of the page that begin with these texts, and returns their output. */
    async play(...beginnings: readonly string[]): Promise<string> {
      let all = "";
      for (const beginning of beginnings) {
        const command = commands.find((each) => each.startsWith(beginning));
        expect(command, beginning).toBeDefined();
        const { code, output } = await shell.run(command ?? "");
        expect(code, `${command}\n${output}`).toBe(0);
        all += output;
      }
      return all;
    },
    /** Replaces the program by the code that `pulumi import` generated. */
    replaceProgram: (more = "") => writeFileSync(main, readFileSync(join(folder, "moved.yaml"), "utf8") + more),
    /** Returns the files of the project and of the stack that contain the token in plain text. */
    filesWithToken: () => [...[token, PLAIN].flatMap((text) => filesWith(text, folder)), ...stack.filesWith(token)],
    types: async () => (await stack.exportState()).deployment.resources.map(({ type }: { type: string }) => type),
  };
}

const filesWith = (text: string, folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => readFileSync(file, "utf8").includes(text));

/** The token in a state, decrypted. */
const tokenIn = async (stack: Stack): Promise<unknown> => {
  const { output } = await stack.cli("stack", "export", "--show-secrets");
  const found = JSON.parse(output).deployment.resources.find(({ type }: { type: string }) => type === TOKEN);
  return found?.outputs.token;
};

const TOKEN = "dbplatform:index:DatabaseToken";

/** An API token that uses the group. */
const pipeline = (group: string) => `  pipeline:
    type: dbplatform:ApiToken
    properties:
      name: pipeline
      group: ${group}
      scopes: [read]
`;

/**
 * A provider as people write it by hand: the id of a group is its UUID, by which the group is deleted, and every 404
 * response counts as success.
 */
const HAND_WRITTEN = `
const pulumi = require("@pulumi/pulumi");

async function send(method, path, body) {
  const { DBPLATFORM_BASE_URL: address, DBPLATFORM_ORGANIZATION: slug, DBPLATFORM_API_TOKEN: token } = process.env;
  const request = { method, headers: { Authorization: "Bearer " + token }, body: JSON.stringify(body) };
  const response = await fetch(address + "/v1/organizations/" + slug + path, request);
  if (!response.ok && response.status !== 404) throw new Error(await response.text());
  return response.json();
}

class HandWritten extends pulumi.dynamic.Resource {
  constructor(name, path, inputs, options) {
    const provider = {
      async create(inputs) {
        const { group, database } = await send("POST", path, inputs);
        return { id: group ? group.uuid : database.Name, outs: inputs };
      },
      async delete(id) {
        await send("DELETE", path + "/" + id);
      },
    };
    super(provider, name, inputs, options);
  }
}

const shop = new HandWritten("shop", "/groups", { name: "shop", location: "aws-us-east-1" });
new HandWritten("orders", "/databases", { name: "orders", group: "shop" }, { dependsOn: [shop] });
`;

const DYNAMIC = commands.find((each) => each.startsWith("jq -r") && each.includes("dynamic")) ?? "";

const IMPORT = ["npx pulumi-dbplatform adopt", "pulumi import --file"];

test.each(Object.entries(OTHERS))("moves from %s without any change on the platform", async (_, other: Other) => {
  const { here, stack, objects, play, replaceProgram, types, filesWithToken } = await setup();
  await importState(stack, resourcesOf(other, objects));
  await play("(umask 077; pulumi stack export", "jq -r", "cat", "while read");
  expect(await types()).toEqual(["pulumi:pulumi:Stack"]);
  expect(await play(...IMPORT)).not.toContain(objects.token);
  replaceProgram();
  await play("pulumi preview --expect-no-changes", "rm");
  await stack.deploy();
  expect((await types()).filter((type: string) => type.includes("turso"))).toEqual([]);
  expect((await types()).filter((type: string) => type.startsWith("dbplatform:")).sort()).toEqual([
    "dbplatform:index:Database",
    "dbplatform:index:Database",
    "dbplatform:index:DatabaseConfiguration",
    ...(other.token ? [TOKEN] : []),
    "dbplatform:index:Group",
  ]);
  expect(await tokenIn(stack)).toEqual(other.token && secret(objects.token));
  expect(filesWithToken()).toEqual([]);
  expect(await here.databases()).toEqual(objects.databases);
  expect(here.takeWrites()).toEqual([]);
});

test.each(Object.entries(OTHERS))("moves from %s although another resource uses the group", async (_, other: Other) => {
  const { here, stack, main, objects, play, replaceProgram, types } = await setup();
  writeFileSync(main, `resources:\n${pipeline("shop")}`);
  await stack.deploy();
  const deployed = (await stack.exportState()).deployment.resources.slice(1);
  const [group] = resourcesOf(other, objects).filter(({ type }) => type === other.group);
  const using = { dependencies: [group?.urn], propertyDependencies: { group: [group?.urn] } };
  await importState(stack, [
    ...resourcesOf(other, objects),
    ...deployed.map((each: { type: string }) => (each.type.startsWith("dbplatform:") ? { ...each, ...using } : each)),
  ]);
  here.takeWrites();
  const refusal = await play("(umask 077; pulumi stack export", "jq -r", "while read");
  expect(refusal).toContain("can't be safely deleted");
  expect(await types()).toContain(other.group);
  await play("jq '[", "pulumi stack import --file without.json", ...IMPORT);
  replaceProgram(pipeline(`\${shopGroup.name}`));
  await play("pulumi preview --expect-no-changes");
  await stack.deploy();
  expect((await types()).filter((type: string) => type.includes("turso"))).toEqual([]);
  expect(await here.databases()).toEqual(objects.databases);
  expect(here.takeWrites()).toEqual([]);
});

test.each(Object.entries(OTHERS))(
  "moves from %s what a failed creation has left in no state",
  async (_, other: Other) => {
    const { here, stack, objects, play, replaceProgram } = await setup();
    const resources = resourcesOf(other, objects);
    // The token depends on the database that is missing.
    await importState(
      stack,
      resources.filter(({ id }) => id !== "orders" && id !== "reader"),
    );
    await play("pulumi stack export --file", "jq -r", "while read", ...IMPORT);
    replaceProgram();
    await play("pulumi preview --expect-no-changes");
    await stack.deploy();
    expect(await here.databases()).toEqual(objects.databases);
    expect(here.takeWrites()).toEqual([]);
  },
);

/** A project with the hand-written provider, which has created a group with a database. */
async function handWritten() {
  const moving = await setup(acmeWith(0));
  const { stack } = moving;
  const [project, program] = ["Pulumi.yaml", "index.js"].map((file) => join(stack.project, file)) as [string, string];
  const yaml = readFileSync(project, "utf8");
  writeFileSync(project, `name: ${PROJECT}\nruntime: nodejs\n`);
  writeFileSync(program, HAND_WRITTEN);
  await stack.deploy();
  /** Makes the project one in YAML, since the language host that can be built here generates no other code. */
  const change = () => writeFileSync(project, yaml);
  return { ...moving, change };
}

test("moves from a hand-written provider without any change on the platform", async () => {
  const { here, stack, play, replaceProgram, types, change } = await handWritten();
  const databases = await here.databases();
  expect(Object.keys(databases)).toEqual(["orders"]);
  here.takeWrites();
  change();
  await play("pulumi stack export --file", DYNAMIC, "while read", ...IMPORT);
  replaceProgram();
  await play("pulumi preview --expect-no-changes");
  await stack.deploy();
  expect((await types()).filter((type: string) => /dynamic|pulumi-nodejs/.test(type))).toEqual([]);
  expect(await here.databases()).toEqual(databases);
  expect(here.takeWrites()).toEqual([]);
});

test("finds the group that a hand-written provider has failed to delete", async () => {
  const { here, stack, play } = await handWritten();
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  const { groups } = await here.outside.listGroups({ organizationSlug: here.api.organization });
  expect(groups.map(({ name }) => name)).toContain("shop");
  await play("pulumi stack export --file");
  const { output } = await stack.shell("npx pulumi-dbplatform adopt --unmanaged before.json");
  expect(output).toMatch(/^Group +shop /m);
});

/** A dynamic provider as users write it. Its database contains a token for the database. */
const basketProvider: pulumi.dynamic.ResourceProvider = {
  async create({ name, group, url, apiToken }) {
    const post = async (path: string, body: object = {}) => {
      const headers = { authorization: `Bearer ${apiToken}`, "content-type": "application/json" };
      const request = { method: "POST", headers, body: JSON.stringify(body) };
      return (await fetch(`${url}/v1/organizations/acme/databases${path}`, request)).json();
    };
    const { database } = await post("", { name, group });
    const { jwt } = await post(`/${name}/auth/tokens?expiration=30d&authorization=read-only`);
    return { id: name, outs: { ...database, authToken: jwt } };
  },
};

class Basket extends pulumi.dynamic.Resource {
  declare readonly DbId: pulumi.Output<string>;
  declare readonly authToken: pulumi.Output<string>;

  constructor(inputs: { readonly url: string; readonly apiToken: pulumi.Output<string> }) {
    const outputs = { DbId: undefined, authToken: undefined };
    const options = { additionalSecretOutputs: ["authToken"] };
    super(basketProvider, "basket", { name: "basket", group: "shop", ...outputs, ...inputs }, options);
  }
}

/** Uses a database and a token that it does not manage. */
class Worker extends pulumi.dynamic.Resource {
  constructor(inputs: Record<string, pulumi.Output<string>>) {
    super({ create: async (outs) => ({ id: "worker", outs }) }, "worker", inputs);
  }
}

test("moves databases and tokens from dynamic providers without any change on the platform", async () => {
  const here = await engineFixture({ seed: SHOP });
  const { url, apiToken } = here.api;
  const reader = { expiration: "8d", renewBefore: "1d", keepers: { generation: "1" } };
  const stack = await here.stack(async () => {
    const { DbId, authToken } = new Basket({ url, apiToken: pulumi.secret(apiToken) });
    new Worker({ DbId, authToken });
    const { dbId } = new dynamic.Database("ours", { name: "ours", group: "shop" });
    return {
      basket: authToken,
      reader: new dynamic.DatabaseToken("reader", { database: dbId, ...reader }).token,
      writer: new dynamic.GroupToken("writer", { group: "shop" }).token,
      ci: new dynamic.ApiToken("ci", { name: "ci" }).token,
    };
  });
  await stack.deploy();
  const tokens = await stack.outputs();
  const databases = await here.databases();
  here.takeWrites();

  const command = commands.find((each) => each.startsWith("pulumi import --file <(")) ?? "";
  const options = "--generate-code=false --yes --non-interactive";
  const imported = await stack.shell(command.replace("--out moved.yaml", options));
  expect(imported, imported.output).toMatchObject({ code: 0 });
  expect(leaksIn(imported.output)).toEqual([]);
  expect(imported.output).toContain("6 imported");
  const early = await stack.up();
  expect(early.code).not.toBe(0);
  expect(early.output).toContain("protect");

  const old = (await stack.exportState()).deployment.resources
    .map(({ urn }: { urn: string }) => urn)
    .filter((urn: string) => urn.includes("::pulumi-nodejs:dynamic"))
    .reverse();
  for (const urn of old) expect(await stack.cli("state", "delete", "--yes", urn)).toMatchObject({ code: 0 });
  stack.program = async () => {
    const protect = true;
    const basket = new plugin.Database("basket", { name: "basket", group: "shop" }, { protect });
    const ours = new plugin.Database("ours", { name: "ours", group: "shop" }, { protect });
    const basketToken = { database: basket.dbId, expiration: "30d", authorization: "read-only" } as const;
    const readerToken = { database: ours.dbId, ...reader };
    return {
      basket: new plugin.DatabaseToken("basket", basketToken, { protect, parent: basket }).token,
      reader: new plugin.DatabaseToken("reader", readerToken, { protect, parent: ours }).token,
      writer: new plugin.GroupToken("writer", { group: "shop" }, { protect }).token,
      ci: new plugin.ApiToken("ci", { name: "ci" }, { protect }).token,
    };
  };
  const preview = await stack.preview({ expectNoChanges: true });
  expect(preview, preview.output).toMatchObject({ code: 0 });
  await stack.deploy();
  expect(await stack.outputs()).toEqual(tokens);
  expect(await stack.refresh({ expectNoChanges: true })).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual(databases);
  expect(here.takeWrites()).toEqual([]);
});
