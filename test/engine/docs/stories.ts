import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { nameOf } from "../../../examples/tenants-at-run-time/tenants";
import type { Seed } from "../../../platform/reference/seed/seed";
import { HttpConnection } from "../../../provider/client/http/client";
import { linkModules } from "../../../tools/project";
import { root } from "../../../tools/run";
import { blocksOf } from "../../docs/blocks";
import { clientOf, type EngineFixture } from "../engine-fixture";
import { acmeWith } from "../seed";
import type { Stack } from "../stack";
import { yamlProjectFile } from "../yaml-project";
import type { Shell } from "./shell";

/** The platform, stack and shell that a story's steps use. */
export interface PageStage {
  readonly here: EngineFixture;
  readonly stack: Stack;
  readonly shell: Shell;
}

/**
 * How a test runs the commands on a documentation page. The keys of all maps except `files` are the beginnings of
 * commands.
 */
export interface PageStory {
  /** The example in whose folder the commands run. */
  readonly example: string;
  readonly seed?: Seed;
  /** Whether the platform serves SQL. */
  readonly sql?: true;
  /** Steps that the page describes in prose. Each runs before the command that begins with its key. */
  readonly before?: Readonly<Record<string, (stage: PageStage) => Promise<unknown>>>;
  /** Checks of the platform and of the output. Each runs after the commands that begin with its key. */
  readonly after?: Readonly<Record<string, (stage: PageStage, output: string) => Promise<unknown>>>;
  /** Checks after the last command. */
  readonly afterwards?: (stage: PageStage) => Promise<unknown>;
  /** Expected exit codes of the commands that do not exit with 0. */
  readonly codes?: Readonly<Record<string, number>>;
  /** Standard input for the commands that read it. */
  readonly inputs?: Readonly<Record<string, (stage: PageStage) => string>>;
  /** Values for the placeholders in commands, such as `<DbId>`. */
  readonly facts?: Readonly<Record<string, (stage: PageStage) => Promise<string>>>;
  /** Paths of files that the commands write and the page shows, by the language of the code block. */
  readonly files?: Readonly<Record<string, string>>;
}

const HOUR = 3_600;

const deploy = ({ shell }: PageStage) => succeed(shell, "pulumi up --yes --skip-preview");

/**
 * Deploys the example, then deletes its database with the User-Agent of the official CLI, so that the audit log
 * records the CLI as the client.
 */
async function deployAndDelete(stage: PageStage): Promise<void> {
  await deploy(stage);
  const { api, databases } = stage.here;
  const [databaseId = ""] = Object.values(await databases());
  const { url: baseUrl, apiToken, organizationId } = api;
  await new HttpConnection({ baseUrl, apiToken, userAgent: "turso-cli/1.0.4 (linux/amd64)" })
    .client({ signal: new AbortController().signal })
    .deleteDatabaseById({ organizationId, databaseId });
}

/** Deletes a group with two databases, unless the page has done so already. */
async function deleteTenants({ here: { outside, api, createDatabase } }: PageStage): Promise<void> {
  const slug = { organizationSlug: api.organization };
  const { groups } = await outside.listDeletedGroups({ organizationId: api.organizationId });
  if (groups.length > 0) return;
  await outside.createGroup({ ...slug, body: { name: "tenants", location: "aws-us-east-1" } });
  for (const name of ["tenant-1", "tenant-2"]) await createDatabase(name, "tenants");
  await outside.deleteGroup({ ...slug, groupName: "tenants" });
}

async function succeed(shell: Shell, command: string): Promise<void> {
  const { code, output } = await shell.run(command);
  if (code !== 0) throw new Error(output);
}

/** Creates an empty YAML project and changes to its folder. Imports generate YAML code there, and need no SDK. */
async function enterEmptyProject({ shell, stack }: PageStage): Promise<void> {
  const folder = join(stack.folder, "empty");
  mkdirSync(folder);
  linkModules(folder);
  writeFileSync(join(folder, "Pulumi.yaml"), yamlProjectFile("adopted"));
  writeFileSync(join(folder, "Main.yaml"), "resources: {}\n");
  await succeed(shell, `cd '${folder}'`);
  await succeed(shell, "pulumi stack init dev");
}

const SHOP = acmeWith(
  0,
  { name: "orders", allowed_ips: ["10.0.0.0/8"], delete_protection: true },
  { name: "carts" },
  { name: "sessions" },
  { name: "invoices", uuid: "434bbb71-2167-4e71-aa7d-939dcae6902b", deleted_at: "-2d" },
);

