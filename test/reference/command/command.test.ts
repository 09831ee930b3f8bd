// @module-tag secrets-stay-secret
// @module-tag the-reference-api

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, open, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { sql } from "kysely";
import { Agent, request } from "undici";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  INVALID_INSTANT,
  INVALID_PORT,
  INVALID_URL,
  MEMORY_UNREACHABLE,
  noServer,
  notReferenceApi,
  notSent,
  seedSkipped,
  seedValid,
  serverStartedQuietly,
  TLS_INCOMPLETE,
  tlsMismatch,
  URL_OR_DATA,
  urlWithCredentials,
} from "../../../platform/reference/command/messages";
import {
  addressMissing,
  deterministicOnPublicHost,
  EMPTY_HOST,
  hostUnresolved,
  KEY_UNUSABLE,
  refuse,
} from "../../../platform/reference/messages";
import { openApiDocument } from "../../../platform/reference/openapi/document";
import { examples } from "../../../platform/reference/openapi/examples";
import { NOT_EMPTY_LIST, NOT_EMPTY_TEXT } from "../../../platform/reference/requests/messages";
import {
  fileUnreadable,
  ORGANIZATION_NOT_MANAGED,
  referenceMissing,
  UNKNOWN_KEY,
} from "../../../platform/reference/seed/messages";
import { startReferenceApi } from "../../../platform/reference/server";
import { CANNOT_OPEN, cannotOpen, dataMissing, NO_PLACE, READ_ONLY } from "../../../platform/reference/store/messages";
import { openStore } from "../../../platform/reference/store/open";
import { API_COMMAND } from "../../../provider/command/main";
import { bundledCommand } from "../bundle";
import { calling } from "../calling";

const root = join(__dirname, "../../..");

const command = bundledCommand();

const run = (...args: string[]) => runWith({}, ...args);

/** Runs the command with additional variables in its environment, and collects its output. */
function runWith(environment: NodeJS.ProcessEnv, ...args: string[]) {
  const child: ChildProcessByStdio<null, Readable, Readable> = spawn(process.execPath, [command, "api", ...args], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const printed = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => {
    printed.stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    printed.stderr += chunk;
  });
  const ended = once(child, "close").then(([code]) => ({ code, ...printed }));
  return { child, ended, ready: () => once(child.stdout, "data").then(([chunk]) => String(chunk)) };
}

test.each(["SIGTERM", "SIGINT"] as const)(
  "prints one line of JSON when ready, and exits cleanly on %s",
  async (signal) => {
    const { child, ended, ready } = run("serve", "--json", "--now", "2026-03-01T12:00:00Z");
    const line = await ready();
    const printed = JSON.parse(line);
    expect(Object.keys(printed)).toEqual(["url", "organization", "organizationId", "apiToken", "unrestrictedToken"]);
    const { organization } = await calling(printed).ok("retrieveOrganization", {
      organizationSlug: printed.organization,
    });
    expect(organization.id).toBe(printed.organizationId);
    const unrestricted = { tokenName: "unrestricted" };
    expect(await calling(printed).status("createApiToken", unrestricted)).toBe(403);
    await calling(printed, printed.unrestrictedToken).ok("createApiToken", unrestricted);
    const { now } = await (await fetch(`${printed.url}/_reference/clock`)).json();
    expect(now).toBe("2026-03-01T12:00:00.000Z");
    child.kill(signal);
    expect(await ended).toMatchObject({ code: 0, stdout: line });
    expect(line.trimEnd()).not.toContain("\n");
  },
);

test("completes a request in progress before exiting on SIGTERM", async () => {
  const { child, ended, ready } = run("serve", "--json");
  const printed = JSON.parse(await ready());
  const rule = { operation: "createDatabase", latency: 60_000 };
  await fetch(`${printed.url}/_reference/faults`, { method: "POST", body: JSON.stringify(rule) });
  const created = calling(printed).ok("createDatabase", { organizationSlug: "acme", body: { name: "orders" } });
  const health = async () => (await fetch(`${printed.url}/_reference/health`)).status;
  expect([await health(), await health()]).toEqual([200, 200]);
  child.kill("SIGTERM");
  expect((await created).database.Name).toBe("orders");
  expect(await ended).toMatchObject({ code: 0 });
});

