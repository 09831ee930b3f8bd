// @module-tag tokens

import * as plugin from "pulumi-dbplatform";
import * as dynamic from "pulumi-dbplatform/dynamic";
import { expect, test } from "vitest";
import { ownApiToken, ownApiTokenManaged } from "../../provider/resources/token/messages";
import { clientOf, engineFixture } from "./engine-fixture";

const organizationSlug = "acme";
const flat = (text: string) => text.replace(/\s+/g, " ");

test.each([
  ["generated", "plugin", plugin, undefined],
  ["fixed", "plugin", plugin, "deployer"],
  ["fixed", "dynamic providers", dynamic, "deployer"],
] as const)(
  "never revokes its own API token with a %s name (%s), and completes the run with another token",
  { tags: "more" },
  async (_, kind, { ApiToken, Database }, name) => {
    const here = await engineFixture();
    let given = { version: "1", databases: ["orders", "stock"] };
    const stack = await here.stack(async () => {
      for (const each of given.databases) new Database(each, { name: each, group: "default" });
      const deployer = new ApiToken("deployer", { ...(name && { name }), keepers: { version: given.version } });
      return { token: deployer.token, name: deployer.name };
    });
    await stack.deploy();
    const { token, name: tokenName } = (await stack.outputs()) as { token: string; name: string };
    const reason = ownApiToken({ name: tokenName });
    const tokens = async () => {
      const { tokens } = await clientOf(here.api, token).listApiTokens({ organizationSlug });
      return tokens.filter((each) => each.name.startsWith("deployer")).length;
    };
    stack.setEnvironment({ DBPLATFORM_API_TOKEN: token });
    here.writes();

    const before = given;
    given = { version: "2", databases: ["orders"] };
    for (const run of [await stack.preview(), await stack.up()]) {
      expect(run.code, run.output).not.toBe(0);
      expect(flat(run.output)).toContain(reason);
      expect(here.writes()).toEqual([]);
      expect(run.output).not.toContain("401");
    }

    given = before;
    const destroyed = await stack.destroy({ parallel: 1 });
    expect(destroyed.code).not.toBe(0);
    expect(flat(destroyed.output)).toContain(reason);
    expect(destroyed.output).not.toContain("401");
    expect(await tokens()).toBe(1);
    if (kind === "plugin") {
      const { output } = await stack.cli("destroy", "--preview-only");
      const diagnostics = flat(output.slice(output.indexOf("Diagnostics:")));
      expect(diagnostics.split(ownApiTokenManaged({ name: tokenName }))).toHaveLength(2);
    }

    stack.setEnvironment({ DBPLATFORM_API_TOKEN: here.api.apiToken });
    expect(await stack.destroy()).toMatchObject({ code: 0 });
    expect(await here.databases()).toEqual({});
    await expect(tokens()).rejects.toThrow("401");
  },
);
