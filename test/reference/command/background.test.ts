// @module-tag the-reference-api

import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  dataServed,
  defaultDataUnusable,
  foreignFolder,
  nextInTerminal,
  noServerInBackground,
  noSnapshots,
  portServed,
  serverStopped,
  severalInBackground,
  snapshotDeleted,
  snapshotLine,
  snapshotLoaded,
  snapshotSaved,
} from "../../../platform/reference/command/messages";
import { API_COMMAND } from "../../../provider/command/main";
import { freePort } from "../../free-port";
import { bundledCommand } from "../bundle";

const root = join(__dirname, "../../..");

const command = bundledCommand();

/** Creates a shell whose background servers are invisible to other tests and stop when the test ends. */
function shell() {
  const folder = mkdtempSync(join(tmpdir(), "reference-"));
  const prelude = `dbplatform_api() { "${process.execPath}" "${command}" api "$@"; }`;
  const run = (script: string): Promise<{ code: number; stdout: string; stderr: string }> =>
    new Promise((resolve) => {
      const env = { ...process.env, TMPDIR: folder, XDG_DATA_HOME: join(folder, "data") };
      execFile("sh", ["-c", `${prelude}\n${script}`], { cwd: root, env }, (failure, stdout, stderr) =>
        resolve({ code: Number(failure?.code ?? 0), stdout, stderr }),
      );
    });
  const own = join(folder, `dbplatform-api-${process.getuid?.()}`);
  onTestFinished(async () => {
    const { stdout = "", stderr } = await run("dbplatform_api stop");
    for (const [, port] of (stdout + stderr).matchAll(/--port (\d+)/g)) await run(`dbplatform_api stop --port ${port}`);
    rmSync(folder, { recursive: true });
  });
  return { run, folder, own, files: (ending: string) => readdirSync(own).filter((name) => name.endsWith(ending)) };
}

/** Returns the path of the data that servers use if they start in this repository without `--data`. */
function dataIn(folder: string): string {
  const files = readdirSync(join(folder, "data/dbplatform-api")).filter((name) => name.endsWith(".db"));
  expect(files).toHaveLength(1);
  return join(folder, "data/dbplatform-api", files[0] ?? "");
}

test("says what to do if the folder for the data cannot be created, and accepts long names of folders", async () => {
  const { run, folder } = shell();
  const file = join(folder, "file");
  const unusable = await run(`touch "${file}"; XDG_DATA_HOME="${file}" dbplatform_api serve --background`);
  expect(unusable).toMatchObject({ code: 1, stdout: "false\n" });
  expect(unusable.stderr).toContain(
    defaultDataUnusable({ folder: join(file, "dbplatform-api"), reason: "" }).split(": ")[0],
  );
  const long = join(folder, "x".repeat(250));
  mkdirSync(long);
  const { code, stderr } = await run(`
    cd "${long}" && eval "$(dbplatform_api serve --background)" && dbplatform_api stop`);
  expect({ code, stderr }).toMatchObject({ code: 0 });
});

test("sets the shell's variables with a single `eval`, and removes the server's files on `stop`", async () => {
  const { run, folder, own } = shell();
  const { code, stdout, stderr } = await run(`
    export DBPLATFORM_ORGANIZATION_ID=other
    eval "$(dbplatform_api serve --background)" || exit 1
    curl --silent --fail --header "Authorization: Bearer $DBPLATFORM_API_TOKEN" \\
      "$DBPLATFORM_BASE_URL/v1/organizations/$DBPLATFORM_ORGANIZATION/groups" || exit 2
    curl --silent --fail --header "Authorization: Bearer $TURSO_API_TOKEN" "$TURSO_API_BASEURL/v1/user" || exit 3
    echo && cat ${own}/*.log && test -z "$DBPLATFORM_ORGANIZATION_ID" || exit 4
    dbplatform_api stop && curl --silent "$DBPLATFORM_BASE_URL"; test $? = 7`);
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/"default".*"ada".* 200 GET .* listGroups /s),
  });
  const [, url = ""] = /^Serving organization acme \(.*\) at (\S+) in the background\.$/m.exec(stderr) ?? [];
  expect(stdout.trimEnd().split("\n").at(-1)).toBe(serverStopped({ url, data: dataIn(folder) }));
  expect(stderr).toContain(`Its log is ${own}/`);
  expect(readdirSync(own)).toEqual([]);
});