test("exits with 0 on SIGTERM before it is ready", async () => {
  // Accepts connections, and never answers.
  const database = createTcpServer().listen(0, "127.0.0.1");
  onTestFinished(() => void database.close());
  await once(database, "listening");
  const { port } = database.address() as AddressInfo;
  const { child, ended } = run("serve", "--json", "--data", `postgres://shop@127.0.0.1:${port}/shop`);
  const [connection] = await once(database, "connection");
  child.kill("SIGTERM");
  expect(await ended).toEqual({ code: 0, stdout: "", stderr: "" });
  connection.destroy();
});

describe("with DBPLATFORM_REFERENCE_KEY", () => {
  const key = "0123456789abcdef";
  const environment = { DBPLATFORM_REFERENCE_KEY: key };

  test("requires the key, prints no credential, and `token` uses the key", async () => {
    const { child, ended, ready } = runWith(environment, "serve", "--host", "0.0.0.0", "--seed", await seedFile());
    const [, url = ""] = /at (http:\S+)\. Press/.exec(await ready()) ?? [];
    expect((await fetch(`${url}/_reference/clock`)).status).toBe(401);
    const { stdout, code } = await runWith(environment, "token", "--url", url).ended;
    expect(code).toBe(0);
    const owner = calling({ url, apiToken: stdout.trim() });
    const { organization } = await owner.ok("retrieveOrganization", { organizationSlug: "acme" });
    expect((await run("token", "--url", url, "--key", key).ended).code).toBe(0);
    expect((await run("token", "--url", url).ended).code).toBe(1);
    child.kill("SIGTERM");
    const printed = await ended;
    const started = { url, organization: "acme", organizationId: organization.id };
    const server = { ...started, apiToken: "", unrestrictedToken: "", tokens: {} };
    expect(printed).toEqual({
      code: 0,
      stdout: `${serverStartedQuietly({ server, command: API_COMMAND.words })}\n`,
      stderr: "",
    });
    expect(printed.stdout).not.toContain("eyJ");
    expect(printed.stdout).not.toContain(key);
  });

  test("with --json, prints tokens, but not the key", async () => {
    const { child, ended, ready } = runWith(environment, "serve", "--json", "--host", "0.0.0.0");
    const line = await ready();
    expect(Object.keys(JSON.parse(line))).toEqual([
      "url",
      "organization",
      "organizationId",
      "apiToken",
      "unrestrictedToken",
    ]);
    child.kill("SIGTERM");
    expect((await ended).code).toBe(0);
  });

  test("does not start with an empty key", async () => {
    expect(await runWith({ DBPLATFORM_REFERENCE_KEY: "" }, "serve").ended).toEqual({
      code: 1,
      stdout: "",
      stderr: `${KEY_UNUSABLE}\n`,
    });
  });
});

test("keeps every confirmed change if the server is killed", async () => {
  const folder = await mkdtemp(join(tmpdir(), "reference-"));
  const data = join(folder, "platform.db");
  const killed = run("serve", "--json", "--data", data);
  const before = JSON.parse(await killed.ready());
  await calling(before).ok("createDatabase", { organizationSlug: "acme", body: { name: "orders" } });
  killed.child.kill("SIGKILL");
  await killed.ended;

  const { child, ended, ready } = run("serve", "--json", "--data", data);
  const after = JSON.parse(await ready());
  const { databases } = await calling(after, before.apiToken).ok("listDatabases", { organizationSlug: "acme" });
  expect(databases.map(({ Name }) => Name)).toEqual(["orders"]);
  child.kill("SIGTERM");
  expect(await ended).toMatchObject({ code: 0 });
  await rm(folder, { recursive: true });
});

test("with --json, prints the tokens of the seed", async () => {
  const { child, ended, ready } = run("serve", "--json", "--seed", await seedFile());
  const printed = JSON.parse(await ready());
  expect(Object.keys(printed.tokens)).toEqual(["ci"]);
  await calling(printed, printed.tokens.ci).ok("retrieveUser", {});
  child.kill("SIGTERM");
  expect(await ended).toMatchObject({ code: 0 });
});

