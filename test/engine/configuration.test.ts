// @module-tag more
// @module-tag no-database-is-lost
// @module-tag secrets-stay-secret
// @module-tag failures-and-interruptions
// @module-tag no-false-differences
// @module-tag clear-messages

import * as dbplatform from "pulumi-dbplatform";
import { expect, test } from "vitest";
import { sameGeneratedName } from "../../kit/lifecycle/messages";
import { restoreUnanswered } from "../../kit/lifecycle/restore/messages";
import { missingSettings, nameInUseBy, RECORDED_SETTINGS } from "../../kit/messages";
import { sameCause } from "../../kit/plugin/messages";
import { INVALID_NAME, INVALID_TOKEN_NAME, invalidScope } from "../../platform/values/messages";
import { PRESETS, SCOPES } from "../../platform/values/scope";
import { ADVICE, failedOperation, TIME_LIMIT_EXCEEDED, unreachablePlatform } from "../../provider/client/messages";
import { dataLost, insecureBaseUrl, UNRESTRICTED_TOKEN, WITHOUT_ACCOUNT } from "../../provider/messages";
import { REQUIRED_SETTINGS } from "../config/required-settings";
import { clientOf, engineFixture, environmentOf } from "./engine-fixture";
import type { Stack } from "./stack";

/** Returns the text without the indentation that Pulumi gives to the lines of a message. */
const unwrapped = (text: string): string => text.replace(/\n +/g, "\n");

/** Returns the URN of the stack's default provider. */
async function providerOf(stack: Stack): Promise<string> {
  const { resources } = (await stack.exportState()).deployment as { resources: { type: string; urn: string }[] };
  return resources.find(({ type }) => type === "pulumi:providers:dbplatform")?.urn ?? "";
}

test("manages two organizations side by side, and writes no secret in plain text", async () => {
  const here = await engineFixture();
  const { api } = here;
  const globex = await api.token({ organization: "globex" });
  const stack = await here.stack(async () => {
    const other = new dbplatform.Provider("globex", { organization: "globex", apiToken: globex, baseUrl: api.url });
    const args = { name: "orders", group: "default" };
    const databases = [
      new dbplatform.Database("acme-orders", args),
      new dbplatform.Database("globex-orders", args, { provider: other }),
    ];
    const token = new dbplatform.ApiToken("ci", { group: "default", scopes: ["read"] }, { provider: other });
    const sqlTokens = [
      new dbplatform.DatabaseToken("app", { database: databases[0]?.dbId ?? "", expiration: "30d", renewBefore: "1d" }),
      new dbplatform.GroupToken("wide", { group: "default" }, { provider: other }),
    ];
    const tokens = [token, ...sqlTokens].map((each) => each.token);
    return { tokens, hostnames: databases.map(({ hostname }) => hostname) };
  });
  const runs = [await stack.up()];
  const { tokens, hostnames } = (await stack.outputs()) as { tokens: string[]; hostnames: string[] };
  expect(hostnames).toEqual([expect.stringMatching(/^orders-acme\./), expect.stringMatching(/^orders-globex\./)]);
  const { databases } = await clientOf(api, globex).listDatabases({ organizationSlug: "globex" });
  expect(databases.map(({ Name }) => Name)).toEqual(["orders"]);
  runs.push(await stack.preview({ expectNoChanges: true }), await stack.refresh());
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);

  const shown = runs.map(({ output }) => output).join();
  expect(tokens).toHaveLength(3);
  for (const secret of [api.apiToken, globex, ...tokens]) {
    expect(secret).toMatch(/^ey/);
    expect(shown).not.toContain(secret);
    expect(stack.filesWith(secret)).toEqual([]);
  }
  expect(JSON.stringify(await stack.exportState())).not.toContain(api.apiToken);
  expect(await stack.destroy()).toMatchObject({ code: 0 });
});

