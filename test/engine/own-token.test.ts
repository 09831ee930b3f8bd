// @module-tag more
// @module-tag tokens

import { ApiToken, Database } from "pulumi-dbplatform/dynamic";
import { expect, test } from "vitest";
import { ownApiToken } from "../../provider/resources/token/messages";
import { clientOf, engineFixture } from "./engine-fixture";

const flat = (text: string) => text.replace(/\s+/g, " ");

test("with dynamic providers, never revokes its own API token", async () => {
  const here = await engineFixture();
  const keepers = { version: "1" };
  const stack = await here.stack(async () => {
    for (const name of ["orders", "stock"]) new Database(name, { name, group: "default" });
    return { token: new ApiToken("deployer", { name: "deployer", keepers: { ...keepers } }).token };
  });
  await stack.deploy();
  const token = String((await stack.outputs()).token);
  stack.setEnvironment({ DBPLATFORM_API_TOKEN: token });
  here.takeWrites();
  const refused = async (run: typeof stack.up) => {
    const { code, output } = await run();
    expect(code, output).not.toBe(0);
    expect(flat(output)).toContain(ownApiToken({ name: "deployer" }));
    expect(output).not.toContain("401");
  };

  keepers.version = "2";
  await refused(stack.preview);
  await refused(stack.up);
  expect(here.takeWrites()).toEqual([]);
  await refused(() => stack.destroy({ parallel: 1 }));
  await clientOf(here.api, token).validateApiToken({});

  stack.setEnvironment({ DBPLATFORM_API_TOKEN: here.api.apiToken });
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await here.databases()).toEqual({});
  await expect(clientOf(here.api, token).validateApiToken({})).rejects.toThrow("401");
});