test("without --json, prints environment variables for Pulumi, and the Reference-Key on non-loopback hosts", async () => {
  const { child, ended, ready } = run("serve", "--host", "0.0.0.0");
  expect(await ready()).toMatch(
    /^Serving organization acme \(.*\) at http:\/\/127\.0\.0\.1:\d+\. .*\n\n.*\n {2}export DBPLATFORM_BASE_URL=http:\/\/127\.0\.0\.1:\d+ DBPLATFORM_ORGANIZATION=acme\n {2}export DBPLATFORM_API_TOKEN=eyJ.*\n(.*\n)*\nReference-Key header/,
  );
  child.kill("SIGTERM");
  expect(await ended).toMatchObject({ code: 0, stderr: "" });
});

const TLS = join(__dirname, "../tls/self-signed-for-tests");

test("serves https with a certificate and its key, and prints an https address", async () => {
  const { child, ended, ready } = run(
    "serve",
    "--json",
    "--tls-cert",
    `${TLS}.cert.pem`,
    "--tls-key",
    `${TLS}.key.pem`,
  );
  const { url, apiToken } = JSON.parse(await ready());
  expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  const dispatcher = new Agent({ connect: { ca: await readFile(`${TLS}.cert.pem`, "utf8") } });
  const headers = { authorization: `Bearer ${apiToken}` };
  const { statusCode, body } = await request(`${url}/v1/locations`, { dispatcher, headers });
  expect([statusCode, Object.keys((await body.json()) as object)]).toEqual([200, ["locations"]]);
  await dispatcher.close();
  expect((await run("snapshot", "list", "--url", url).ended).stderr).toContain("self-signed certificate");
  child.kill("SIGTERM");
  expect(await ended).toMatchObject({ code: 0, stderr: "" });
});

/** Sends credentials in paths, bodies and names, as users might do by mistake. Returns all the server's credentials. */
async function careless(
  printed: Parameters<typeof calling>[0] & { unrestrictedToken: string; tokens: Record<string, string> },
): Promise<string[]> {
  const owner = calling(printed);
  const slug = { organizationSlug: "acme" };
  const { token } = await owner.ok("createApiToken", { tokenName: "mine", body: { organization: "acme" } });
  await owner.status("retrieveDatabase", { ...slug, databaseName: token });
  await owner.status("createDatabase", { ...slug, body: { name: token, group: "default" } });
  await owner.status("createApiToken", { tokenName: token, body: { organization: "acme" } });
  await fetch(`${printed.url}/v1/nothing/${token}?token=${token}`);
  await fetch(`${printed.url}/v1/locations?token=${token}`, { headers: { Authorization: `Bearer ${token}x` } });
  const mint = { method: "POST", body: JSON.stringify({ role: "viewer" }) };
  const { token: viewers } = await (await fetch(`${printed.url}/_reference/tokens`, mint)).json();
  await calling(printed, viewers).status("listDatabases", slug);
  return [printed.apiToken, printed.unrestrictedToken, ...Object.values(printed.tokens), token, viewers];
}

async function seedFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "reference-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const organization = { slug: "acme", members: [{ username: "ada", role: "owner" }], groups: [{ name: "default" }] };
  const content = {
    users: [{ username: "ada" }],
    organizations: [{ ...organization, tokens: [{ name: "ci", user: "ada" }] }],
  };
  const path = join(folder, "seed.yaml");
  await writeFile(path, JSON.stringify(content));
  return path;
}

