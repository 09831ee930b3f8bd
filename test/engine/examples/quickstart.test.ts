// @module-tag more
// @module-tag no-database-is-lost

import { expect, test } from "vitest";
import { engineFixture } from "../engine-fixture";

test("runs the quick start as written: creates, detects drift with exit code 7, restores and destroys", async () => {
  const here = await engineFixture();
  const stack = await here.stack("quickstart");
  expect(await stack.cli("up", "--yes", "--skip-preview")).toMatchObject({ code: 0 });
  const { dbId, hostname, appToken } = (await stack.outputs()) as Record<string, string>;
  expect(Object.values(await here.databases())).toEqual([dbId]);
  expect(hostname).toMatch(/^orders-[0-9a-f]{7}-acme\./);
  expect(await here.api.verifySqlToken(String(appToken), String(dbId))).toMatchObject({ authorization: "read-only" });
  await here.database("beside");

  expect(await stack.cli("preview", "--expect-no-changes")).toMatchObject({ code: 0 });
  await here.delete(String(dbId));
  expect(await stack.cli("preview", "--expect-no-changes")).toMatchObject({ code: 7 });
  expect(await stack.cli("up", "--yes", "--skip-preview")).toMatchObject({ code: 0 });
  expect(Object.values(await here.databases())).toContain(dbId);
  expect(await stack.cli("destroy", "--yes", "--skip-preview")).toMatchObject({ code: 0 });
  expect(Object.keys(await here.databases())).toEqual(["beside"]);
});