test.each([
  ["lets a shell evaluate the lines", 'eval "$(START)"', true],
  ["shows the lines", "START", false],
])("`serve --background` in a terminal that %s names the page and the next command", async (_, script, isEvaluated) => {
  const { run, folder } = shell();
  const file = join(folder, "commands.sh");
  const start = `"${process.execPath}" "${command}" api serve --background --data :memory:`;
  writeFileSync(file, script.replace("START", start));
  // `script` runs the commands in a pseudo-terminal, which prints carriage returns.
  const { stdout } = await run(`script --quiet --return --command "sh '${file}'" /dev/null </dev/null`);
  const [, page = ""] = / at (\S+) in the background/.exec(stdout) ?? [];
  expect(stdout.replaceAll("\r", "")).toContain(
    nextInTerminal({ page, isEvaluated, firstCommand: API_COMMAND.client.firstCommand }),
  );
});

test("`serve --background` makes `eval` fail if an option is invalid, or the port or data is in use", async () => {
  const { run, folder } = shell();
  const port = await freePort();
  const data = join(folder, "shop.db");
  const start = await run(`dbplatform_api serve --background --json --port ${port} --data ${data}`);
  const { url, apiToken, log } = JSON.parse(start.stdout);
  expect({ url, stderr: start.stderr }).toEqual({ url: `http://127.0.0.1:${port}`, stderr: "" });
  expect(log).toContain(folder);
  expect(await run('eval "$(dbplatform_api serve --background --port none)"')).toMatchObject({ code: 1, stdout: "" });
  expect(await run(`dbplatform_api serve --background --data :memory: --port ${port}`)).toEqual({
    code: 1,
    stdout: "false\n",
    stderr: `${portServed({ url, port, command: API_COMMAND.npx })}\n`,
  });
  expect(await run(`dbplatform_api serve --background --data ${data}`)).toEqual({
    code: 1,
    stdout: "false\n",
    stderr: `${dataServed({ place: data, url, port, command: API_COMMAND.npx })}\n`,
  });
  const answer = await fetch(`${url}/v1/user`, { headers: { authorization: `Bearer ${apiToken}` } });
  expect(answer.status).toBe(200);
});

test("restarts after the server is killed, without stopping unrelated processes", async () => {
  const { run, own, files } = shell();
  const port = await freePort();
  const start = `serve --background --json --port ${port}`;
  await run(`dbplatform_api ${start}`);
  expect(files(".json")).toHaveLength(1);
  const pid = Number(execFileSync("sh", ["-c", `pgrep -f '${command} api ${start}$'`]));
  process.kill(pid, "SIGKILL");
  await expect.poll(() => fetch(`http://127.0.0.1:${port}`).catch(() => "gone")).toBe("gone");

  const other = createServer((_, response) => response.end("other")).listen(port, "127.0.0.1");
  await once(other, "listening");
  const nothing = {
    code: 1,
    stdout: "",
    stderr: `${noServerInBackground({ folder: own, option: "--port", wantedPort: port })}\n`,
  };
  expect(await run(`dbplatform_api stop --port ${port}`)).toEqual(nothing);
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe("other");
  expect(files(".log")).toHaveLength(1);
  expect(await run(`dbplatform_api ${start}`)).toMatchObject({ code: 1, stdout: "" });
  expect(readdirSync(own)).toEqual([]);
  await once(other.close(), "close");

  expect(JSON.parse((await run(`dbplatform_api ${start}`)).stdout).url).toBe(`http://127.0.0.1:${port}`);
  expect(await run("dbplatform_api stop")).toMatchObject({ code: 0 });
});

