import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Seed } from "../../../platform/reference/seed/seed";
import { HttpConnection } from "../../../provider/client/http/client";
import { linkModules } from "../../../tools/project";
import type { EngineFixture } from "../engine-fixture";
import { acmeWith } from "../seed";
import type { Stack } from "../stack";
import { yamlProjectFile } from "../yaml-project";
import type { Shell } from "./shell";

/** The platform, stack and shell that a story's steps use. */
export interface Stage {
  readonly here: EngineFixture;
  readonly stack: Stack;
  readonly shell: Shell;
}

/**
 * How a test runs the commands on a documentation page. The keys of all maps except `files` are the beginnings of
 * commands.
 */
export interface Story {
  /** The example in whose folder the commands run. */
  readonly example: string;
  readonly seed?: Seed;
  /** Steps that the page describes in prose. Each runs before the command that begins with its key. */
  readonly before?: Readonly<Record<string, (stage: Stage) => Promise<unknown>>>;
  /** Expected exit codes of the commands that do not exit with 0. */
  readonly codes?: Readonly<Record<string, number>>;
  /** Standard input for the commands that read it. */
  readonly inputs?: Readonly<Record<string, (stage: Stage) => string>>;
  /** Values for the placeholders in commands, such as `<DbId>`. */
  readonly facts?: Readonly<Record<string, (stage: Stage) => Promise<string>>>;
  /** Paths of files that the commands write and the page shows, by the language of the code block. */
  readonly files?: Readonly<Record<string, string>>;
}

const HOUR = 3_600;

const deploy = ({ shell }: Stage) => succeed(shell, "pulumi up --yes --skip-preview");

/**
 * Deploys the example, then deletes its database with the User-Agent of the official CLI, so that the audit log
 * records the CLI as the client.
 */
async function deployAndDelete(stage: Stage): Promise<void> {
  await deploy(stage);
  const { api, databases } = stage.here;
  const [databaseId = ""] = Object.values(await databases());
  const { url: baseUrl, apiToken, organizationId } = api;
  await new HttpConnection({ baseUrl, apiToken, userAgent: "turso-cli/1.0.4 (linux/amd64)" })
    .client({ signal: new AbortController().signal })
    .deleteDatabaseById({ organizationId, databaseId });
}

/** Deletes a group with two databases, unless the page has done so already. */
async function deleteTenants({ here: { outside, api, database } }: Stage): Promise<void> {
  const slug = { organizationSlug: api.organization };
  const { groups } = await outside.listDeletedGroups({ organizationId: api.organizationId });
  if (groups.length > 0) return;
  await outside.createGroup({ ...slug, body: { name: "tenants", location: "aws-us-east-1" } });
  for (const name of ["tenant-1", "tenant-2"]) await database(name, "tenants");
  await outside.deleteGroup({ ...slug, groupName: "tenants" });
}

async function succeed(shell: Shell, command: string): Promise<void> {
  const { code, output } = await shell.run(command);
  if (code !== 0) throw new Error(output);
}

/** Creates an empty YAML project and changes to its folder. Imports generate YAML code there, and need no SDK. */
async function enterEmptyProject({ shell, stack }: Stage): Promise<void> {
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

/** The pages whose commands are tested. The commands of a page run in order, in one shell. */
export const stories: Readonly<Record<string, Story>> = {
  "README.md": {
    example: "quickstart",
    before: { "pulumi preview": deploy },
  },
  "docs/adopt.md": {
    example: "yaml",
    seed: SHOP,
    before: {
      alias: enterEmptyProject,
      "npx pulumi-dbplatform adopt --unmanaged states": ({ here }) => here.database("scratch"),
    },
    codes: { "platform dbplatform:index:Database read": 1, "npx pulumi-dbplatform adopt --unmanaged --json": 1 },
    files: { yaml: "adopted.yaml" },
  },
  "docs/agents.md": {
    example: "ci",
    before: { "pulumi preview": ({ shell }) => succeed(shell, "pulumi config set group default") },
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
        const dbId = await here.database("archive");
        await here.delete(dbId);
        return dbId;
      },
    },
  },
  "docs/tokens.md": {
    example: "ci",
    before: { "pulumi preview": ({ shell }) => succeed(shell, "pulumi config set group default") },
    codes: { "npx pulumi-dbplatform scopes --allow": 7 },
  },
  "docs/testing.md": { example: "quickstart" },
};