test.each(["json", "text"])(
  "with --log %s, writes each request to standard error, without any credential",
  async (log) => {
    const { child, ended, ready } = run("serve", "--json", "--log", log, "--seed", await seedFile());
    const line = await ready();
    const credentials = await careless(JSON.parse(line));
    child.kill("SIGTERM");
    const { code, stdout, stderr } = await ended;
    expect([code, stdout]).toEqual([0, line]);
    for (const credential of credentials)
      for (const secret of [credential, credential.split(".")[2] ?? ""]) expect(stderr).not.toContain(secret);
    const lines = stderr.trimEnd().split("\n");
    expect(lines).toHaveLength(8);
    if (log === "text")
      return expect(lines[0]).toMatch(/^\S+Z 200 POST {3}\/v1\/auth\/api-tokens\/mine createApiToken [\d.]+ ms ada$/);
    expect(lines.map((each) => JSON.parse(each))[0]).toEqual({
      time: expect.stringMatching(/Z$/),
      operation: "createApiToken",
      method: "POST",
      path: "/v1/auth/api-tokens/mine",
      status: 200,
      duration_ms: expect.any(Number),
      user: "ada",
      token: { id: expect.any(String), name: expect.any(String) },
    });
  },
);

test("with --log json, writes internal errors as lines of JSON", async () => {
  const data = `${await seedFile()}.db`;
  const { child, ended, ready } = run("serve", "--json", "--log", "json", "--data", data);
  const { url, apiToken } = JSON.parse(await ready());
  const store = await openStore(data);
  await store.transaction([], (state) => sql`alter table settings rename to lost`.execute(state));
  await store.close();
  expect((await fetch(`${url}/v1/locations`, { headers: { Authorization: `Bearer ${apiToken}` } })).status).toBe(500);
  child.kill("SIGTERM");
  const lines = (await ended).stderr
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([{ level: "error", message: expect.stringContaining("no such table") }, { status: 500 }]);
});

test("reads fault rules from a file, and logs which rule was applied to a request", async () => {
  const faults = `${await seedFile()}.faults.yaml`;
  await writeFile(faults, "- operation: listLocations\n  status: 503\n");
  const { child, ended, ready } = run("serve", "--json", "--log", "json", "--faults", faults);
  expect(await calling(JSON.parse(await ready())).status("listLocations", {})).toBe(503);
  child.kill("SIGTERM");
  expect(JSON.parse((await ended).stderr)).toMatchObject({ operation: "listLocations", status: 503, fault: "1" });
});

test("warns that a seed is not inserted into existing data, and still mints valid tokens", async () => {
  const seed = await seedFile();
  const data = `${seed}.db`;
  const first = run("serve", "--json", "--data", data, "--seed", seed, "--no-control");
  const { url } = JSON.parse(await first.ready());
  expect((await fetch(`${url}/_reference/clock`)).status).toBe(404);
  first.child.kill("SIGTERM");
  expect(await first.ended).toMatchObject({ code: 0, stderr: "" });

  const second = run("serve", "--json", "--data", data, "--seed", seed);
  const printed = JSON.parse(await second.ready());
  const inData = await run("token", "--data", data, "--role", "member").ended;
  expect(inData).toMatchObject({ code: 0, stderr: "" });
  const atServer = await run("token", "--url", printed.url, "--group", "default", "--scope", "read", "db:create").ended;
  expect(atServer).toMatchObject({ code: 0, stderr: "" });
  const slug = { organizationSlug: "acme" };
  const member = calling(printed, inData.stdout.trim());
  expect((await member.ok("retrieveUser", {})).user.username).toBe("member");
  const scoped = calling(printed, atServer.stdout.trim());
  await scoped.ok("createDatabase", { ...slug, body: { name: "orders", group: "default" } });
  expect(await scoped.status("deleteDatabase", { ...slug, databaseName: "orders" })).toBe(403);
  second.child.kill("SIGTERM");
  expect((await second.ended).stderr).toBe(`${seedSkipped({ file: seed })}\n`);
});

test("`openapi` prints the same document that a server returns for /openapi.json", async () => {
  const { stdout } = await run("openapi").ended;
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(openApiDocument(await examples()))));
});

test("`openapi` exits without an error when the reader of its output closes the pipe", async () => {
  const { child, ended, ready } = run("openapi");
  await ready();
  child.stdout.destroy();
  expect(await ended).toMatchObject({ code: 0, stderr: "" });
});

test("`token` refuses to use an empty data file, and leaves the file empty", async () => {
  const data = `${await seedFile()}.db`;
  await writeFile(data, "");
  const { code, stderr } = await run("token", "--data", data).ended;
  expect([code, stderr]).toEqual([1, `${dataMissing({ place: data })}\n`]);
  expect(await readFile(data, "utf8")).toBe("");
});