test("a start removes what servers have left that were killed while they started, long ago", async () => {
  const { run, own, files } = shell();
  expect(await run("dbplatform_api serve --background --data :memory:")).toMatchObject({ code: 0 });
  const left = ["1a2b3c4d.log", "99999999.json.part"];
  const starting = "5e6f7a8b.log";
  for (const name of [...left, starting]) writeFileSync(join(own, name), "");
  for (const name of [...left, ...files(".log")])
    if (name !== starting) utimesSync(join(own, name), new Date(0), new Date(0));
  expect(await run("dbplatform_api serve --background --data :memory:")).toMatchObject({ code: 0 });
  expect(files(".part")).toEqual([]);
  expect(files(".json")).toHaveLength(2);
  expect(files(".log")).toHaveLength(3);
  expect(files(".log")).toContain(starting);
});

test("`stop` asks for a port if several servers are running, and says where it looked if none is", async () => {
  const { run, folder, own } = shell();
  expect(await run(`export TMPDIR=${relative(root, folder)}; dbplatform_api stop`)).toEqual({
    code: 1,
    stdout: "",
    stderr: `${noServerInBackground({ folder: own, option: "--port" })}\n`,
  });
  const ports = [await freePort(), await freePort()].sort();
  for (const port of ports) await run(`dbplatform_api serve --background --data :memory: --port ${port}`);
  const { code, stderr } = await run("dbplatform_api stop");
  expect({ code, lines: stderr.trim().split("\n").sort() }).toEqual({
    code: 1,
    lines: severalInBackground({ choices: ports.map((port) => `--port ${port}`) })
      .split("\n")
      .sort(),
  });
  expect(await run(`dbplatform_api stop --port ${ports[0]}`)).toMatchObject({ code: 0 });
  expect(await run("dbplatform_api stop")).toMatchObject({ code: 0 });
});

test("refuses a state folder that other users can access", async () => {
  const { run, own } = shell();
  mkdirSync(own);
  chmodSync(own, 0o755);
  const refused = { code: 1, stdout: "", stderr: `${foreignFolder({ folder: own })}\n` };
  expect(await run("dbplatform_api serve --background")).toEqual({ ...refused, stdout: "false\n" });
  expect(await run("dbplatform_api stop")).toEqual(refused);
  rmSync(own, { recursive: true });
});

/** Has the command line of a server in the background, but ends at once. */
const ENDED_SERVER = `"${process.execPath}" --max-semi-space-size=8 -e "" serve --background`;

test.each([
  ["an unrelated process", "echo $$; exec sleep 100", "S"],
  ["an ended server that its parent does not wait for", `${ENDED_SERVER} & echo $!; exec sleep 100`, "Z"],
])("`stop` ignores a file with the process id of %s", async (_, script, state) => {
  const { run, own, files } = shell();
  const parent = spawn("sh", ["-c", script]);
  onTestFinished(() => void parent.kill());
  const [line] = await once(parent.stdout, "data");
  const pid = Number(line);
  await expect.poll(() => readFileSync(`/proc/${pid}/stat`, "utf8")).toContain(`) ${state} `);
  mkdirSync(own, { mode: 0o700 });
  writeFileSync(join(own, `${pid}.json`), JSON.stringify({ url: "http://127.0.0.1:9", log: join(own, "0.log") }));
  expect(await run("dbplatform_api stop")).toEqual({
    code: 1,
    stdout: "",
    stderr: `${noServerInBackground({ folder: own, option: "--port" })}\n`,
  });
  expect(parent.exitCode ?? parent.signalCode).toBeNull();
  expect(await run("dbplatform_api serve --background --data :memory:")).toMatchObject({ code: 0 });
  expect(files(".json")).not.toContain(`${pid}.json`);
});

test("`serve --background` exits with code 1 if its file cannot be written", async () => {
  const { run, folder } = shell();
  const process = `export DBPLATFORM_API_BACKGROUND=${folder}/missing/0.log; dbplatform_api serve --background`;
  expect(await run(process)).toMatchObject({ code: 1, stdout: "" });
});

