// @module-tag secrets-stay-secret

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as plugin from "pulumi-dbplatform";
import * as dynamic from "pulumi-dbplatform/dynamic";
import { expect, onTestFinished, test, vi } from "vitest";
import { secretsRecordedOpenly } from "../../kit/lifecycle/messages";
import { engineFixture } from "./engine-fixture";
import { leaksIn } from "./secrets";

const SECRET_VALUE = "1b47061264138c4ac30d75fd1eb44270";

/** Replaces every value that is marked as secret with a placeholder. */
function unmarked(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Object.values(value).includes(SECRET_VALUE)) return "[secret]";
  return Array.isArray(value)
    ? value.map(unmarked)
    : Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, unmarked(inner)]));
}

const KEY = "s3cretKeyThatEncryptsTheDatabaseOrders00000=";

interface Call {
  readonly method: string;
  readonly request?: unknown;
  readonly response?: unknown;
}

const callsIn = (file: string): Call[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

for (const [name, sdk, tags] of [
  ["plugin", plugin, []],
  // The cast is safe, because the SDKs differ only in how they declare resource options.
  ["dynamic", dynamic as unknown as typeof plugin, ["more"]],
] as const)
  test(`with the ${name} provider, logs no secret at the highest verbosity, except in Pulumi's own messages`, {
    tags: [...tags],
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "dbplatform-secrets-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const log = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    onTestFinished(() => log.mockRestore());
    const here = await engineFixture({ data: join(folder, "data.sqlite"), log: "json" });
    const { api } = here;
    const given = {
      apiToken: await api.token({ organization: "globex" }),
      signature: "s3cret-signature",
      key: KEY,
    };
    const stack = await here.stack(async () => {
      const { apiToken, signature, key } = given;
      const provider = new sdk.Provider("globex", { organization: "globex", apiToken, baseUrl: api.url });
      const seed = { dumpUrl: `https://dumps.example.com/orders.sql?X-Signature=${signature}` };
      const encryption = { cipher: "aegis256", key } as const;
      const { dbId } = new sdk.Database("orders", { name: "orders", group: "default", seed, encryption });
      const ofAcme = new sdk.ApiToken("acme", { group: "default", scopes: ["read"] });
      const ofGlobex = new sdk.ApiToken("globex", {}, { provider });
      const one = new sdk.DatabaseToken("one", { database: dbId, expiration: "30d", renewBefore: "1d" });
      const all = new sdk.GroupToken("all", { group: "default" }, { provider });
      return { tokens: [ofAcme, ofGlobex, one, all].map(({ token }) => token) };
    });
    const grpc = join(folder, "grpc.json");
    stack.setEnvironment({ PULUMI_DEBUG_GRPC: grpc });
    const up = await stack.up({ logVerbosity: 11, logToStdErr: true, logFlow: true, debug: true, diff: true });
    expect(up).toMatchObject({ code: 0 });
    const { tokens } = (await stack.outputs()) as { tokens: string[] };
    const secrets = [given.apiToken, given.signature, given.key, ...tokens];
    expect(secrets).toHaveLength(7);
    const { database } = await here.outside.retrieveDatabase({
      organizationSlug: api.organization,
      databaseName: "orders",
    });
    expect(database.encryption_cipher).toBe("aegis256");

    // Pulumi masks secrets neither in its gRPC log nor in its verbose log, so users must keep both logs secret.
    const calls = callsIn(grpc);
    for (const secret of secrets) expect(JSON.stringify(calls)).toContain(secret);
    expect(leaksIn(up.output)).toEqual([]);
    const ours = calls.filter(({ method }) => method.startsWith("/pulumirpc.ResourceProvider/"));
    expect(ours.length).toBeGreaterThan(20);
    // Checks only the plugin, because dynamic providers cannot mark secrets in their responses. For dynamic providers,
    // the engine marks only the values that the program declares as secrets.
    if (name === "plugin") {
      const answers = ours.filter(({ response }) => response).map(({ response }) => JSON.stringify(unmarked(response)));
      expect(answers.filter((answer) => leaksIn(answer).length > 0)).toEqual([]);
    }
    const told = calls.filter(({ method }) => method.startsWith("/pulumirpc.Engine/"));
    expect(told.flatMap((call) => leaksIn(JSON.stringify(call)))).toEqual([]);

    // Changes the secret properties so that they appear in the diff.
    given.apiToken = await api.token({ organization: "globex" });
    given.signature = "s3cret-other-signature";
    given.key = "s3cretKeyThatEncryptsTheDatabaseOther000000=";
    const preview = await stack.preview({ diff: true });
    // Dynamic providers reject a new encryption key, because changing the key requires a replacement.
    expect(preview).toMatchObject({ code: name === "plugin" ? 0 : 1 });
    for (const shown of [JSON.stringify(calls), up.output, preview.output, JSON.stringify(await stack.exportState())])
      expect(shown).not.toContain(api.apiToken);
    for (const secret of [...secrets, given.apiToken, given.signature, given.key]) {
      expect(preview.output).not.toContain(secret);
      expect(stack.filesWith(secret)).toEqual([]);
    }

    const logged = log.mock.calls.join("");
    expect(logged).toContain('"operation":"createDatabase"');
    const data = ["", "-wal"].map((end) => readFileSync(join(folder, `data.sqlite${end}`), "latin1")).join("");
    expect(data).toContain("orders");
    for (const secret of [api.apiToken, ...secrets, given.apiToken])
      for (const kept of [logged, data, JSON.stringify(api.journal())]) expect(kept).not.toContain(secret);
  });

test("warns of a secret that the state contains in plain text, and a refresh encrypts it again", {
  tags: ["more"],
}, async () => {
  const here = await engineFixture();
  const stack = await here.stack(async () => {
    const { name } = new plugin.ApiToken("ci", { name: "ci" });
    new plugin.Database("orders", { name: "orders", group: "default", encryption: { cipher: "aegis256", key: KEY } });
    return { name };
  });
  const warning = "in plain text, although this provider always records it as a secret";
  const first = await stack.up();
  expect(first).toMatchObject({ code: 0 });
  expect((await stack.up()).output).not.toContain(warning);

  const state = await stack.exportState();
  const token = state.deployment.resources.find(({ urn }: { urn: string }) => urn.endsWith("ApiToken::ci"));
  const id = token.id as string;
  token.outputs.token = "plain";
  const file = join(stack.folder, "plain.json");
  writeFileSync(file, JSON.stringify(state));
  expect(await stack.cli("stack", "import", "--file", file)).toMatchObject({ code: 0 });
  // The file contains the other secrets in plain text too.
  rmSync(file);
  const { output } = await stack.preview();
  expect(output.replace(/\s+/g, " ")).toContain(
    secretsRecordedOpenly({ title: 'API token "ci"', id, properties: ["token"] }),
  );
  expect(await stack.refresh()).toMatchObject({ code: 0 });
  expect(JSON.stringify(unmarked(await stack.exportState()))).not.toContain("plain");
  expect((await stack.preview({ expectNoChanges: true })).output).not.toContain(warning);
});