/** Values of tokens that the page declares leaked, by the name of the output. */
const leaked: Record<string, unknown> = {};

const codeOnPage = (beginning: string): string =>
  blocksOf("docs/tokens.md").find(({ language, text }) => language === "typescript" && text.includes(beginning))
    ?.text ?? "";

/** Replaces the program by one with the objects to which the code refers, and exports the tokens that it creates. */
function writeTokenProgram({ stack }: PageStage, code: string): void {
  const tokens = [...code.matchAll(/const (\w+) = new dbplatform\.\w+Token/g)].map(([, name]) => name);
  const program = [
    'import * as dbplatform from "pulumi-dbplatform";',
    'const production = new dbplatform.Group("production", { location: "aws-us-east-1" });',
    'const orders = new dbplatform.Database("orders", { group: production.id });',
    code,
    "export const dbId = orders.dbId;",
    ...tokens.map((name) => `export const ${name}Token = ${name}.token;`),
  ];
  writeFileSync(join(stack.project, "index.ts"), program.join("\n"));
}

const isApiTokenValid = ({ here: { api } }: PageStage, token: unknown): Promise<boolean> =>
  clientOf(api, String(token))
    .validateApiToken({})
    .then(
      () => true,
      () => false,
    );

const isSqlTokenValid = async ({ here: { api }, stack }: PageStage, token: unknown): Promise<boolean> =>
  api.verifySqlToken(String(token), String((await stack.outputs()).dbId)).then(
    () => true,
    () => false,
  );

/** The databases that `adopt` lists before they are deleted and restored. */
const adopted: Record<string, string> = {};

/** Returns the ids in a table of databases, by name. */
const listedIn = (output: string): Record<string, string> =>
  Object.fromEntries([...output.matchAll(/^Database +(\S+) +(\S+)/gm)].map(([, name = "", id = ""]) => [name, id]));

