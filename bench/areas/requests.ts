import type { PulumiFn } from "@pulumi/pulumi/automation";
import * as dbplatform from "pulumi-dbplatform";
import type { Bench } from "../bench";
import { MeasuredPlatform } from "../engine/measured-platform";
import { MeasuredStack } from "../engine/measured-stack";
import { Figures } from "../figures";
import type { Measurement } from "../measurement";

const COUNT = 50;

/** Settings that lists show, so that a preview sends as many requests for 50 configurations as for 500. */
const LISTED = [
  ["requests: preview, 50 with deleteProtection", { deleteProtection: false }],
  ["requests: preview, 50 with allowedIps", { allowedIps: ["10.0.0.0/8"] }],
] as const satisfies readonly [string, Wanted["settings"]][];

/** The kinds of resources that the program declares. It declares COUNT resources of each kind. */
interface Wanted {
  readonly databases?: true;
  /** The settings in each database's configuration. Without them, the databases have no configurations. */
  readonly settings?: Omit<dbplatform.DatabaseConfigurationArgs, "database">;
  readonly tokens?: true;
}

const program =
  ({ databases, settings, tokens }: Wanted): PulumiFn =>
  async () => {
    for (let index = 0; index < COUNT; index++) {
      if (tokens) new dbplatform.ApiToken(`token-${index}`, { name: `token-${index}` });
      if (!databases) continue;
      const { id } = new dbplatform.Database(`db-${index}`, { name: `db-${index}`, group: "default" });
      if (settings) new dbplatform.DatabaseConfiguration(`db-${index}`, { database: id, ...settings });
    }
  };

/**
 * Counts the requests that each operation sends, using the journal of the reference API, and measures how many bytes a
 * Database takes up in the state.
 */
export async function requests(bench: Bench): Promise<readonly Measurement[]> {
  const figures = new Figures();
  console.error("requests of each operation");
  const platform = await MeasuredPlatform.start();
  try {
    await eachOperation(bench, platform, figures);
    await restoration(bench, platform, figures);
  } finally {
    await platform.end();
  }
  return figures.measurements();
}

/**
 * Counts the requests sent by creates, updates and deletes. Reads before updates are turned off, because they are
 * measured separately.
 */
async function eachOperation(bench: Bench, platform: MeasuredPlatform, figures: Figures): Promise<void> {
  const stack = await open(bench, platform, { "dbplatform:driftDetection": "on-refresh" });
  const count = (wanted: Wanted) => requestsOf(stack, platform, wanted);
  try {
    figures.add("requests: create 50 databases", { ours: await count({ databases: true }) });
    await count({ databases: true, settings: { sizeLimit: "1gb" } });
    figures.add("requests: update 50 configurations", {
      ours: await count({ databases: true, settings: { sizeLimit: "2gb" } }),
    });
    figures.add("requests: delete 50 databases", { ours: await count({}) });
    figures.add("requests: create 50 with configurations", {
      ours: await count({ databases: true, settings: { sizeLimit: "1gb" } }),
    });
    figures.add("requests: mint 50 tokens", {
      ours: await count({ databases: true, settings: { sizeLimit: "1gb" }, tokens: true }),
    });
    figures.add("requests: revoke 50 tokens", {
      ours: await count({ databases: true, settings: { sizeLimit: "1gb" } }),
    });
    await count({});
  } finally {
    stack.remove();
  }
}

async function restoration(bench: Bench, platform: MeasuredPlatform, figures: Figures): Promise<void> {
  const stack = await open(bench, platform, {});
  try {
    const wanted: Wanted = { databases: true, settings: { sizeLimit: "1gb" } };
    await requestsOf(stack, platform, wanted);
    figures.add("state of a Database", { ours: await sizeOfDatabase(stack) });
    for (const [title, settings] of LISTED) {
      await requestsOf(stack, platform, { databases: true, settings });
      await platform.requests();
      await stack.preview();
      figures.add(title, { ours: (await platform.requests()).length });
    }
    await requestsOf(stack, platform, wanted);
    await platform.deleteDatabases();
    figures.add("requests: restore 50 with configurations", { ours: await requestsOf(stack, platform, wanted) });
  } finally {
    stack.remove();
  }
}

const open = ({ folder, bin, plugins }: Bench, { environment }: MeasuredPlatform, config: Record<string, string>) =>
  MeasuredStack.create({
    folder,
    bin,
    program: program({}),
    plugin: plugins.ours,
    environment,
    config,
    checkpoints: false,
  });

async function requestsOf(stack: MeasuredStack, platform: MeasuredPlatform, wanted: Wanted): Promise<number> {
  stack.program = program(wanted);
  await platform.requests();
  await stack.up();
  return (await platform.requests()).length;
}

/**
 * Returns the size of a Database in the exported state, in bytes, excluding the source positions that the engine adds.
 */
async function sizeOfDatabase(stack: MeasuredStack): Promise<number> {
  const { deployment } = await stack.state();
  const all: { readonly type: string; readonly sourcePosition?: unknown; readonly stackTrace?: unknown }[] =
    deployment.resources;
  const sizes = all
    .filter(({ type }) => type === "dbplatform:index:Database")
    .map(({ sourcePosition, stackTrace, ...database }) => JSON.stringify(database).length);
  return Math.max(...sizes);
}
