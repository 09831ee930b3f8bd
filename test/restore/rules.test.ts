import { expect, test } from "vitest";
import { FREE_PLAN } from "../../platform/contract/organization";
import type { ReferenceApiOptions } from "../../platform/reference/server";
import { type Options, restoreDeleted } from "../../provider/restore/restore";
import { lifecycleFixture } from "../lifecycle/lifecycle-fixture";

const MINUTE = 60;

async function organization() {
  const here = await lifecycleFixture({}, { now: "2026-03-01T12:00:00.000Z" });
  const { api } = here.context.platform.platform;
  const run = async (options: Partial<Options> = {}) => {
    let [out, error] = ["", ""];
    const code = await restoreDeleted({ since: { ago: 600_000 }, ...options }, undefined, {
      context: here.again().platform,
      signal: new AbortController().signal,
      out: (text) => void (out += text),
      error: (text) => void (error += text),
      isTerminal: false,
    });
    return { code, out, error };
  };
  return {
    ...here,
    run,
    group: async (name: string) => (await api.createGroup({ body: { name, location: "aws-us-east-1" } })).group.uuid,
    database: async (name: string, group = "default") =>
      (await api.createDatabase({ body: { name, group } })).database.DbId,
    deleteDatabase: (name: string) => api.deleteDatabase({ databaseName: name }),
    deleteGroup: (name: string) => api.deleteGroup({ groupName: name }),
  };
}

test("prints", async () => {
  const { api, run, group, database, deleteDatabase, deleteGroup } = await organization();
  await group("shop");
  await database("carts", "shop");
  await database("early", "shop");
  await database("orders");
  await deleteDatabase("early");
  await api.advance(MINUTE);
  await deleteDatabase("orders");
  await deleteGroup("shop");
  await database("carts");
  console.log(await run());
  const result = await run({ yes: true });
  console.log(result.code, result.out, result.error);
  console.log((await run({ yes: true, rename: "{name}-restored", json: true })).out);
});
