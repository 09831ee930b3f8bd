// @module-tag more

import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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

async function setup() {
  const here = await engineFixture({ seed: SHOP });
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
    folder,
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
    /** Returns the files of the project and of the stack that contain one of these texts. */
    filesWith: (texts: readonly string[]) =>
      texts.flatMap((text) => [...filesInFolder(folder, text), ...stack.filesWith(text)]),
    types: async () => (await stack.exportState()).deployment.resources.map(({ type }: { type: string }) => type),
  };
}

const filesInFolder = (folder: string, text: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => readFileSync(file, "utf8").includes(text));

/** Returns the tokens that a state contains as secrets, decrypted and sorted. */
async function tokensIn(stack: Stack): Promise<string[]> {
  const { output } = await stack.cli("stack", "export", "--show-secrets");
  const resources: readonly { readonly outputs?: Record<string, Partial<ReturnType<typeof secret>>> }[] =
    JSON.parse(output).deployment.resources;
  const values = resources.flatMap(({ outputs = {} }) => [outputs.token, outputs.authToken]);
  return [...new Set(values.flatMap((value) => (value?.plaintext ? [JSON.parse(value.plaintext)] : [])))].sort();
}

/** Returns the resources of a generated program, to be added to another one. */
const resourcesIn = (file: string) => readFileSync(file, "utf8").replace(/^resources:\n/, "");

/** An API token that uses the group. */
const pipeline = (group: string) => `  pipeline:
    type: dbplatform:ApiToken
    properties:
      name: pipeline
      group: ${group}
      scopes: [read]
`;

/**
 * A program with this package's dynamic providers and one as people write it by hand: the id of a group is its UUID, by
 * which the group is deleted, every 404 response counts as success, and a database has a token among its outputs.
 */
const DYNAMIC = `
const pulumi = require("@pulumi/pulumi");
const dbplatform = require("pulumi-dbplatform/dynamic");

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
        if (group) return { id: group.uuid, outs: inputs };
        const tokens = path + "/" + database.Name + "/auth/tokens?expiration=30d&authorization=read-only";
        const { jwt } = await send("POST", tokens);
        return { id: database.Name, outs: { ...database, authToken: jwt } };
      },
      async delete(id) {
        await send("DELETE", path + "/" + id);
      },
    };
    const outputs = { DbId: undefined, authToken: undefined };
    super(provider, name, { ...outputs, ...inputs }, { ...options, additionalSecretOutputs: ["authToken"] });
  }
}

/** Uses a database and a token that it does not manage. */
class Worker extends pulumi.dynamic.Resource {
  constructor(inputs) {
    super({ create: async (outs) => ({ id: "worker", outs }) }, "worker", inputs);
  }
}

const toys = new HandWritten("toys", "/groups", { name: "toys", location: "aws-us-east-1" });
const { DbId, authToken } = new HandWritten("basket", "/databases", { name: "basket", group: "toys" }, { dependsOn: toys });
new Worker({ DbId, authToken });
const { dbId } = new dbplatform.Database("ours", { name: "ours", group: "shop" });
const reader = { expiration: "8d", renewBefore: "1d", keepers: { generation: "1" } };
new dbplatform.DatabaseToken("reader", { database: dbId, ...reader });
new dbplatform.GroupToken("writer", { group: "shop" });
new dbplatform.ApiToken("ci", { name: "ci" });
`;

const EXPORT = "(umask 077; pulumi stack export";

const IMPORT = ["npx pulumi-dbplatform adopt", "pulumi import --file"];

test.each(Object.entries(OTHERS))("moves from %s without any change on the platform", async (_, other: Other) => {
  const { here, stack, objects, play, replaceProgram, types, filesWith } = await setup();
  await importState(stack, resourcesOf(other, objects));
  await play(EXPORT, "jq -r", "cat", "while read");
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
    ...(other.token ? ["dbplatform:index:DatabaseToken"] : []),
    "dbplatform:index:Group",
  ]);
  expect(await tokensIn(stack)).toEqual(other.token ? [objects.token] : []);
  expect(filesWith([objects.token, PLAIN])).toEqual([]);
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
  const refusal = await play(EXPORT, "jq -r", "while read");
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
    const { here, stack, folder, objects, play, replaceProgram, types } = await setup();
    const resources = resourcesOf(other, objects);
    // The token depends on the database that is missing.
    await importState(
      stack,
      resources.filter(({ id }) => id !== "orders" && id !== "reader"),
    );
    await play(EXPORT, "jq -r", "while read", ...IMPORT);
    await play("pulumi stack export |", "pulumi import --file more.json");
    replaceProgram(resourcesIn(join(folder, "more.yaml")));
    await play("pulumi preview --expect-no-changes");
    await stack.deploy();
    expect((await types()).filter((type: string) => type === "dbplatform:index:Database")).toHaveLength(2);
    expect(await here.databases()).toEqual(objects.databases);
    expect(here.takeWrites()).toEqual([]);
  },
);

/** A project in Node.js with dynamic providers, which have created groups, databases and tokens. */
async function dynamicProject() {
  const moving = await setup();
  const { folder, stack } = moving;
  const file = join(folder, "Pulumi.yaml");
  const yaml = readFileSync(file, "utf8");
  /** The language host that can be built here generates code in YAML only. */
  const use = (runtime: "yaml" | "nodejs") => writeFileSync(file, yaml.replace("runtime: yaml", `runtime: ${runtime}`));
  use("nodejs");
  writeFileSync(join(folder, "index.js"), DYNAMIC);
  await stack.deploy();
  return { ...moving, use };
}

test("moves databases and tokens from dynamic providers without any change on the platform", async () => {
  const { here, stack, play, replaceProgram, types, filesWith, use } = await dynamicProject();
  const [databases, tokens] = [await here.databases(), await tokensIn(stack)];
  expect(tokens).toHaveLength(4);
  here.takeWrites();
  use("yaml");
  const imported = await play("pulumi import --file <(");
  expect(imported).toContain("7 imported");
  expect(leaksIn(imported)).toEqual([]);
  use("nodejs");
  const early = await stack.up();
  expect(early.code).not.toBe(0);
  expect(early.output).toContain("protect");
  use("yaml");
  await play("pulumi stack export | jq", "while read");
  replaceProgram();
  await play("pulumi preview --expect-no-changes");
  await stack.deploy();
  expect((await types()).filter((type: string) => type.includes("dynamic"))).toEqual([]);
  expect(await tokensIn(stack)).toEqual(tokens);
  expect(filesWith(tokens)).toEqual([]);
  expect(await stack.refresh({ expectNoChanges: true })).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual(databases);
  expect(here.takeWrites()).toEqual([]);
});

test("finds the group that a hand-written provider has failed to delete", async () => {
  const { here, stack } = await dynamicProject();
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  const { groups } = await here.outside.listGroups({ organizationSlug: here.api.organization });
  expect(groups.map(({ name }) => name)).toContain("toys");
  const { output } = await stack.shell("pulumi stack export | npx pulumi-dbplatform adopt --unmanaged -");
  expect(output).toMatch(/^Group +toys /m);
});