test("creates a data file that nobody else can read", async () => {
  const data = `${await seedFile()}.db`;
  await (await startReferenceApi({ data })).close();
  expect((await stat(data)).mode & 0o077).toBe(0);
});

test("fails if the data file is read-only, and explains what to do", async () => {
  const data = `${await seedFile()}.db`;
  await (await startReferenceApi({ data })).close();
  // Changes the file format to a version that SQLite can only read, because file permissions would not stop root from
  // writing.
  const file = await open(data, "r+");
  await file.write(Buffer.from([3]), 0, 1, 18);
  await file.close();
  for (const command of ["serve", "token"]) {
    const { code, stderr } = await run(command, "--data", data).ended;
    expect([code, stderr]).toEqual([1, `${cannotOpen({ place: data, reason: READ_ONLY })}\n`]);
  }
});

test("`seed check` says what a file contains, or lists every mistake with its line and property", async () => {
  const seed = await seedFile();
  expect(await run("seed", "check", seed).ended).toEqual({
    code: 0,
    stdout: `${seedValid({ file: seed, counts: { users: 1, organizations: 1, groups: 1, databases: 0, tokens: 1 } })}\n`,
    stderr: "",
  });
  await writeFile(
    seed,
    "users: []\norganizations:\n  - slug: Acme\n    members: []\n    paln: pro\n    databases: [{ name: orders, group: shop }]\n",
  );
  const { code, stdout, stderr } = await run("seed", "check", seed).ended;
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr.trimEnd().split("\n")).toEqual([
    expect.stringContaining(`${seed}:1: users: `),
    expect.stringContaining(`${seed}:3: organizations: 0: slug: `),
    expect.stringContaining(`${seed}:4: organizations: 0: members: must be ${NOT_EMPTY_LIST}`),
    expect.stringContaining(`${seed}:4: organizations: 0: members: ${ORGANIZATION_NOT_MANAGED}`),
    `${seed}:5: organizations: 0: paln: ${UNKNOWN_KEY}`,
    `${seed}:6: organizations: 0: databases: 0: group: ${referenceMissing({ kind: "group", name: "shop" })}`,
  ]);
});

/** Starts a server that is not a reference API, and returns its address and the headers that it has received. */
async function otherServer(status: number, body: string, headers: Record<string, string> = {}) {
  const received: string[] = [];
  const other = createServer((request, response) => {
    received.push(...request.rawHeaders);
    response.writeHead(status, headers).end(body);
  });
  await once(other.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void other.close());
  return { url: `http://127.0.0.1:${(other.address() as AddressInfo).port}`, received };
}

test("`snapshot` says that another server is no reference API, instead of reporting success", async () => {
  for (const [status, body] of [
    [404, '{"message":"not found"}'],
    [200, '{"status":"ok"}'],
    [200, "null"],
    [200, '{"snapshots":[{}]}'],
  ] as const) {
    const { url } = await otherServer(status, body);
    const refused = { code: 1, stdout: "", stderr: `${notReferenceApi({ url })}\n` };
    for (const args of [["save", "a"], ["load", "a"], ["list"]])
      expect([args, await run("snapshot", ...args, "--url", url).ended]).toEqual([args, refused]);
    if (body !== "null") expect(await run("snapshot", "delete", "a", "--url", url).ended).toEqual(refused);
  }
});

test("`snapshot` sends no request for a name that leads to another path", async () => {
  const { url, received } = await otherServer(200, "{}");
  for (const action of ["load", "delete"]) {
    const stderr = `${notSent({ reason: refuse.snapshotName({ given: '".."' }).message })}\n`;
    expect(await run("snapshot", action, "..", "--url", url).ended).toEqual({ code: 1, stdout: "", stderr });
  }
  expect(received).toEqual([]);
});

test("`snapshot` does not send the key to a server to which another one redirects", async () => {
  const target = await otherServer(200, '{"snapshots":[]}');
  const { url } = await otherServer(307, "{}", { Location: `${target.url}/_reference/snapshots` });
  const { code, stderr } = await run("snapshot", "list", "--url", url, "--key", "0123456789abcdef").ended;
  expect([code, stderr, target.received]).toEqual([1, `${notReferenceApi({ url })}\n`, []]);
});

