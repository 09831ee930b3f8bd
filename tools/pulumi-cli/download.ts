import { createWriteStream } from "node:fs";
import { access, mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { EnvHttpProxyAgent, interceptors, request } from "undici";
import { PINNED } from "../versions";
import type { Progress } from "./progress";
import type { StagingFolders } from "./publish";
import { run } from "./run";

export interface DownloadOptions {
  readonly url: string;
  /** Milliseconds without data after which the download is cancelled. */
  readonly stallLimit: number;
  readonly env: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal | undefined;
  readonly progress: Progress;
}

/**
 * Returns the address of the archive that the npm package `pulumi` would download. The archive is downloaded directly,
 * because the npm package's installer has no timeout.
 */
export function officialArchive(): string {
  const windows = process.platform === "win32";
  const system = windows ? "windows" : process.platform;
  const file = `pulumi-v${PINNED.cli}-${system}-${process.arch}.${windows ? "zip" : "tar.gz"}`;
  return `https://get.pulumi.com/releases/sdk/${file}`;
}

/** Downloads an archive and unpacks the programs in it. */
export async function downloadCli({ scratch, whole }: StagingFolders, options: DownloadOptions): Promise<void> {
  const { url, env, signal, progress } = options;
  progress.say(`the download is ${url}`);
  await progress.during("downloading", (tell) => fetchTo(join(scratch, "archive"), options, tell));
  await progress.during("unpacking", async () => {
    // Uses a relative path, because some versions of tar take the "C:" of an absolute path for a host name.
    await run("tar", ["-xf", "archive"], { cwd: scratch, env, signal });
    await moveToBin(join(scratch, "pulumi"), whole);
  });
}

async function fetchTo(
  file: string,
  { url, stallLimit, signal }: DownloadOptions,
  tell: (detail: string) => void,
): Promise<void> {
  const stall = new AbortController();
  const timer = setTimeout(() => stall.abort(new Error(`no byte for ${stallLimit / 1000} s`)), stallLimit);
  const agent = new EnvHttpProxyAgent({ connect: { timeout: stallLimit } });
  const dispatcher = agent.compose(interceptors.redirect({ maxRedirections: 5 }));
  const either = AbortSignal.any(signal ? [signal, stall.signal] : [stall.signal]);
  try {
    const answer = request(url, { dispatcher, signal: either });
    // Waits for the signal separately, because undici ignores the signal until the connection is open, which may never
    // happen behind an unresponsive proxy.
    const { statusCode, headers, body } = await Promise.race([answer, rejectWhenDownloadAborts(either)]);
    if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`);
    const total = Number(headers["content-length"]);
    let received = 0;
    body.on("data", (chunk: Buffer) => {
      timer.refresh();
      received += chunk.length;
      tell(total ? `${megabytes(received)} of ${megabytes(total)} MB` : `${megabytes(received)} MB`);
    });
    await pipeline(body, createWriteStream(file));
  } finally {
    clearTimeout(timer);
    // Closes the connection, which would otherwise keep the process alive after a cancelled download.
    await agent.destroy();
  }
}

function rejectWhenDownloadAborts(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

/** Moves the unpacked programs to the final folder. Only archives for Windows contain a subfolder `bin`. */
async function moveToBin(unpacked: string, whole: string): Promise<void> {
  const own = join(unpacked, "bin");
  const hasOwn = await access(own).then(
    () => true,
    () => false,
  );
  await mkdir(whole, { recursive: true });
  await rename(hasOwn ? own : unpacked, join(whole, "bin"));
}
