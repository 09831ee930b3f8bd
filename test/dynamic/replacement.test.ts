import { expect, test } from "vitest";
import { replacementUnseen } from "../../provider/dynamic/messages";
import { DynamicProvider } from "../../provider/dynamic/provider";
import type { Properties } from "../../provider/lifecycle/properties";
import { database } from "../../provider/resources/database/database";
import { lifecycleFixture } from "../lifecycle/lifecycle-fixture";

const encryption = (fill: number) => ({ cipher: "aegis256", key: Buffer.alloc(32, fill).toString("base64") });

// Promise: No database is lost
test("refuses a new encryption key, because the preview cannot warn that the database would be replaced", async () => {
  const { api } = await lifecycleFixture();
  const provider = new DynamicProvider(database);
  const __settings = { baseUrl: api.url, organization: api.organization, apiToken: api.apiToken };
  const program = (given: Properties) => ({
    __settings,
    __logicalName: "orders",
    name: "orders",
    group: "default",
    ...given,
  });
  const { id, outs = {} } = await provider.create(program({ encryption: encryption(7) }));
  const against = (given: Properties) => provider.diff(id, outs, program(given));

  expect(await against({ encryption: encryption(7) })).toMatchObject({ changes: false });
  expect(await against({})).toMatchObject({ replaces: [] });
  expect(await against({ encryption: encryption(7), name: "other" })).toMatchObject({ replaces: ["name"] });
  const { advice } = replacementUnseen('database "orders"', "encryption");
  await expect(against({ encryption: encryption(8) })).rejects.toThrow(advice);
});