test("`token` fails with an explanation if no reference API runs at the address", async () => {
  for (const [status, body] of [
    [200, "<h1>Welcome</h1>"],
    [404, "null"],
  ] as const) {
    const { url } = await otherServer(status, body);
    expect(await run("token", "--url", url).ended).toEqual({
      code: 1,
      stdout: "",
      stderr: `${notReferenceApi({ url })}\n`,
    });
  }
});

const REJECTED: readonly (readonly [args: readonly string[], message: string])[] = [
  [["serve", "--port", "http"], INVALID_PORT],
  [["serve", "--log", "xml"], "Allowed choices are json, text, none"],
  [["serve", "--tls-cert", `${TLS}.cert.pem`], TLS_INCOMPLETE],
  [
    ["serve", "--tls-cert", "nowhere.pem", "--tls-key", `${TLS}.key.pem`],
    fileUnreadable({ content: "--tls-cert", file: "nowhere.pem", reason: "ENOENT" }),
  ],
  [
    ["serve", "--tls-cert", `${TLS}.key.pem`, "--tls-key", `${TLS}.key.pem`],
    tlsMismatch({ certFile: `${TLS}.key.pem`, keyFile: `${TLS}.key.pem`, reason: "" }),
  ],
  [
    ["serve", "--tls-cert", `${TLS}.cert.pem`, "--tls-key", `${TLS}.other-key.pem`],
    tlsMismatch({ certFile: `${TLS}.cert.pem`, keyFile: `${TLS}.other-key.pem`, reason: "" }),
  ],
  [["serve", "--deterministic", "--host", "0.0.0.0"], deterministicOnPublicHost({ host: "0.0.0.0" })],
  [["token"], URL_OR_DATA],
  [["token", "--data", "nowhere.db"], dataMissing({ place: "nowhere.db" })],
  [["token", "--data", ":memory:"], MEMORY_UNREACHABLE],
  [["token", "--url", "http://127.0.0.1:1"], noServer({ url: "http://127.0.0.1:1", reason: "bad port" })],
  [["token", "--url", "x", "--scope", "all"], "token: scopes: 0: "],
  [["token", "--data", ""], NO_PLACE],
  [["token", "--data", "x", "--organization", ""], `token: organization: must be ${NOT_EMPTY_TEXT}`],
  [["token", "--data", "x", "--unrestricted", "--group", "g"], "cannot be used with option '--group"],
  [["token", "--data", "x", "--unrestricted", "--organization", "o"], "cannot be used with option '--organization"],
  [["token", "--data", "x", "--key", "k"], "cannot be used with option '--data"],
  [["token", "--url", "http://ada:s3cret@127.0.0.1:1"], urlWithCredentials({ host: "127.0.0.1:1" })],
  [["token", "--url", "ada:s3cret@127.0.0.1"], INVALID_URL],
  [["serve", "--data", ""], NO_PLACE],
  [["serve", "--data", "/nowhere/shop.db"], cannotOpen({ place: "/nowhere/shop.db", reason: CANNOT_OPEN })],
  [["serve", "--host", ""], EMPTY_HOST],
  [["serve", "--host", "192.0.2.1"], addressMissing({ host: "192.0.2.1" })],
  [["serve", "--host", "nowhere.invalid"], hostUnresolved({ host: "nowhere.invalid" })],
  [["serve", "--now", "today"], INVALID_INSTANT],
  [["serve", "--now", "2026-03-01T12:00:00"], INVALID_INSTANT],
  [["serve", "--now", "2026-02-30T12:00:00Z"], INVALID_INSTANT],
  [["serve", "--seed", "nowhere.yaml"], "nowhere.yaml"],
];
const shown = (args: readonly string[]) => args.map((arg) => arg.replace(TLS, "…") || "''").join(" ");

test.each(REJECTED.map(([args, message]) => [shown(args), args, message] as const))(
  "rejects `%s` with a one-sentence message",
  async (_command, args, message) => {
    const { code, stdout, stderr } = await run(...args).ended;
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  },
);