test("refuses to preview, refresh or destroy a stack that belongs to another organization", async () => {
  const here = await engineFixture();
  const { api } = here;
  const stack = await here.stack(async () => {
    new dbplatform.Database("orders", { name: "orders", group: "default" });
    new dbplatform.ApiToken("ci", {});
  });
  await stack.deploy();
  here.takeWrites();
  stack.setEnvironment(environmentOf(api, "globex", await api.token({ organization: "globex" })));
  for (const refused of [await stack.preview(), await stack.refresh(), await stack.destroy()]) {
    expect(refused.code).not.toBe(0);
    expect(refused.output).toContain(
      `belongs to organization ${api.organizationId}, but the provider is configured for "globex"`,
    );
  }
  expect(here.takeWrites()).toEqual([]);
  stack.setEnvironment(environmentOf(api));
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
});

test("rejects a change of the organization, and prints the command that switches back", async () => {
  const here = await engineFixture();
  const { api } = here;
  const unrestricted = await api.token({ organization: null });
  const settings = { organization: "acme", apiToken: unrestricted, baseUrl: api.url };
  const which = { provider: "one" };
  const stack = await here.stack(
    async () => {
      const one = new dbplatform.Provider("one", { ...settings });
      const two = new dbplatform.Provider("two", { ...settings, organization: "globex" });
      const provider = which.provider === "one" ? one : two;
      new dbplatform.Database("explicit", { name: "explicit", group: "default" }, { provider });
      new dbplatform.Database("default", { name: "default-provider", group: "default" });
    },
    {
      environment: { DBPLATFORM_BASE_URL: api.url, DBPLATFORM_API_TOKEN: unrestricted },
      config: { "dbplatform:organization": "acme" },
    },
  );
  await stack.deploy();
  const before = await here.databases();
  here.takeWrites();
  const refused = `belongs to organization ${api.organizationId}, but the provider is configured for "globex"`;
  const changes: [change: () => unknown, undo: () => unknown, isRecorded: boolean][] = [
    [
      () => stack.setConfig("dbplatform:organization", "globex"),
      () => stack.setConfig("dbplatform:organization", "acme"),
      false,
    ],
    [
      () => Object.assign(settings, { organization: "globex" }),
      () => Object.assign(settings, { organization: "acme" }),
      true,
    ],
    [() => Object.assign(which, { provider: "two" }), () => Object.assign(which, { provider: "one" }), true],
  ];
  for (const [change, undo, isRecorded] of changes) {
    await change();
    for (const { code, output } of [await stack.preview(), await stack.up()]) {
      expect(code).not.toBe(0);
      expect(output).toContain(refused);
      expect(/run once: `pulumi up --refresh --run-program`$/m.test(output)).toBe(isRecorded);
    }
    await undo();
    expect(await stack.up((isRecorded ? { refresh: true, runProgram: true } : {}) as never)).toMatchObject({ code: 0 });
    expect(await stack.preview({ expectNoChanges: true })).toMatchObject({ code: 0 });
  }
  expect(here.takeWrites()).toEqual([]);
  expect(await here.databases()).toEqual(before);
});

test("accepts settings that move from the environment to the stack's configuration", async () => {
  const here = await engineFixture();
  const stack = await here.stack(async () => {
    new dbplatform.Database("orders", { name: "orders", group: "default" });
  });
  await stack.deploy();
  stack.setEnvironment({ DBPLATFORM_ORGANIZATION: "", DBPLATFORM_API_TOKEN: "", DBPLATFORM_BASE_URL: "" });
  await stack.setConfig("dbplatform:organization", "acme");
  await stack.setConfig("dbplatform:apiToken", here.api.apiToken, true);
  await stack.setConfig("dbplatform:baseUrl", here.api.url);
  expect(await stack.preview()).toMatchObject({ code: 0 });
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
  expect(await stack.destroy()).toMatchObject({ code: 0 });
});