test("keeps the data of a folder after `stop`, unless `--data` says otherwise", async () => {
  const { run, folder } = shell();
  const create = `curl --silent --fail --request POST --header "Authorization: Bearer $DBPLATFORM_API_TOKEN" \\
    --header "Content-Type: application/json" --data '{"name":"orders","group":"default"}' \\
    "$DBPLATFORM_BASE_URL/v1/organizations/acme/databases" >/dev/null || exit 2`;
  const list = `curl --silent --fail --header "Authorization: Bearer $DBPLATFORM_API_TOKEN" \\
    "$DBPLATFORM_BASE_URL/v1/organizations/acme/databases" || exit 3`;
  const kept = await run(`
    eval "$(dbplatform_api serve --background)" || exit 1
    ${create}
    dbplatform_api stop >/dev/null
    eval "$(dbplatform_api serve --background)" || exit 1
    ${list}`);
  expect(kept).toMatchObject({ code: 0, stdout: expect.stringContaining('"Name":"orders"') });
  expect(kept.stderr).toContain(`Its data is kept in ${dataIn(folder)}.`);
  expect(statSync(join(folder, "data/dbplatform-api")).mode & 0o077).toBe(0);
  expect(await run("dbplatform_api serve --background")).toMatchObject({ code: 1, stdout: "false\n" });
  const other = await run(`
    eval "$(dbplatform_api serve --background --data :memory:)" || exit 1
    ${list}`);
  expect(other).toMatchObject({ code: 0, stdout: expect.stringContaining('"databases":[]') });
  expect(other.stderr).toContain("in memory");
});

test("`snapshot` saves, lists, loads and deletes snapshots of the server in the background", async () => {
  const { run, folder, own } = shell();
  const groups = `curl --silent --fail --header "Authorization: Bearer $DBPLATFORM_API_TOKEN" \\
    "$DBPLATFORM_BASE_URL/v1/organizations/acme/groups"`;
  const stderrWithout = `${noServerInBackground({ folder: own, option: "--url" })}\n`;
  expect(await run("dbplatform_api snapshot list")).toEqual({ code: 1, stdout: "", stderr: stderrWithout });
  const { code, stdout, stderr } = await run(`
    eval "$(dbplatform_api serve --background 2>/dev/null)" || exit 1
    dbplatform_api snapshot list || exit 2
    dbplatform_api snapshot save seeded || exit 3
    dbplatform_api snapshot save seeded; test $? = 1 || exit 4
    dbplatform_api snapshot save seeded --replace || exit 5
    curl --silent --fail --header "Authorization: Bearer $DBPLATFORM_API_TOKEN" --output /dev/null \\
      --request DELETE "$DBPLATFORM_BASE_URL/v1/organizations/acme/groups/default" || exit 6
    dbplatform_api snapshot load seeded || exit 7
    ${groups} --output "${folder}/groups.json" || exit 8
    dbplatform_api snapshot list | cut -d, -f1 || exit 9
    dbplatform_api snapshot delete seeded || exit 10
    dbplatform_api snapshot load seeded; test $? = 1`);
  const snapshot = { name: "seeded", savedAt: "", databases: 0, rows: false };
  expect({ code, stderr, lines: stdout.trim().split("\n") }).toEqual({
    code: 0,
    stderr: expect.stringMatching(/^http:\S+ refused: snapshot \[seeded\] already exists.*\n.*no snapshot \[seeded\]/),
    lines: [
      noSnapshots({ command: API_COMMAND.npx }),
      snapshotSaved({ snapshot }),
      snapshotSaved({ snapshot }),
      snapshotLoaded({ snapshot }),
      snapshotLine({ snapshot }).split(",")[0],
      snapshotDeleted({ name: "seeded" }),
    ],
  });
  expect(readFileSync(join(folder, "groups.json"), "utf8")).toContain('"default"');
});

test("`snapshot` lists the servers in the background if there are several, and names the one that is missing", async () => {
  const { run } = shell();
  const start = "dbplatform_api serve --background --json --data :memory:";
  const urls = [await run(start), await run(start)].map(({ stdout }) => JSON.parse(stdout).url as string);
  const { code, stderr } = await run("dbplatform_api snapshot save seeded");
  expect(code).toBe(1);
  for (const url of urls) expect(stderr).toContain(`--url ${url}`);
  expect(await run(`dbplatform_api snapshot save seeded --url ${urls[0]}`)).toMatchObject({ code: 0, stderr: "" });
});
