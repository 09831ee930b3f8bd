// Runs once, as root, while the image is built.

const { spawn } = require("node:child_process");
const { once } = require("node:events");
const { chmodSync, chownSync, mkdirSync, readdirSync } = require("node:fs");
const { join } = require("node:path");

/** The user of the image. Node.js keeps compiled code for each user, and for the flags that it was started with. */
const USER = 65532;

async function main() {
  // The group of users without a name, such as those of OpenShift, is 0.
  mkdirSync("/volumes/data", { recursive: true });
  chmodSync("/volumes/data", 0o770);
  await compile("/app");
}

/** Starts the server, so that it keeps its compiled code. A container cannot keep it, because its root is read-only. */
async function compile(folder) {
  const cache = join(folder, ".compile-cache");
  mkdirSync(cache);
  chownSync(cache, USER, USER);
  const command = [...process.execArgv, join(folder, "dist/cli.js"), "serve", "--sql", "--json"];
  const server = spawn(process.execPath, command, { stdio: ["ignore", "pipe", "inherit"], uid: USER, gid: USER });
  const ended = once(server, "exit");
  const [line] = await Promise.race([once(server.stdout, "data"), ended.then(() => [])]);
  // Without a process to wait for, Node.js would end with success.
  if (line === undefined) throw new Error("the server did not start");
  const { url, apiToken } = JSON.parse(line);
  const headers = { Authorization: `Bearer ${apiToken}` };
  for (const path of ["/_reference/health", "/v1/organizations/acme/databases"]) {
    const { ok, status } = await fetch(url + path, { headers });
    if (!ok) throw new Error(`${path}: ${status}`);
  }
  server.kill();
  const [code] = await ended;
  if (code !== 0) throw new Error(`the server ended with ${code}`);
  const compiled = readdirSync(cache, { recursive: true });
  if (compiled.length === 0) throw new Error("the server has kept no compiled code");
  // The server makes its cache unreadable for others, but a container may run as any user.
  for (const name of ["", ...compiled]) chmodSync(join(cache, name), 0o755);
}

main();
