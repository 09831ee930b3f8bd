import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { MINIMUM, PINNED } from "../versions";
import { buildCli, buildTakes, requiredGo } from "./build";
import { downloadCli, officialArchive } from "./download";
import { findAtHome, findOnPath, isWhole, type PulumiCli } from "./find";
import { homeFolder } from "./home";
import { withLock } from "./lock";
import { type Progress, progressLines, progressOn, seconds } from "./progress";
import { publish, removeUnfinished, type StagingFolders } from "./publish";

export type { PulumiCli } from "./find";

export interface EnsureOptions {
  /** Called with each line of progress. By default, lines are printed to standard error. */
  readonly say?: (line: string) => void;
  /** Cancels the installation and stops all programs that it has started. */
  readonly signal?: AbortSignal | undefined;
  readonly env?: NodeJS.ProcessEnv;
  /** Address of the archive to download. Default: Pulumi's official archive. */
  readonly archive?: string;
  /** Milliseconds without data after which the download is cancelled. Default: 10,000. */
  readonly stallLimit?: number;
}

interface Installer {
  readonly how: "downloaded" | "built";
  make(workshop: StagingFolders): Promise<void>;
}

/**
 * Finds the Pulumi CLI and its language host for Node.js. If no suitable CLI is installed, downloads one; if the
 * download fails, builds one.
 */
export async function ensurePulumiCli(options: EnsureOptions = {}): Promise<PulumiCli> {
  const { env = process.env, archive = officialArchive(), stallLimit = 10_000, signal } = options;
  const progress = options.say ? progressLines(options.say) : progressOn(process.stderr);
  const found = (await findOnPath(env)) ?? (await findAtHome(env));
  if (found) return reported(found, progress);
  const installers: Installer[] = [
    { how: "downloaded", make: (to) => downloadCli(to, { url: archive, stallLimit, env, signal, progress }) },
    { how: "built", make: (to) => buildCli(to, { env, signal, progress }) },
  ];
  const folder = homeFolder(env);
  progress.say(`no Pulumi CLI ${MINIMUM.cli} or newer on PATH, none in ${folder}`);
  await mkdir(dirname(folder), { recursive: true });
  const waiting = () => progress.say("another process is making the Pulumi CLI: waiting for it");
  return withLock(join(dirname(folder), `.${PINNED.cli}.lock`), { signal, waiting }, async () => {
    const finished = await findAtHome(env);
    if (finished) return reported(finished, progress);
    await removeUnfinished(folder);
    return makeCli(installers, { env, archive, signal, progress });
  });
}

function reported(cli: PulumiCli, progress: Progress): PulumiCli {
  progress.say(`Pulumi CLI ${cli.version} is in ${cli.bin}`);
  return cli;
}

interface Making {
  readonly env: NodeJS.ProcessEnv;
  readonly archive: string;
  readonly signal: AbortSignal | undefined;
  readonly progress: Progress;
}

async function makeCli(
  installers: readonly Installer[],
  { env, archive, signal, progress }: Making,
): Promise<PulumiCli> {
  const folder = homeFolder(env);
  const failures: Error[] = [];
  for (const { how, make } of installers) {
    const started = performance.now();
    const elapsed = () => seconds(performance.now() - started);
    try {
      await publish(folder, async (workshop) => {
        await make(workshop);
        signal?.throwIfAborted();
        if (!(await isWhole(join(workshop.whole, "bin"), env))) throw new Error("what was made does not run");
      });
      progress.say(`Pulumi CLI ${PINNED.cli} ${how} in ${elapsed()}`);
      return reported({ bin: join(folder, "bin"), version: PINNED.cli, how }, progress);
    } catch (failure) {
      signal?.throwIfAborted();
      if (!(failure instanceof Error)) throw failure;
      progress.say(`not ${how}, after ${elapsed()}: ${failure.message}`);
      failures.push(failure);
    }
  }
  throw new AggregateError(failures, await advice(folder, archive));
}

async function advice(folder: string, archive: string): Promise<string> {
  return [
    `No Pulumi CLI. Put one on PATH, ${MINIMUM.cli} or newer, with pulumi-language-nodejs: https://www.pulumi.com/docs/install/`,
    `Or let ${archive} be reached (HTTPS_PROXY is honoured), or unpack it so that ${join(folder, "bin", "pulumi")} is there.`,
    `Or put go ${await requiredGo()} or newer on PATH: then it is built from source (${buildTakes}).`,
  ].join("\n");
}