test("reports missing and invalid settings before it sends any request", async () => {
  const here = await engineFixture();
  const declare = async () => {
    new dbplatform.Database("orders", { name: "orders", group: "default" });
  };
  const bare = await here.stack(declare, { environment: {} });
  const missing = await bare.preview();
  expect(missing.code).not.toBe(0);
  expect(unwrapped(missing.output)).toContain(
    unwrapped(
      missingSettings({
        provider: "dbplatform",
        missing: REQUIRED_SETTINGS,
        isRecorded: false,
        advice: WITHOUT_ACCOUNT,
      }),
    ),
  );
  expect(missing.output).not.toContain(RECORDED_SETTINGS);
  expect(missing.output).not.toContain("config set dbplatform:apiToken");
  const wrong = await here.stack(declare, { config: { "dbplatform:baseUrl": "http://platform.example" } });
  const insecure = await wrong.preview();
  expect(insecure.code).not.toBe(0);
  expect(insecure.output).toContain(insecureBaseUrl({ text: "http://platform.example" }));
  expect(here.api.journal()).toEqual([]);
});

test("reports each invalid argument with its property name in the preview, before it sends any request", async () => {
  const here = await engineFixture();
  const stack = await here.stack(async () => {
    // The type rejects such a scope, but a program in another language may contain it.
    const everything = "everything" as dbplatform.Scope;
    new dbplatform.ApiToken("ci", { name: "a/b", group: "default", scopes: ["read", everything] });
  });
  const preview = await stack.preview();
  expect(preview.code).not.toBe(0);
  const problemAt = (property: string) =>
    preview.output.split("\n").find((line) => line.includes(`property ${property} value `));
  expect(problemAt("name")).toContain(INVALID_TOKEN_NAME);
  expect(problemAt("scopes[1]")).toContain(
    invalidScope({ text: "everything", scopes: SCOPES, presets: Object.keys(PRESETS) }),
  );
  expect(here.api.journal()).toEqual([]);
});

test("follows the user's autonaming settings", async () => {
  const here = await engineFixture();
  let logicalName = "orders";
  const program = async () => {
    const { name } = new dbplatform.Database(logicalName, { group: "default" });
    return { name };
  };
  const verbatim = await here.stack(program, { config: { "pulumi:autonaming.mode": "verbatim" } });
  expect(await verbatim.up()).toMatchObject({ code: 0 });
  expect((await verbatim.outputs()).name).toBe("orders");
  logicalName = "Orders!";
  expect((await verbatim.preview()).output).toContain(INVALID_NAME);
  const pattern = await here.stack(program, {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Pulumi's own placeholders
    config: { "pulumi:autonaming.pattern": "${stack}-${name}-${hex(4)}" },
  });
  expect(await pattern.up()).toMatchObject({ code: 0 });
  expect((await pattern.outputs()).name).toMatch(/^dev-orders--[0-9a-f]{4}$/);
  const disabled = await here.stack(program, { config: { "pulumi:autonaming.mode": "disabled" } });
  expect((await disabled.preview()).output).toContain("autonaming is disabled for this stack");
});

test("keeps the random end of a generated name that is too long, so that a replacement needs no name in use", async () => {
  const here = await engineFixture();
  const group = { of: "default" };
  const logicalNames = ["customer-orders-archive-eu", "customer-orders-archive-us"];
  const stack = await here.stack(
    async () => {
      for (const logicalName of logicalNames) new dbplatform.Database(logicalName, { group: group.of });
    },
    {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Pulumi's own placeholders
      config: { "pulumi:autonaming.pattern": "an-organization-shop-backend-production-${stack}-${name}-${hex(6)}" },
    },
  );
  await stack.deploy();
  const before = await here.databases();
  expect(
    Object.keys(before)
      .map((name) => name.replace(/.*-archive/, "archive"))
      .sort(),
  ).toEqual([expect.stringMatching(/^archive-eu-[0-9a-f]{6}$/), expect.stringMatching(/^archive-us-[0-9a-f]{6}$/)]);
  group.of = "other";
  expect(await stack.preview()).toMatchObject({ code: 0 });
  expect(await stack.up()).toMatchObject({ code: 0 });
  const after = await here.databases();
  expect(Object.keys(after)).toHaveLength(2);
  for (const name of Object.keys(before)) expect(after).not.toHaveProperty(name);
});

