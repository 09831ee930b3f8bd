import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import { version } from "../../package.json";
import { type PublishedFile, packPlugin } from "../../tools/release/archives";
import { packPackage } from "../../tools/release/package";
import { makeGoSdk, makePythonSdk } from "../../tools/release/sdks";
import { stamp } from "../../tools/release/stamp";
import { root } from "../../tools/run";

/** A server from which Pulumi downloads the plugin. */
export interface DownloadServer {
  readonly address: string;
  /** The files to serve. The URL path of each file is its base name. */
  files: readonly PublishedFile[];
  close(): void;
}

/** Starts a download server on loopback. */
export async function downloadServer(): Promise<DownloadServer> {
  const server = createServer(({ url = "" }, response) => {
    const file = started.files.find(({ path }) => `/${basename(path)}` === url);
    response
      // Sends the length, because Pulumi accepts no download without one.
      .writeHead(file ? 200 : 404, { "content-length": file?.bytes ?? 0 })
      .end(file && readFileSync(file.path));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const started: DownloadServer = { address, files: [], close: () => void server.close() };
  return started;
}

/** The files of a release that users install. */
export interface ReleaseFiles {
  readonly npmPackage: string;
  readonly wheel: string;
  readonly goModule: string;
  /** Path of the folder with the Go module. */
  readonly goFolder: string;
  readonly schema: string;
  /** Path of the copy of the repository from which the release was built. */
  readonly checkout: string;
}

/** Copies the repository, without what git ignores. The copy shares the installed packages. */
export function copyRepository(checkout: string): void {
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root }).toString();
  const files = listed.trim().split("\n");
  for (const file of files) if (existsSync(join(root, file))) cpSync(join(root, file), join(checkout, file));
  symlinkSync(join(root, "node_modules"), join(checkout, "node_modules"));
}

/** Builds a release in a copy of the repository, as `npm run release` does. */
export async function stampedRelease(
  folder: string,
  repository: string,
  server: DownloadServer,
): Promise<ReleaseFiles> {
  const checkout = join(folder, "checkout");
  copyRepository(checkout);
  const run = async (program: string, args: readonly string[], cwd: string) =>
    execFileSync(program, args, { cwd, stdio: "pipe" }).toString();
  await stamp(version, { repository, downloadUrl: server.address }, { checkout, run });
  await run("npm", ["run", "build"], checkout);
  server.files = packPlugin(checkout, version, join(folder, "archives"));
  const goFolder = join(folder, "go");
  return {
    npmPackage: packPackage(checkout, folder),
    wheel: await makePythonSdk({ checkout, folder: join(folder, "python"), run }),
    goModule: await makeGoSdk({ checkout, folder: goFolder, run }),
    goFolder,
    schema: join(checkout, "schema.json"),
    checkout,
  };
}
