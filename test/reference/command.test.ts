import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { expect, test } from "vitest";
import { calling } from "./calling";

const root = join(__dirname, "../..");

/** The command, with everything it prints. */
function run(...args: string[]) {
  const child: ChildProcessByStdio<null, Readable, Readable> = spawn(
    process.execPath,
    ["--import", "tsx", "platform/reference/command.ts", ...args],
    { cwd: root, stdio: ["ignore", "pipe", "pipe"] },
  );
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
  "with --json it prints one line when ready, and %s ends it cleanly",
  async (signal) => {
    const { child, ended, ready } = run("serve", "--json", "--now", "2026-03-01T12:00:00Z");
    const line = await ready();
    const printed = JSON.parse(line);
    expect(Object.keys(printed)).toEqual(["url", "organization", "organizationId", "apiToken"]);
    const { organization } = await calling(printed).ok("retrieveOrganization", {
      organizationSlug: printed.organization,
    });
    expect(organization.id).toBe(printed.organizationId);
    const { now } = await (await fetch(`${printed.url}/_reference/clock`)).json();
    expect(now).toBe("2026-03-01T12:00:00.000Z");
    child.kill(signal);
    expect(await ended).toMatchObject({ code: 0, stdout: line });
    expect(line.trimEnd()).not.toContain("\n");
  },
);

test("a call that runs when the end is asked for is still answered", async () => {
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

test("what was answered is there after the process was killed", async () => {
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

test("with --json it prints the tokens that the seed has", async () => {
  const folder = await mkdtemp(join(tmpdir(), "reference-"));
  const seed = join(folder, "seed.yaml");
  const organization = { slug: "acme", members: [{ username: "ada", role: "owner" }] };
  const tokens = [{ name: "ci", user: "ada" }];
  const content = { users: [{ username: "ada" }], organizations: [{ ...organization, tokens }] };
  await writeFile(seed, JSON.stringify(content));
  const { child, ended, ready } = run("serve", "--json", "--seed", seed);
  const printed = JSON.parse(await ready());
  expect(Object.keys(printed.tokens)).toEqual(["ci"]);
  await calling(printed, printed.tokens.ci).ok("retrieveUser", {});
  child.kill("SIGTERM");
  expect(await ended).toMatchObject({ code: 0 });
  await rm(folder, { recursive: true });
});

test("without --json it prints lines for people, off loopback with the key", async () => {
  const { child, ended, ready } = run("serve", "--host", "0.0.0.0");
  expect(await ready()).toMatch(
    /^address: http:\/\/127\.0\.0\.1:\d+\norganization: acme .*\nAPI token: .*\nReference-Key/,
  );
  child.kill("SIGTERM");
  expect(await ended).toMatchObject({ code: 0, stderr: "" });
});

test.each([
  [["serve", "--port", "http"], /A port is a number/],
  [["serve", "--now", "today"], /An instant reads/],
  [["serve", "--now", "2026-03-01T12:00:00"], /An instant reads/],
  [["serve", "--now", "2026-02-30T12:00:00Z"], /An instant reads/],
  [["serve", "--seed", "nowhere.yaml"], /nowhere\.yaml/],
])("%o fails with one sentence", async (args, message) => {
  const { code, stdout, stderr } = await run(...args).ended;
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(message);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
});