test("refuses a generated name without a random part in the preview if the name is in use", async () => {
  const here = await engineFixture();
  const id = await here.createDatabase("orders");
  const logicalNames = ["orders"];
  const stack = await here.stack(
    async () => {
      for (const logicalName of logicalNames) new dbplatform.Database(logicalName, { group: "default" });
    },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Pulumi's own placeholders
    { config: { "pulumi:autonaming.pattern": "${name}" } },
  );
  const refused = await stack.preview();
  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain(nameInUseBy({ kind: "database", name: "orders", id }));
  logicalNames.splice(0, 1, "Shop", "shop");
  const same = await stack.preview();
  expect(same.code).not.toBe(0);
  const sameAs = (logicalName: string) =>
    sameGeneratedName({ urn: `urn:pulumi:dev::test::dbplatform:index:Database::${logicalName}`, name: "shop" });
  expect([sameAs("Shop"), sameAs("shop")].some((reason) => same.output.includes(reason))).toBe(true);
  expect(await here.databases()).toEqual({ orders: id });
});

test("reads with the new token at once after `pulumi config set` has replaced it", async () => {
  const here = await engineFixture();
  const { api, outside } = here;
  const old = await outside.createApiToken({ tokenName: "old", body: { organization: api.organization } });
  const { DBPLATFORM_BASE_URL, DBPLATFORM_ORGANIZATION } = here.environment;
  const environment = { DBPLATFORM_BASE_URL, DBPLATFORM_ORGANIZATION } as Record<string, string>;
  const stack = await here.stack(
    async () => {
      new dbplatform.Database("orders", { name: "orders", group: "default" });
    },
    { environment },
  );
  await stack.setConfig("dbplatform:apiToken", old.token, true);
  expect(await stack.up()).toMatchObject({ code: 0 });
  await outside.revokeApiToken({ organizationSlug: api.organization, tokenId: old.id });
  await stack.setConfig("dbplatform:apiToken", api.apiToken, true);
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
});

test("accepts an unrestricted token, but prints one warning a run, with any number of providers", async () => {
  const here = await engineFixture();
  const unrestricted = await here.api.token({ organization: null });
  let baseUrl = here.api.url;
  const stack = await here.stack(
    async () => {
      const provider = new dbplatform.Provider("second", { baseUrl });
      new dbplatform.Database("orders", { name: "orders", group: "default" });
      new dbplatform.Database("sales", { name: "sales", group: "default" }, { provider });
    },
    { environment: environmentOf(here.api, "acme", unrestricted) },
  );
  const [line, details] = UNRESTRICTED_TOKEN.split("\n");
  for (const change of [() => {}, () => (baseUrl = baseUrl.replace("127.0.0.1", "localhost"))]) {
    change();
    const { code, output } = await stack.up();
    expect(code).toBe(0);
    const diagnostics = output.slice(output.indexOf("Diagnostics:")).split("\n");
    expect(diagnostics.filter((text) => text.includes(`warning: ${line}`))).toHaveLength(1);
    expect(diagnostics.filter((text) => text.trim() === details)).toHaveLength(1);
  }
  expect(Object.keys(await here.databases())).toEqual(["orders", "sales"]);
});

test("replaces nothing when the platform's address changes but the organization stays the same", async () => {
  const here = await engineFixture();
  const { api } = here;
  let baseUrl = api.url;
  const stack = await here.stack(async () => {
    const provider = new dbplatform.Provider("acme", { organization: "acme", apiToken: api.apiToken, baseUrl });
    new dbplatform.Database("orders", { name: "orders", group: "default" }, { provider });
  });
  await stack.deploy();
  const before = await here.databases();
  here.takeWrites();
  baseUrl = api.url.replace("127.0.0.1", "localhost");
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(here.takeWrites()).toEqual([]);
  expect(await here.databases()).toEqual(before);
});

test("connects directly to addresses on this machine, even if the environment sets a proxy", async () => {
  const here = await engineFixture();
  const nowhere = { http_proxy: "http://127.0.0.1:1", https_proxy: "http://127.0.0.1:1" };
  const stack = await here.stack(
    async () => {
      new dbplatform.Database("orders", { name: "orders", group: "default" });
    },
    { environment: { ...here.environment, ...nowhere } },
  );
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(Object.keys(await here.databases())).toEqual(["orders"]);
});