/** The pages whose commands are tested. The commands of a page run in order, in one shell. */
export const stories: Readonly<Record<string, PageStory>> = {
  "README.md": {
    example: "quickstart",
    before: { "pulumi preview": deploy },
  },
  "docs/adopt.md": {
    example: "yaml",
    seed: SHOP,
    before: {
      alias: enterEmptyProject,
      "npx pulumi-dbplatform adopt --unmanaged states": ({ here }) => here.createDatabase("scratch"),
    },
    codes: { "platform dbplatform:index:Database read": 1, "npx pulumi-dbplatform adopt --unmanaged --json": 1 },
    files: { yaml: "adopted.yaml" },
  },
  "docs/agents.md": {
    example: "ci",
    before: { "pulumi preview": ({ shell }) => succeed(shell, "pulumi config set group default") },
  },
  "docs/deletion-safety.md": {
    example: "quickstart",
    before: {
      async "pulumi config set"(stage) {
        await deploy(stage);
        // A credential that the other organization would accept.
        await succeed(stage.shell, `export DBPLATFORM_API_TOKEN=${stage.here.api.unrestrictedToken}`);
      },
    },
    codes: { "DBPLATFORM_ORGANIZATION=globex pulumi preview": 1 },
  },
  "docs/drift.md": {
    example: "quickstart",
    before: { "pulumi preview": deployAndDelete },
    codes: { "pulumi preview": 7 },
  },
  "docs/encryption.md": { example: "quickstart" },
  "docs/installation-configuration.md": {
    example: "quickstart",
    inputs: { "pulumi config set --secret": ({ here }) => `${here.api.apiToken}\n` },
  },
  "docs/reference-api.md": { example: "quickstart" },
  "docs/rehearsal.md": { example: "quickstart", before: { "npx pulumi-dbplatform api seed": deployAndDelete } },
  "docs/restore.md": {
    example: "quickstart",
    before: {
      "pulumi preview": deployAndDelete,
      "npx pulumi-dbplatform adopt --deleted states": ({ here }) => here.api.advance(18.5 * HOUR),
      "npx pulumi-dbplatform adopt --deleted --fail-within": ({ here }) => here.api.advance(72 * HOUR),
      "npx pulumi-dbplatform restore --since 10m": deleteTenants,
      "pulumi import": enterEmptyProject,
    },
    codes: { "npx pulumi-dbplatform adopt --deleted --fail-within": 7 },
    facts: {
      "<DbId>": async ({ here }) => {
        const dbId = await here.createDatabase("archive");
        await here.deleteDatabase(dbId);
        return dbId;
      },
    },
  },
  "docs/tokens.md": {
    example: "ci",
    before: {
      "pulumi preview": ({ shell }) => succeed(shell, "pulumi config set group default"),
      'pulumi up -m "Replace': async (stage) => {
        const block = codeOnPage("new dbplatform.ApiToken");
        writeTokenProgram(stage, block.replace(/ *keepers: .*\n/, ""));
        await deploy(stage);
        Object.assign(leaked, await stage.stack.outputs());
        expect(await isApiTokenValid(stage, leaked.pipelineToken)).toBe(true);
        writeTokenProgram(stage, block);
      },
      'pulumi up -m "Prepare': async (stage) => {
        const block = codeOnPage("new dbplatform.SigningKeyRotation");
        writeTokenProgram(stage, 'const app = new dbplatform.DatabaseToken("app", { database: orders.dbId });\n');
        await deploy(stage);
        Object.assign(leaked, await stage.stack.outputs());
        writeTokenProgram(stage, block);
      },
      'pulumi up -m "Rotate': async (stage) =>
        writeTokenProgram(stage, codeOnPage("new dbplatform.SigningKeyRotation").replace("never", "2026-12-01")),
    },
    after: {
      'pulumi up -m "Replace': async (stage) => {
        const { pipelineToken } = await stage.stack.outputs();
        expect(await isApiTokenValid(stage, leaked.pipelineToken)).toBe(false);
        expect(await isApiTokenValid(stage, pipelineToken)).toBe(true);
      },
      'pulumi up -m "Prepare': async (stage) => expect(await isSqlTokenValid(stage, leaked.appToken)).toBe(true),
      'pulumi up -m "Rotate': async (stage) => {
        const { appToken } = await stage.stack.outputs();
        expect(await isSqlTokenValid(stage, leaked.appToken)).toBe(false);
        expect(await isSqlTokenValid(stage, appToken)).toBe(true);
      },
    },
    codes: { "npx pulumi-dbplatform scopes --allow": 7 },
  },
  "docs/testing.md": { example: "quickstart" },
  "examples/restore/README.md": {
    example: "restore",
    async afterwards({ here, stack }) {
      expect(here.takeWrites()).toEqual([
        "createGroup",
        "createDatabase",
        "updateDatabaseConfiguration",
        "createDatabase",
        "deleteDatabase",
        "deleteDatabase",
        "restoreDatabase",
        "updateDatabaseConfiguration",
        "restoreDatabase",
        "deleteGroup",
        "restoreGroup",
        "updateDatabaseConfiguration",
      ]);
      const { ordersName, dbIds } = (await stack.outputs()) as { ordersName: string; dbIds: Record<string, string> };
      expect(await here.databases()).toEqual({ [ordersName]: dbIds.orders, archive: dbIds.archive });
    },
  },
  "examples/tenants-at-run-time/README.md": {
    example: "tenants-at-run-time",
    sql: true,
    before: {
      "pulumi up --yes": async ({ here, stack }) => {
        execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", stack.project]);
        await here.createDatabase("scratch");
      },
    },
    after: {
      "npx pulumi-dbplatform adopt --unmanaged --group default": async ({ here }, output) =>
        expect(listedIn(output)).toEqual({ scratch: (await here.databases()).scratch }),
      'npx pulumi-dbplatform adopt --unmanaged --group "$TENANTS_GROUP"': async ({ here }, output) => {
        const { scratch: _, ...tenants } = await here.databases();
        expect(listedIn(output)).toEqual(tenants);
        Object.assign(adopted, tenants);
      },
      "npx pulumi-dbplatform restore": async ({ here }, output) => {
        expect(output).toContain("Restored 2 objects.\n");
        expect(listedIn(output)).toEqual(adopted);
        expect(await here.databases()).toMatchObject(adopted);
      },
      "node main.ts globex": async (_, output) => expect(output).toMatch(/^Buy milk$/m),
    },
    async afterwards({ shell }) {
      expect(Object.keys(adopted).sort()).toEqual([nameOf("globex"), nameOf("hooli")].sort());
      const { output } = await shell.run("node main.ts hooli");
      const notes = Array.from({ length: 10 }, (_, index) => `Note ${index + 1}`);
      expect(output.match(/^Note .*/gm)?.sort()).toEqual(notes.sort());
    },
  },
};