test("stops a hanging operation when its `customTimeouts` limit expires", async () => {
  const here = await engineFixture();
  here.api.fault({ operation: "createDatabase", hang: true });
  const stack = await here.stack(async () => {
    const options = { customTimeouts: { create: "5s", update: "5s" } };
    new dbplatform.Database("orders", { name: "orders", group: "default" }, options);
  });
  const up = await stack.up();
  expect(up.code).not.toBe(0);
  expect(up.output).toContain(TIME_LIMIT_EXCEEDED);

  await stack.deploy();
  const { orders = "" } = await here.databases();
  await here.deleteDatabase(orders);
  here.api.fault({ operation: "restoreDatabase", hang: true });
  const restoring = await stack.up();
  expect(restoring.code).not.toBe(0);
  const path = `/v3/organizations/${here.api.organizationId}/databases/${orders}/restore`;
  const cause = `${failedOperation({ action: "restore database", method: "POST", path })}: ${TIME_LIMIT_EXCEEDED}`;
  const { answer, advice } = restoreUnanswered({ cause, kind: "database", isStillDeleted: false });
  expect(restoring.output).toContain(`cannot restore database "orders" (${orders}): ${answer}. ${advice}`);
  await stack.deploy();
  expect(await here.databases()).toEqual({ orders });
});

test.for([
  ["token", { DBPLATFORM_API_TOKEN: "wrong" }, ADVICE.unauthenticated],
  ["address", { DBPLATFORM_BASE_URL: "http://127.0.0.1:9" }, unreachablePlatform({ reason: "" }).advice],
  ["organization", { DBPLATFORM_ORGANIZATION: "nobody" }, "Check `dbplatform:organization`"],
] as const)(
  "explains a wrong %s at one resource, to which the errors of all others refer",
  { tags: ["more"] },
  async ([, wrong, advice]) => {
    const here = await engineFixture();
    const stack = await here.stack(async () => {
      for (const name of ["orders", "sales", "stock"]) new dbplatform.Database(name, { name, group: "default" });
    });
    await stack.deploy();
    stack.setEnvironment(wrong);
    const { code, output } = await stack.preview();
    expect(code).not.toBe(0);
    const shown = output.slice(output.indexOf("Diagnostics:"));
    expect(shown.split(advice)).toHaveLength(2);
    const explained = /dbplatform:index:Database \((\w+)\):\n.*could not retrieve organization/.exec(shown)?.[1] ?? "";
    expect(shown.split(sameCause({ type: "dbplatform:index:Database", name: explained }))).toHaveLength(3);
  },
);

test("after the reference API has lost its data, says so once, with the command that empties the stack", async () => {
  const before = await engineFixture();
  const stack = await before.stack(async () => {
    const { id } = new dbplatform.Group("shop", { name: "shop", location: "aws-us-east-1" });
    for (const name of ["orders", "sales"]) new dbplatform.Database(name, { name, group: id });
    new dbplatform.GroupToken("app", { group: id });
  });
  await stack.deploy();
  const { organizationId } = before.api;
  const here = await engineFixture();
  stack.setEnvironment(environmentOf(here.api));
  const runs = [await stack.preview(), await stack.destroy({ skipPreview: true } as never)];
  const provider = await providerOf(stack);
  const lost = dataLost({ organizationId, baseUrl: here.api.url, providerUrn: provider });
  for (const { code, output } of runs) {
    expect(code).not.toBe(0);
    const shown = unwrapped(output.slice(output.indexOf("Diagnostics:")));
    for (const text of [unwrapped(lost), "pulumi state delete"]) expect(shown.split(text)).toHaveLength(2);
    expect(shown).toContain(" has the same cause, and says what to do");
    expect(shown).not.toContain("Configure the organization");
  }
  const command = lost.split("\n").at(-1)?.trim() ?? "";
  expect(await stack.shell(command)).toMatchObject({ code: 0 });
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(Object.keys(await here.databases()).sort()).toEqual(["orders", "sales"]);
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
});
